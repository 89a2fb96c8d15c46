/** Dashboard of the pressure on the nodes: queues, rejections, indexing pressure, CPU and heap. */
import type { DashboardDefinition } from './assemble';
import { INDEXING_PRESSURE_SHARE, WRITE_QUEUE_SHARE } from './data-views';
import { average, max, plus, ratio, sum, type Expression, type Format } from './expression';
import { nodePanels } from './node-panels';
import { chart, text, tile, type Panel } from './panel';
import {
  BYTES,
  byNode,
  COLOURS,
  course,
  courseBy,
  measure,
  OF_NODES,
  ONE_DECIMAL,
  PERCENT,
  single,
} from './shown';

const write = (name: string): string => `dyno.node.thread_pool.write.${name}`;
const pressed = (name: string): string => `dyno.node.indexing_pressure.${name}`;

/**
 * Share of rejected tasks over an interval of any length: rejected / (rejected + completed). Both are calculated from changes of counters.
 */
const rejectionRatio: Expression = ratio(
  sum(write('rejected.change')),
  plus(sum(write('rejected.change')), sum(write('completed.change'))),
);
const queueShare: Expression = max(WRITE_QUEUE_SHARE);
const pressureShare: Expression = max(INDEXING_PRESSURE_SHARE);

/** Format of percentages that may be small. Shares of rejected tasks far below 1% already matter. */
const FINE: Format = { ...PERCENT, decimals: 2 };

const THIRD = { width: 16, height: 13 };

const tiles = (): Panel[] =>
  (
    [
      [
        'Highest write queue use',
        'The fullest queue of one node: waiting tasks as a share of its capacity.',
        queueShare,
        FINE,
      ],
      [
        'Write tasks rejected',
        'Rejected, of rejected and completed, all nodes together.',
        rejectionRatio,
        FINE,
      ],
      [
        'Highest indexing pressure',
        'Memory of running writes as a share of the limit, on the node with the highest share.',
        pressureShare,
        PERCENT,
      ],
      [
        'Highest CPU use of a machine',
        'A machine that a node runs on, with all its processes.',
        max('dyno.node.cpu.os.pct'),
        PERCENT,
      ],
    ] as const
  ).map(([title, description, is, format]) =>
    tile({
      title,
      description,
      width: 8,
      height: 8,
      layer: single('metrics', OF_NODES, measure(title, is, format)),
    }),
  );

const queues = (): Panel[] => [
  chart({
    ...THIRD,
    title: 'Write queue: share of its capacity in use',
    description: 'Most waiting tasks in each interval, as a share of the queue. At 100% the node rejects.',
    series: 'line',
    axis: 'of the capacity',
    layer: courseBy('metrics', OF_NODES, byNode(), measure('Queue in use', queueShare, FINE)),
  }),
];

const refusals = (): Panel[] => [
  chart({
    ...THIRD,
    title: 'Write pool: rejection ratio',
    description:
      'Tasks rejected of those rejected and completed in each interval. A task is not a request: completed tasks include those of replicas and of the node itself.',
    series: 'line',
    axis: 'rejected',
    layer: courseBy('metrics', OF_NODES, byNode(), measure('Rejection ratio', rejectionRatio, FINE)),
  }),
  chart({
    ...THIRD,
    title: 'Write pool: threads at work',
    description: 'Mean of each interval, by node.',
    series: 'line',
    axis: 'threads',
    layer: courseBy(
      'metrics',
      OF_NODES,
      byNode(),
      measure('Threads at work', average(write('active')), ONE_DECIMAL),
    ),
  }),
];

const indexingPressure = (): Panel[] => [
  chart({
    ...THIRD,
    title: 'Indexing pressure: share of the limit',
    description:
      'Memory of running writes as a share of the limit above which a node rejects; the highest value of each interval.',
    series: 'line',
    axis: 'of the limit',
    layer: courseBy('metrics', OF_NODES, byNode(), measure('In use', pressureShare, PERCENT)),
  }),
  chart({
    ...THIRD,
    title: 'Indexing pressure: memory by stage',
    description: 'The highest value of one node in each interval.',
    series: 'line',
    axis: 'bytes',
    layer: course('metrics', OF_NODES, [
      measure('coordinating', max(pressed('current.coordinating.bytes')), BYTES),
      measure('primary', max(pressed('current.primary.bytes')), BYTES),
      measure('replica', max(pressed('current.replica.bytes')), BYTES),
    ]),
    colours: [COLOURS.accepted, COLOURS.middle, COLOURS.failed],
  }),
  chart({
    ...THIRD,
    title: 'Indexing pressure: rejections',
    description:
      'Requests rejected in each interval because of the memory of running writes, all nodes together.',
    series: 'line',
    axis: 'rejections',
    layer: course('metrics', OF_NODES, [
      measure('coordinating', sum(pressed('rejections.coordinating.change'))),
      measure('primary', sum(pressed('rejections.primary.change'))),
      measure('replica', sum(pressed('rejections.replica.change'))),
    ]),
    colours: [COLOURS.accepted, COLOURS.middle, COLOURS.failed],
  }),
];

export const pressure = (markdown: string): DashboardDefinition => ({
  title: 'Dyno: node pressure',
  description:
    'Write queues and rejections, indexing pressure, CPU and heap of the nodes, from the collector.',
  rows: [
    [text(markdown, { width: 16, height: 8 }), ...tiles()],
    [...queues(), ...refusals()],
    indexingPressure(),
    ...nodePanels('pressure'),
  ],
});
