/**
 * The history of an experiment: the values of its metrics over all runs, the differences between runs, and the changes of metrics, each
 * with a description.
 */
import type { Interval } from '../analysis/confidence';
import { worseTrust } from '../analysis/trust';
import { formatChange, formatMetric } from '../analysis/wording';
import type { Definition } from '../experiment/definition';
import type { MissedTimes } from '../experiment/missed';
import type { TrustLevel } from '../experiment/trust';
import { parseMetric, type Metric } from '../measurement/metric';
import type { RateUnit } from '../tasks/registry';
import { differencesAt, movedAt, runsAround, type Around, type Cause } from './cause';
import { formatDay, formatPercent } from '../units/format';
import {
  NO_ANNOTATIONS,
  resolveBaseline,
  type Annotations,
  type HistoryNote,
  type ResolvedBaseline,
} from './annotations';
import { againstBaseline, type AgainstBaseline, type BaselineAnswer } from './baseline';
import { analyseHistory, type Change, type Cut, type SeriesAnswer } from './changes';
import { emptyColumns, runsIn, type RunColumns } from './columns';
import {
  definitionIn,
  historyRunTrust,
  PER_CELL,
  type HistoryRun,
  type HistoryRunFacts,
  type HistoryRunFigures,
} from './history-run';
import { cutsOf, definitionChanged } from './place-changes';
import { parseTime } from '../units/time';

export interface ListedRun {
  run: string;
  /** Start of the run, as ISO 8601 in UTC. */
  at: string;
  /** How reliable the run is. Absent if the trust is high. */
  trust?: TrustLevel;
}

/**
 * A range of runs in which one property of the set-up, such as the version of Elasticsearch, has the same value. It ends where the next
 * range of the same property begins.
 */
export interface Band {
  /** Name of the property, such as `Elasticsearch`. */
  what: string;
  /** Index of the first run of the range. Index 0 is the first run of the history. */
  from: number;
  value: string;
}

/**
 * Values and analysis of one metric for one combination of factor levels. Indices of runs are those in {@link History.nights}, the list of
 * runs.
 */
export interface HistorySeries extends SeriesAnswer {
  metric: string;
  title: string;
  unit: RateUnit;
  /** Id of the combination of factor levels, such as `index.settings.number_of_shards=5`. */
  cell: string;
  /** The combination of factor levels, for display. */
  label: string;
  better: 'higher' | 'lower';
  /**
   * Mean of each run over its trials. Null for a run without a value. The lists `means`, `deviations` and `trials` contain only the newest
   * {@link NEWEST} runs if the filter has `points: false`.
   */
  means: (number | null)[];
  /** Sample standard deviation of each run over its trials. Null for a run without a value or with a single trial. */
  deviations: (number | null)[];
  /** Number of trials of each run. 0 for a run without a value. */
  trials: number[];
  /**
   * Comparison of the newest level with the baseline. Null for cluster metrics, for experiments without a baseline, and if the runs of the
   * baseline have no value of the series.
   */
  against: (AgainstBaseline & { sentence: string }) | null;
}

/** A change of one metric for one combination of factor levels, with a description. */
export interface HistoryChange {
  metric: string;
  cell: string;
  label: string;
  kind: Change['kind'];
  /** The first run with the new level. */
  since: ListedRun;
  /** The last run before the change that has a value of the metric. Null if no such run exists. */
  before: ListedRun | null;
  /** The run that confirmed the change. */
  confirmed: ListedRun;
  /** Level after the change divided by the level before it. Null if the metric has values of 0 or below. */
  ratio: number | null;
  interval: Interval | null;
  /** Level before the change, in the unit of the metric. */
  from: number;
  /** Level after the change, in the unit of the metric. */
  to: number;
  /** Changes of the set-up or of the definition at the same run, such as `Elasticsearch 9.5.3`. */
  named: readonly string[];
  /** Lowest trust in the runs from the last run before the change to the run that confirmed the change. Absent if it is high. */
  trust?: TrustLevel;
  /** Whether this is the newest change of its metric and combination of factor levels. */
  isNewest: boolean;
  /** Whether the newest run of the experiment confirmed the change. */
  isNew: boolean;
  sentence: string;
  /** The part of `sentence` about how much the metric changed, and whether it became worse. */
  found: string;
  /**
   * Everything else that changed at the same time: differences between the last run before the change and the first run after it, and
   * cluster metrics with another level.
   */
  cause: Cause;
}

export interface History {
  experiment: { id: string; name: string };
  /** Relative margin of the newest run: the smallest relative change that counts. 0.05 means 5%. */
  margin: number;
  /** The completed runs, in the order of their times. */
  nights: ListedRun[];
  /** The values of each property of the set-up, and the runs that have them. */
  bands: Band[];
  /** The runs at which the set-up or the definition changed. */
  cuts: Cut[];
  series: HistorySeries[];
  /** Changes, the newest first. */
  changes: HistoryChange[];
  /** Notes in the order of the runs or times that they are about. */
  notes: HistoryNote[];
  baseline: ResolvedBaseline | null;
  /**
   * Scheduled times at which no run of the experiment started. Successive times with the same reason are one entry. Absent unless
   * requested.
   */
  missed?: MissedTimes[];
}

/**
 * Name of the definition in {@link History.bands}, where it is listed like a property of the set-up. Its value is 1 until the definition
 * first changes, then 2, and so on.
 */
export const DEFINITION_BAND = 'definition';

/**
 * Number of newest runs whose values are always included, even if values are not requested. These values show which series have no recent
 * values.
 */
export const NEWEST = 7;

/**
 * Selects a part of a history for output. The filter never changes the results of the analysis, because the analysis always covers the
 * whole history.
 */
export interface HistoryFilter {
  /** Names of metrics as in claims, including those that begin with `cluster.`. Default: all metrics by which the experiment is judged. */
  metrics?: readonly string[];
  /** Ids or labels of combinations of factor levels. Default: all. */
  cells?: readonly string[];
  /** Start of the time range in which runs must have begun, ISO 8601, inclusive. */
  from?: string;
  /** End of the time range in which runs must have begun, ISO 8601, inclusive. */
  to?: string;
  /** `false` leaves out the values of all but the newest {@link NEWEST} runs. Values make up most of a large response. */
  points?: boolean;
}

const isOf = (wanted: readonly string[] | undefined, ...names: readonly string[]): boolean =>
  wanted === undefined || wanted.length === 0 || names.some((name) => wanted.includes(name));

/** One metric for one combination of factor levels, over all runs. */
interface Columns extends RunColumns {
  metric: string;
  title: string;
  unit: RateUnit;
  read: Metric;
  cell: string;
  label: string;
}

/**
 * Returns for each metric its most frequent source in the runs, such as the nodes' statistics or Dyno's collector. Values from different
 * sources cannot be compared. Therefore, runs with another source have no value in the series of the metric.
 */
function sourcesOf<N>(runs: readonly N[], of: (run: N) => readonly HistoryRunFigures[]): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const run of runs)
    for (const { metric, source = '' } of of(run)) {
      const own = counts.get(metric) ?? new Map<string, number>();
      counts.set(metric, own.set(source, (own.get(source) ?? 0) + 1));
    }
  const most = (counts: Map<string, number>): string => [...counts].sort(([, a], [, b]) => b - a)[0]![0];
  return new Map([...counts].map(([metric, counts]) => [metric, most(counts)]));
}

/**
 * Returns the values of each metric for each combination of factor levels, over all runs. `of`: selects the metrics of a run. `only`: id of
 * a combination; without it, all combinations are returned. The series have the order and the names of the newest run. Series that only
 * older runs have come last.
 */
function columnsOf<N extends Pick<HistoryRun, 'cells'>>(
  runs: readonly N[],
  of: (run: N) => readonly HistoryRunFigures[],
  only?: string,
): Columns[] {
  const sources = sourcesOf(runs, of);
  const columns: Columns[] = [];
  const byMetric = new Map<string, { read: Metric | undefined; cells: Map<string, Columns> }>();
  for (let at = runs.length - 1; at >= 0; at -= 1) {
    const run = runs[at]!;
    for (const { metric, title, unit, source = '', values } of of(run)) {
      let ofMetric = byMetric.get(metric);
      if (ofMetric === undefined)
        byMetric.set(metric, (ofMetric = { read: parseMetric(metric), cells: new Map() }));
      const { read, cells } = ofMetric;
      if (read === undefined || sources.get(metric) !== source) continue;
      for (const [place, { id: cell, label }] of run.cells.entries()) {
        if (only !== undefined && cell !== only) continue;
        const mean = values[PER_CELL * place] ?? null;
        if (mean === null) continue;
        let own = cells.get(cell);
        if (own === undefined) {
          own = { metric, title, unit, read, cell, label, ...emptyColumns(runs.length) };
          cells.set(cell, own);
          columns.push(own);
        }
        own.means[at] = mean;
        own.deviations[at] = values[PER_CELL * place + 1] ?? NaN;
        own.trials[at] = values[PER_CELL * place + 2] ?? 0;
      }
    }
  }
  return columns;
}

/** Returns the ranges of runs in which a property of the set-up has the same value. The definition counts as a property. */
function bandsOf(runs: readonly HistoryRunFacts[]): Band[] {
  const last = new Map<string, string>();
  let definition = 1;
  return runs.flatMap((run, from) => {
    const before = runs[from - 1];
    if (before && definitionChanged(before, run) === true) definition += 1;
    const traits = { ...run.place, [DEFINITION_BAND]: String(definition) };
    return Object.entries(traits).flatMap(([what, value]) => {
      if (last.get(what) === value) return [];
      last.set(what, value);
      return [{ what, from, value }];
    });
  });
}

const intervalWords = ({ low, high, level }: Interval): string =>
  `${Math.round(level * 100)}% interval ${formatChange(low)} to ${formatChange(high)}`;

const KINDS: Readonly<Record<Change['kind'], string>> = {
  worse: 'worse',
  better: 'better',
  recovery: 'recovered',
};

/** Describes a change, such as `searches response time p95 +12%, 95% interval +8% to +16%, worse`. */
function foundIn({ title, label, read, unit }: AnalysedSeries, change: Change, cells: number): string {
  const where = cells > 1 ? ` with ${label}` : '';
  const { ratio, interval, before, after } = change;
  const shown = (value: number): string => formatMetric(read, value, unit);
  const size =
    ratio === null || interval === null
      ? `from ${shown(before)} to ${shown(after)}`
      : `${formatChange(ratio)}, ${intervalWords(interval)}`;
  return `${title}${where} ${size}, ${KINDS[change.kind]}`;
}

/** Returns the sentence about a change: `since 2026-11-20, Elasticsearch 9.5.3: ` and its description. */
const sentenceOf = ({ named }: Change, since: ListedRun, found: string): string =>
  `since ${[formatDay(since.at), ...named].join(', ')}: ${found}`;

/** Describes the comparison with the baseline, such as `search response time p95 +12% against run 20261120-1, 95% interval +8% to +16%, worse by more than the margin of 5%`. */
function againstSentence(
  { title, label, read, unit }: AnalysedSeries,
  against: AgainstBaseline,
  { baseline, margin, cells }: { baseline: ResolvedBaseline; margin: number; cells: number },
): string {
  const { ratio, interval, answer } = against;
  const where = cells > 1 ? ` with ${label}` : '';
  const shown = (value: number): string => formatMetric(read, value, unit);
  const size =
    ratio === null ? `${shown(against.newest)} after ${shown(against.baseline)}` : `${formatChange(ratio)}`;
  const sure = ratio === null || interval === null ? '' : `, ${intervalWords(interval)}`;
  const by = formatPercent(margin);
  const answers: Readonly<Record<BaselineAnswer, string>> = {
    worse: `worse by more than the margin of ${by}`,
    better: `better by more than the margin of ${by}`,
    same: `no difference within the margin of ${by}`,
    'not-worse': `not worse by more than the margin of ${by}`,
    'cannot-tell':
      interval === null && against.differenceInterval === null
        ? 'undecided: too few runs'
        : `undecided whether by more than the margin of ${by}: the runs vary too much`,
  };
  return `${title}${where} ${size} against ${baseline.label}${sure}, ${answers[answer]}`;
}

/**
 * Input of a history. `definitions`: definitions of the runs before and after each change of the definition, by run id. {@link cutsOf}
 * returns the ids of these runs.
 */
export interface HistoryParts {
  experiment: History['experiment'];
  /** Runs in the order of their times. */
  runs: readonly HistoryRun[];
  definitions?: ReadonlyMap<string, Definition>;
  annotations?: Annotations;
}

/**
 * Returns whether a filter names metrics of the cluster. If so, the cluster metrics of all runs must be read. Otherwise, they are read only
 * for runs with changes.
 */
export const asksCluster = ({ metrics = [] }: HistoryFilter): boolean =>
  metrics.some((metric) => parseMetric(metric)?.ofCluster !== undefined);

/** A series with its analysis. */
interface AnalysedSeries extends Omit<HistorySeries, 'against' | keyof RunColumns>, RunColumns {
  read: Metric;
}

/** A history in which missing values in lists of numbers are still NaN instead of null. */
type Whole = Omit<History, 'series'> & { series: (AnalysedSeries & Pick<HistorySeries, 'against'>)[] };

/** Analysis of the runs of an experiment, from which all parts of the history are made. It is valid until the runs change. */
export interface AnalysedRuns {
  /**
   * Runs in the order of their times. If the runs contain cluster metrics, these explain the changes. Otherwise, {@link Evidence} must
   * provide cluster metrics.
   */
  runs: readonly (HistoryRunFacts & Partial<Pick<HistoryRun, 'cluster'>>)[];
  bands: readonly Band[];
  cuts: readonly Cut[];
  /** Definitions of the runs before and after a change of the definition; the key is the run id. */
  definitions: ReadonlyMap<string, Definition>;
  series: readonly AnalysedSeries[];
}

/**
 * Analyses metrics that are judged together, with a common false alarm rate. Without `clusterMetrics`, these are the metrics by which the
 * experiment is judged; otherwise, only the metrics in `clusterMetrics`. `definitions`: definitions of the runs that {@link cutsOf}
 * requests, by run id.
 */
export function analyseRuns(
  runs: readonly HistoryRun[],
  definitions: ReadonlyMap<string, Definition> = new Map(),
  clusterMetrics?: readonly string[],
): AnalysedRuns {
  const { cuts } = cutsOf(runs, definitions);
  const ofCluster = clusterMetrics !== undefined;
  const all = columnsOf(runs, ({ figures, cluster }) => (ofCluster ? cluster : figures));
  const columns = ofCluster ? all.filter(({ metric }) => clusterMetrics.includes(metric)) : all;
  const answers = analyseHistory(
    columns.map((own) => ({ ...own, better: own.read.better })),
    cuts,
    // The number of series determines the error probability of each test. All series count, no matter which of them are shown.
    { margin: runs.at(-1)?.margin ?? 0, family: all.length },
  );
  const series = columns.map((own, at): AnalysedSeries => ({
    ...own,
    better: own.read.better,
    ...answers[at]!,
  }));
  return { runs, bands: bandsOf(runs), cuts, definitions, series };
}

/** Data about some runs that the caller reads after the analysis, to explain changes. The keys are run ids. */
export interface Evidence {
  clusters?: ReadonlyMap<string, HistoryRun['cluster']>;
  definitions?: ReadonlyMap<string, Definition>;
}

/**
 * A part of a history that is built in two steps. First, the caller reads the data of the runs in `asked`, which are known only after the
 * analysis. Then the caller passes these data to `build`.
 */
export interface AnalysedHistory {
  /** Runs whose cluster metrics and definitions are needed to explain the changes. */
  asked: { clusters: string[]; definitions: string[] };
  build(evidence?: Evidence): History;
}

/** Maximum number of changes that are explained with cluster metrics. If there are more changes, only the newest of them are explained. */
const MOST_EXPLAINED = 50;
/** Number of runs whose cluster metrics are read to explain changes. When more runs have been read, no further changes are explained. */
const MOST_READ = 300;

/**
 * Builds the whole history, or the part that `filter` selects. The metrics by which the experiment is judged have a common false alarm
 * rate. Cluster metrics are judged separately: they explain changes, but cause no alarms.
 */
export function buildHistory(
  { experiment, runs, definitions, annotations }: HistoryParts,
  filter: HistoryFilter = {},
): History {
  const cluster = asksCluster(filter) ? analyseRuns(runs, definitions, filter.metrics) : undefined;
  const judged = analyseRuns(runs, definitions);
  return partOf({ experiment, judged, cluster, annotations }, filter).build();
}

export interface HistoryFindings {
  experiment: History['experiment'];
  /** Analysis of the metrics by which the experiment is judged (`judged`), and, if requested, of cluster metrics (`cluster`). */
  judged: AnalysedRuns;
  cluster: AnalysedRuns | undefined;
  annotations?: Annotations;
}

const notHigh = (trust: TrustLevel): { trust?: TrustLevel } => (trust === 'high' ? {} : { trust });

/** Returns the whole history, or the part that `filter` selects, from an analysis. */
export function partOf(
  { experiment, judged, cluster, annotations = NO_ANNOTATIONS }: HistoryFindings,
  filter: HistoryFilter = {},
): AnalysedHistory {
  const { runs, bands, cuts, definitions } = judged;
  const margin = runs.at(-1)?.margin ?? 0;
  const analysed = [...judged.series, ...(cluster?.series ?? [])];
  const wanted = analysed.filter(
    ({ metric, cell, label }) => isOf(filter.metrics, metric) && isOf(filter.cells, cell, label),
  );
  const all = runs.map((run): ListedRun => ({
    run: run.run,
    at: run.at,
    ...notHigh(historyRunTrust(run)),
  }));
  const cells = new Set(analysed.map(({ cell }) => cell)).size;
  const baseline = annotations.baseline && resolveBaseline(annotations.baseline, runs);
  const against = baseline && againstOf(judged.series, baseline, margin, cells);
  const isIn = inTime(filter);
  const found = wanted
    .flatMap((own) => {
      const { changes, segments, means } = own;
      return changes.map((change, at) => {
        const good = means.findLastIndex((mean, point) => point < change.night && !Number.isNaN(mean));
        return {
          own,
          change,
          isNewest: at === changes.length - 1,
          around: runsAround(segments[at]!, segments[at + 1]!, good < 0 ? null : good),
        };
      });
    })
    .filter(({ change }) => isIn(all[change.night]!))
    .sort((one, other) => other.change.night - one.change.night);

  const explained = new Set<(typeof found)[number]>();
  const read = new Set<number>();
  for (const one of [...found].sort((a, b) => Number(b.isNewest) - Number(a.isNewest))) {
    if (explained.size === MOST_EXPLAINED || read.size > MOST_READ) break;
    explained.add(one);
    for (let point = one.around.from; point < one.around.to; point += 1) read.add(point);
  }

  const series = wanted.map((one) => ({ ...one, against: against?.get(one) ?? null }));

  return {
    asked: {
      clusters: [...read].map((point) => all[point]!.run),
      definitions: [
        ...new Set(
          found.flatMap(({ own: { cell }, around }) => {
            if (around.good === null) return [];
            const [before, after] = [runs[around.good]!, runs[around.changePoint]!];
            return definitionIn(before, cell) === definitionIn(after, cell) ? [] : [before.run, after.run];
          }),
        ),
      ].filter((run) => !definitions.has(run)),
    },
    build(evidence = {}) {
      const known = new Map([...definitions, ...(evidence.definitions ?? [])]);
      const moved = clusterMoves(runs, evidence.clusters ?? new Map(), margin);
      const changes = found.map((one): HistoryChange => {
        const { own, change, isNewest, around } = one;
        const since = all[change.night]!;
        const trust = all
          .slice(around.good ?? change.night, change.confirmed + 1)
          .reduce<TrustLevel>((worst, run) => worseTrust(worst, run.trust ?? 'high'), 'high');
        const before = around.good === null ? null : all[around.good]!;
        const words = foundIn(own, change, cells);
        return {
          metric: own.metric,
          cell: own.cell,
          label: own.label,
          kind: change.kind,
          since,
          before,
          confirmed: all[change.confirmed]!,
          ratio: change.ratio,
          interval: change.interval,
          from: change.before,
          to: change.after,
          named: change.named,
          isNewest,
          isNew: change.confirmed === all.length - 1,
          ...notHigh(trust),
          sentence: `${sentenceOf(change, since, words)}${trust === 'high' ? '' : `; trust: ${trust}`}`,
          found: words,
          cause: {
            good: before,
            bad: since,
            differs: differencesAt(around, own.cell, runs, known),
            ...(explained.has(one) ? moved(own, around) : { moved: [], looked: { before: 0, after: 0 } }),
          },
        };
      });
      const whole: Whole = {
        experiment,
        margin,
        nights: all,
        bands: [...bands],
        cuts: [...cuts],
        series,
        changes,
        notes: [...annotations.notes],
        baseline,
      };
      const part = within(whole, filter);
      const first = filter.points === false ? -NEWEST : 0;
      return { ...part, series: part.series.map((own) => listed({ ...own, ...runsIn(own, first) })) };
    },
  };
}

/** Compares the newest levels of all series with the baseline. All series are judged together, including those that are not shown. */
function againstOf(
  series: readonly AnalysedSeries[],
  baseline: ResolvedBaseline,
  margin: number,
  cells: number,
): Map<AnalysedSeries, HistorySeries['against']> {
  const found = againstBaseline(series, baseline.nights, { margin });
  return new Map(
    series.map((own, at) => {
      const one = found[at] ?? null;
      return [own, one && { ...one, sentence: againstSentence(own, one, { baseline, margin, cells }) }];
    }),
  );
}

const orNull = (values: readonly number[]): (number | null)[] =>
  values.map((value) => (Number.isNaN(value) ? null : value));

const listed = ({
  read: _read,
  means,
  deviations,
  trials,
  ...own
}: Whole['series'][number]): HistorySeries => ({
  ...own,
  means: orNull(means),
  deviations: orNull(deviations),
  trials,
});

/** Returns the cluster metrics before and after a change. The metric that changed is left out. */
function clusterMoves(
  runs: AnalysedRuns['runs'],
  clusters: ReadonlyMap<string, HistoryRun['cluster']>,
  margin: number,
): (own: AnalysedSeries, around: Around) => Pick<Cause, 'moved' | 'looked'> {
  return ({ cell, metric }, around) => {
    const surrounding = runs.slice(around.from, around.to);
    const columns = columnsOf(surrounding, ({ run, cluster = [] }) => clusters.get(run) ?? cluster, cell)
      .filter((column) => column.metric !== metric)
      .map((column) => ({ ...column, better: column.read.better }));
    return movedAt(around, columns, margin);
  };
}

const inTime =
  ({ from, to }: HistoryFilter) =>
  ({ at }: { at: string }): boolean =>
    (from === undefined || parseTime(at) >= parseTime(from)) &&
    (to === undefined || parseTime(at) <= parseTime(to));

/** Returns the part of a history in a time range. In the result, index 0 is the first run in this range. */
function within(history: Whole, filter: HistoryFilter): Whole {
  const { nights: runs, bands, cuts, series, notes, baseline } = history;
  const isIn = inTime(filter);
  const first = runs.findIndex(isIn);
  const end = runs.findLastIndex(isIn) + 1;
  if (filter.from === undefined && filter.to === undefined) return history;
  const [start, stop] = first < 0 ? [0, 0] : [first, end];
  const has = (point: number): boolean => point >= start && point < stop;
  const cut = <T>(values: readonly T[]): T[] => values.slice(start, stop);
  const clamp = (point: number): number => Math.min(stop, Math.max(start, point)) - start;
  return {
    ...history,
    nights: cut(runs),
    // A band that began before the time range begins at its start.
    bands: bands
      .filter(
        (band, at) =>
          band.from < stop &&
          (band.from >= start ||
            !bands.some((later, after) => after > at && later.what === band.what && later.from <= start)),
      )
      .map((band) => ({ ...band, from: clamp(band.from) })),
    cuts: cuts.filter(({ night: point }) => has(point)).map((own) => ({ ...own, night: own.night - start })),
    series: series.map((own) => ({
      ...own,
      ...runsIn(own, start, stop),
      segments: own.segments
        .map((segment) => ({ ...segment, from: clamp(segment.from), to: clamp(segment.to) }))
        .filter((segment) => segment.from < segment.to),
      changes: own.changes
        .filter(({ night: point }) => has(point))
        .map((change) => ({
          ...change,
          night: change.night - start,
          // A run after the time range may have confirmed the change.
          confirmed: change.confirmed - start,
        })),
      outliers: own.outliers.filter(has).map((point) => point - start),
    })),
    notes: notes.filter(isIn),
    baseline: baseline && {
      ...baseline,
      nights: baseline.nights.filter(has).map((point) => point - start),
    },
  };
}
