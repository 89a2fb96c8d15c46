/** Dashboard of what nodes wait for: merges, garbage collection, disks and the network. */
import type { DashboardDefinition } from './assemble';
import { average, max, ratio, sum, type Expression } from './expression';
import { byItsTime, nodePanels } from './node-panels';
import { chart, text, tile, type Panel } from './panel';
import {
  byNode,
  BYTES,
  COLOURS,
  course,
  courseBy,
  measure,
  OF_HOSTS,
  OF_NODES,
  ONE_DECIMAL,
  PERCENT,
  single,
} from './shown';

/**
 * Returns the share of time that nodes spent on an activity, such as merging, over an interval of any length. `field`: counter of the time
 * spent, in ms.
 */
const shareOfTime = (field: string): Expression => byItsTime(`dyno.node.${field}`);

/**
 * Returns the share of time in which at least one task (`some`) or all tasks (`full`) of the Linux kernel waited for I/O. The kernel counts
 * this time in microseconds.
 */
const stalledFor = (tasks: 'some' | 'full'): Expression =>
  ratio(byItsTime(`dyno.host.pressure.io.${tasks}.stalled.us.change`), 1000);

/** Returns the mean pause of garbage collections in ms; null without garbage collections. `collector`: name of the garbage collector. */
const meanPause = (collector: string): Expression =>
  ratio(sum(`dyno.node.gc.${collector}.time.ms.change`), sum(`dyno.node.gc.${collector}.count.change`));

const THIRD = { width: 16, height: 13 };

const tiles = (): Panel[] =>
  (
    [
      [
        OF_NODES,
        'Threads merging, mean',
        'Time of merges by the time that passed, mean of the nodes.',
        shareOfTime('merges.time.ms.change'),
        { id: 'number', decimals: 2 },
      ],
      [
        OF_NODES,
        'Time in young collections',
        'Of the time that passed, mean of the nodes.',
        shareOfTime('gc.young.time.ms.change'),
        { ...PERCENT, decimals: 2 },
      ],
      [
        OF_HOSTS,
        'Busiest disk, mean',
        'Time with a running operation, mean of the hosts.',
        average('dyno.host.busiest_disk.busy.pct'),
        PERCENT,
      ],
      [
        OF_HOSTS,
        'Stalled for I/O, mean',
        'Time in which at least one task waited, mean of the hosts.',
        stalledFor('some'),
        PERCENT,
      ],
    ] as const
  ).map(([query, title, description, is, format]) =>
    tile({
      title,
      description,
      width: 8,
      height: 8,
      layer: single('metrics', query, measure(title, is, format)),
    }),
  );

const merges = (): Panel[] => [
  chart({
    ...THIRD,
    title: 'Merges: threads busy, throttled, stopped',
    description:
      'Time of merges by the time that passed, mean of the nodes: 1.5 means one and a half threads busy all the time. The line *merging* includes throttled time (slowed to spare the disk) and stopped time (paused for other merges).',
    series: 'line',
    axis: 'threads',
    layer: course('metrics', OF_NODES, [
      measure('merging', shareOfTime('merges.time.ms.change'), { id: 'number', decimals: 2 }),
      measure('throttled', shareOfTime('merges.throttled.ms.change'), { id: 'number', decimals: 2 }),
      measure('stopped', shareOfTime('merges.stopped.ms.change'), { id: 'number', decimals: 2 }),
    ]),
    colours: [COLOURS.middle, COLOURS.retried, COLOURS.rejected],
  }),
  chart({
    ...THIRD,
    title: 'Running merges: size',
    description: 'Bytes of the running merges, the highest value of each interval, by node.',
    series: 'line',
    axis: 'bytes',
    layer: courseBy(
      'metrics',
      OF_NODES,
      byNode(),
      measure('Size of merges', max('dyno.node.merges.current.bytes'), BYTES),
    ),
  }),
];

const collections = (): Panel[] => [
  chart({
    ...THIRD,
    title: 'Garbage collection: share of the time',
    description:
      'Mean of the nodes that have a collector of this name. Other collectors, such as those of ZGC, are not included.',
    series: 'line',
    axis: 'of the time',
    layer: course('metrics', OF_NODES, [
      measure('young', shareOfTime('gc.young.time.ms.change'), { ...PERCENT, decimals: 2 }),
      measure('old', shareOfTime('gc.old.time.ms.change'), { ...PERCENT, decimals: 2 }),
    ]),
    colours: [COLOURS.middle, COLOURS.rejected],
  }),
  chart({
    ...THIRD,
    title: 'Garbage collection: mean pause',
    description: 'Time of collections by their number, in each interval in which there was one.',
    series: 'line',
    axis: 'ms',
    layer: course('metrics', OF_NODES, [
      measure('young', meanPause('young'), ONE_DECIMAL),
      measure('old', meanPause('old'), ONE_DECIMAL),
    ]),
    colours: [COLOURS.middle, COLOURS.rejected],
  }),
  chart({
    ...THIRD,
    title: 'Garbage collection: the worst reading',
    description: 'Most time of young collections between two readings of the collector, by node.',
    series: 'line',
    axis: 'ms',
    layer: courseBy(
      'metrics',
      OF_NODES,
      byNode(),
      measure('Young collections', max('dyno.node.gc.young.time.ms.change')),
    ),
  }),
];

const stalled = (): Panel =>
  chart({
    ...THIRD,
    title: 'Stalled for I/O',
    description:
      'Time in which at least one task (some) or every task (full) waited for I/O, as the kernel counts it; mean of the hosts.',
    series: 'line',
    axis: 'of the time',
    layer: course('metrics', OF_HOSTS, [
      measure('some', stalledFor('some'), PERCENT),
      measure('full', stalledFor('full'), PERCENT),
    ]),
    colours: [COLOURS.retried, COLOURS.rejected],
  });

export const waiting = (markdown: string): DashboardDefinition => ({
  title: 'Dyno: merges, GC, disks and network',
  description:
    'Merges and garbage collection of the nodes, disks and network of their machines, from the collector.',
  rows: [
    [text(markdown, { width: 16, height: 8 }), ...tiles()],
    [...merges(), stalled()],
    collections(),
    ...nodePanels('waiting'),
  ],
});
