/**
 * Dashboard of an experiment's history: results of all completed runs by day, over several months, and the version of Elasticsearch of each
 * run.
 */
import type { SpaceId } from '../../results/space';
import type { DashboardDefinition } from './assemble';
import { taskField, type TaskFigure, type TaskKind } from './data-views';
import { average, max, median, uniqueCount, type Measure } from './expression';
import { by, overDays } from './layer';
import { chart, table, text, type Panel } from './panel';
import { both, COMPLETED, ofSpace } from './scope';
import { COLOURS, measure, ONE_DECIMAL, RESPONSE_TIMES, WHOLE } from './shown';

const HALF = { width: 24, height: 14 };
const WHOLE_WIDTH = { width: 48, height: 10 };

/**
 * Text that refers to the page of the history in Dyno. Lens cannot show confidence intervals, or levels and confirmed changes of a metric,
 * so only that page shows them.
 */
const ON_PAGE =
  'Levels, intervals and confirmed changes are on the page of the history in Dyno. Filter by one experiment: trials of several do not compare.';

const byCell = () => by('cell.label', { label: 'Cell', size: 20 });

function perDay(
  space: SpaceId,
  kind: TaskKind,
  of: TaskFigure,
  { title, axis, description }: { title: string; axis: string; description: string },
): Panel {
  const shown: Measure =
    of === 'throughput'
      ? measure(title, average(taskField(kind, of)))
      : measure(title, median(taskField(kind, of)), ONE_DECIMAL);
  return chart({
    ...HALF,
    ...{ title, axis, description },
    series: 'line',
    layer: {
      view: 'trials',
      query: both(ofSpace(space), COMPLETED),
      buckets: [overDays(), byCell()],
      measures: [shown],
    },
  });
}

const work = (space: SpaceId): Panel[][] =>
  (
    [
      ['ingest', 'Indexing', 'documents per second'],
      ['search', 'Searches', 'searches per second'],
    ] as const
  ).map(([kind, name, axis]) => [
    perDay(space, kind, 'throughput', {
      title: `${name}: throughput of each day by cell`,
      axis,
      description: 'Mean over the completed trials of the day. A day without a run is a gap.',
    }),
    perDay(space, kind, 'p99', {
      title: `${name}: p99 of each day by cell`,
      axis: 'ms',
      description: `Median over the completed trials of the day. A day without a run is a gap. ${RESPONSE_TIMES}`,
    }),
  ]);

/** Returns panels about all runs, including failed and cancelled ones. */
const runs = (space: SpaceId): Panel[] => [
  chart({
    ...HALF,
    height: WHOLE_WIDTH.height,
    title: 'Runs of each day by version of the cluster',
    description: 'The version that was measured: where the colour changes, it was updated.',
    series: 'bar_stacked',
    axis: 'runs',
    layer: {
      view: 'runs',
      query: ofSpace(space),
      buckets: [overDays(), by('provenance.cluster.version', { label: 'Version' })],
      measures: [measure('Runs', uniqueCount('run.id'))],
    },
  }),
  chart({
    ...HALF,
    height: WHOLE_WIDTH.height,
    title: 'Trials of each day by state',
    description: 'Trials that did not complete are no part of the history.',
    series: 'bar_stacked',
    axis: 'trials',
    layer: {
      view: 'trials',
      query: ofSpace(space),
      buckets: [overDays(), by('trial.state', { label: 'State', size: 5 })],
      measures: [measure('Trials', uniqueCount('trial.id'))],
    },
  }),
];

/** Returns panels with daily means of cluster metrics. They may explain a change of the results. */
const clusterOf = (space: SpaceId): Panel[] => {
  const panel = (title: string, axis: string, measures: Measure[]): Panel =>
    chart({
      ...HALF,
      ...{ title, axis },
      description: 'Mean over the completed trials of the day, of all cells.',
      series: 'line',
      layer: {
        view: 'trials',
        query: both(ofSpace(space), COMPLETED),
        buckets: [overDays()],
        measures,
      },
      colours: [COLOURS.low, COLOURS.middle, COLOURS.high],
    });
  return [
    panel('CPU and heap of each day', 'of 1', [
      measure('CPU', average('figures.cluster.cpu'), { id: 'percent', decimals: 1 }),
      measure('heap', average('figures.cluster.heap'), { id: 'percent', decimals: 1 }),
    ]),
    panel('Merges and refreshes of each day', 'ms per trial', [
      measure('merging', average('figures.cluster.merges.time')),
      measure('refreshing', average('figures.cluster.refresh.time')),
    ]),
  ];
};

const list = (space: SpaceId): Panel =>
  table({
    width: 48,
    height: 15,
    title: 'Runs',
    description: 'One row for each run; a run leads to its page.',
    layer: {
      view: 'runs',
      query: ofSpace(space),
      buckets: [
        by('run.id', { label: 'Run', size: 200 }),
        by('run.state', { label: 'State', size: 1 }),
        by('provenance.cluster.version', { label: 'Version', size: 1 }),
        by('provenance.dyno', { label: 'Dyno', size: 1 }),
      ],
      measures: [measure('Trials completed', max('progress.completed'), WHOLE)],
    },
    widths: [240, 140, 140, 140],
  });

export const historyRuns = (space: SpaceId, markdown: string): DashboardDefinition => ({
  title: 'Dyno: history',
  description: 'What each day’s runs came to, by cell, over months, with the versions that were measured.',
  // The dashboard shows half a year.
  from: 'now-180d',
  rows: [
    [text(`${ON_PAGE}\n\n${markdown}`, { width: 48, height: 7 })],
    ...work(space),
    runs(space),
    clusterOf(space),
    [list(space)],
  ],
});
