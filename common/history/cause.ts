/**
 * Collects what else changed when the level of a metric changed. It compares the last run before the change (*good*) with the first run
 * after it (*bad*). It also lists cluster metrics that changed at the same run. Dyno does not claim that any of these differences is the
 * cause.
 */
import { formatChange, formatMetric, listed } from '../analysis/wording';
import { briefWarning } from '../analysis/warnings';
import type { Definition } from '../experiment/definition';
import { CLUSTER } from '../measurement/cluster-metrics';
import { parseMetric } from '../measurement/metric';
import type { RateUnit } from '../tasks/registry';
import { formatPercent } from '../units/format';
import { stepsAt, type Segment, type Series, type Step } from './changes';
import { inColumns, type RunColumns } from './columns';
import { definitionIn, type HistoryRunFacts } from './history-run';
import { DEFINITION, definitionDifferences, HELD, traitParts } from './place-changes';

export interface Difference {
  /**
   * Type of the difference. `place`: the set-up, such as the version of Elasticsearch or the existing data. `definition`: a part of the
   * experiment's definition. `trials`: a warning about trials.
   */
  of: 'place' | 'definition' | 'trials';
  /** Name of the property of the set-up, path in the definition, or kind of the warning. */
  what: string;
  /** Value in the last run before the change. Null if that run has none. */
  before: string | null;
  /** Value in the first run after the change. Null if that run has none. */
  after: string | null;
  /**
   * Whether the property often changes: in more than a third of the runs around the change. If so, the difference hardly explains the
   * change.
   */
  often: boolean;
}

/** A metric of the cluster before and after the change. */
export interface Moved extends Omit<Step, 't'> {
  metric: string;
  title: string;
  unit: RateUnit;
}

export interface Cause {
  /** The last run before the change with a value of the metric. Null if no such run exists. */
  good: Pick<HistoryRunFacts, 'run' | 'at'> | null;
  /** The first run after the change. */
  bad: Pick<HistoryRunFacts, 'run' | 'at'>;
  /** Differences between the last run before the change and the first run after it. Properties that rarely change come first. */
  differs: readonly Difference[];
  /**
   * Cluster metrics in the same combination of factor levels as the change. Metrics that also changed come first, in the order of
   * significance. Some metrics that did not change follow.
   */
  moved: readonly Moved[];
  /**
   * Numbers of runs before and after the change whose cluster metrics were compared. Both are 0, and `moved` is empty, if no cluster
   * metrics were examined.
   */
  looked: { before: number; after: number };
}

/**
 * Indices of the runs around a change. The runs from `from` to `changePoint` (exclusive) have the level before the change. The runs from
 * `changePoint` to `to` (exclusive) have the level after it. `good`: the last run before the change with a value of the metric; null if
 * there is no such run.
 */
export interface Around {
  from: number;
  good: number | null;
  changePoint: number;
  to: number;
}

/** Maximum number of runs that are examined on each side of a change. */
const AROUND = 30;
/**
 * Number of metrics that are listed for a change. All changed metrics are listed, even if there are more. If there are fewer, unchanged
 * metrics fill up the list.
 */
const MOST_LISTED = 12;
/** Minimum number of unchanged metrics in the list. The list contains fewer if fewer metrics are unchanged. */
const UNMOVED = 4;

/**
 * Returns the runs around a change: at most {@link AROUND} runs on each side. `before`: the segment of runs with the level before the
 * change. `after`: the segment with the level after it. `good`: index of the last run before the change with a value of the metric.
 */
export const runsAround = (before: Segment, after: Segment, good: number | null): Around => ({
  from: Math.max(before.from, after.from - AROUND),
  good,
  changePoint: after.from,
  to: Math.min(after.to, after.from + AROUND),
});

/**
 * Returns whether a value changes from run to run in more than a third of the runs. Runs without a value are ignored. `point`: index of the
 * run with the examined change; the difference at this run does not count.
 */
const isOften = (values: readonly (string | undefined)[], point: number): boolean => {
  const pairs = values.flatMap((value, at) =>
    at === 0 || at === point || value === undefined || values[at - 1] === undefined
      ? []
      : [value !== values[at - 1]],
  );
  return pairs.length > 0 && pairs.filter(Boolean).length * HELD > pairs.length;
};

/**
 * Returns the differences between the last run before a change and the first run after it, for one combination of factor levels.
 * `definitions`: definitions by run id. If they are missing, the result only states that the definition changed.
 */
export function differencesAt(
  { from, good, changePoint: point, to }: Around,
  cell: string,
  runs: readonly HistoryRunFacts[],
  definitions: ReadonlyMap<string, Definition>,
): Difference[] {
  if (good === null) return [];
  const [before, after] = [runs[good]!, runs[point]!];
  const around = runs.slice(from, to);
  const often = (read: (run: HistoryRunFacts) => string | undefined): boolean =>
    isOften(around.map(read), point - from);
  const hash = (of: HistoryRunFacts): string | undefined => definitionIn(of, cell);
  const found: Difference[] = [];
  if (hash(before) !== hash(after)) {
    const [was, now] = [definitions.get(before.run), definitions.get(after.run)];
    const paths = was && now ? definitionDifferences(was, now) : [];
    const all = paths.length > 0 ? paths : [{ path: DEFINITION, before: null, after: null }];
    for (const { path, ...values } of all)
      found.push({ of: 'definition', what: path, ...values, often: often(hash) });
  }
  for (const what of new Set([...Object.keys(before.place), ...Object.keys(after.place)])) {
    const [was, now] = [before.place[what], after.place[what]];
    if (was === now || was === undefined || now === undefined) continue;
    const parts = traitParts(was, now);
    const isSame = parts.was === '' && parts.now === '';
    const values = isSame
      ? { before: was, after: now }
      : { before: parts.was || null, after: parts.now || null };
    found.push({ of: 'place', what, ...values, often: often(({ place }) => place[what]) });
  }
  found.push(...warningsAt({ from, changePoint: point, to }, cell, runs));
  return found.sort((one, other) => Number(one.often) - Number(other.often));
}

/**
 * Returns the kinds of warnings that trials have only after the change, or only before it. Warnings that occur now and then on both sides
 * are ignored.
 */
function warningsAt(
  { from, changePoint: point, to }: Omit<Around, 'good'>,
  cell: string,
  runs: readonly HistoryRunFacts[],
): Difference[] {
  const around = runs.slice(from, to);
  const kinds = [...new Set(around.flatMap(({ doubts: warnings = [] }) => warnings.map(({ kind }) => kind)))];
  if (kinds.length === 0) return [];
  const series = kinds.map((kind): Series => ({
    metric: kind,
    cell,
    better: 'lower',
    ...inColumns(
      around.map(({ cells, doubts: warnings = [] }) => {
        const place = cells.findIndex(({ id }) => id === cell);
        if (place < 0) return null;
        const mean = warnings.find((own) => own.kind === kind)?.shares[place] ?? 0;
        return { mean, deviation: null, trials: 1 };
      }),
    ),
  }));
  return stepsAt(series, point - from, { margin: 0 }).flatMap((step, at): Difference[] =>
    step?.moved
      ? [
          {
            of: 'trials',
            what: briefWarning(kinds[at]!),
            before: `${formatPercent(step.before)} of trials`,
            after: `${formatPercent(step.after)} of trials`,
            often: false,
          },
        ]
      : [],
  );
}

/** A cluster metric in one combination of factor levels, over the runs from {@link Around.from} to {@link Around.to}. */
export interface ClusterColumn extends RunColumns {
  metric: string;
  title: string;
  unit: RateUnit;
  better: Series['better'];
}

/**
 * Tests which cluster metrics also changed at the run of a change, for one combination of factor levels. The tests of all these metrics are
 * judged together.
 */
export function movedAt(
  { from, changePoint: point }: Around,
  columns: readonly ClusterColumn[],
  margin: number,
): Pick<Cause, 'moved' | 'looked'> {
  const at = point - from;
  const series = columns.map((column): Series => ({ ...column, cell: '' }));
  const steps = stepsAt(series, at, { margin }).flatMap((step, place) =>
    step === null ? [] : [{ step, column: columns[place]! }],
  );
  const say = ({
    step: { t: _, ...step },
    column: { metric, title, unit },
  }: (typeof steps)[number]): Moved => ({
    metric,
    title,
    unit,
    ...step,
  });
  const moved = steps.filter(({ step }) => step.moved).sort((one, other) => other.step.t - one.step.t);
  const others = steps.filter(({ step }) => !step.moved);
  const count = (start: number, end?: number): number =>
    Math.max(
      0,
      ...columns.map(({ means }) => means.slice(start, end).filter((mean) => !Number.isNaN(mean)).length),
    );
  return {
    moved: [...moved, ...others.slice(0, Math.max(UNMOVED, MOST_LISTED - moved.length))].map(say),
    looked: { before: count(0, at), after: count(at) },
  };
}

/** Describes a difference, such as `Elasticsearch 9.5.2 → 9.5.3` or `definition`. */
function sayDifference({ what, before, after }: Difference): string {
  if (before === null && after === null) return what;
  return `${what} ${before ?? 'none'} → ${after ?? 'none'}`;
}

/** Describes a changed metric, such as `time of merges +40% [+25%, +57%]`, or without a ratio `rejections 0 → 12 [+9, +15]`. */
export function sayMoved({
  metric,
  title,
  unit,
  ratio,
  interval,
  before,
  after,
  differenceInterval,
}: Moved): string {
  const name = title.startsWith(`${CLUSTER} `) ? title.slice(CLUSTER.length + 1) : title;
  if (ratio !== null && interval !== null)
    return `${name} ${formatChange(ratio)} [${formatChange(interval.low)}, ${formatChange(interval.high)}]`;
  const read = parseMetric(metric);
  const value = (of: number): string => (read === undefined ? String(of) : formatMetric(read, of, unit));
  const signed = (of: number): string => `${of < 0 ? '−' : '+'}${value(Math.abs(of))}`;
  const { low, high } = differenceInterval;
  return `${name} ${value(before)} → ${value(after)} [${signed(low)}, ${signed(high)}]`;
}

/** Maximum number of changed metrics in a sentence. */
const MOST_CHANGED = 6;
/** Maximum number of unchanged metrics in a sentence. */
const MOST_UNCHANGED = 3;

/**
 * Returns sentences about what else changed when the metric changed. There is a second sentence only if cluster metrics were examined.
 * Empty if no earlier run has a value of the metric.
 */
export function causeLines({ good, differs, moved, looked }: Cause): string[] {
  if (good === null) return [];
  const rare = differs.filter(({ often }) => !often).map(sayDifference);
  const often = [...new Set(differs.filter((one) => one.often).map(({ what }) => what))];
  const also = often.length === 0 ? '' : `; changes in most runs: ${often.join(', ')}`;
  const changed =
    rare.length === 0
      ? `Nothing that is recorded changed in the same run${also}.`
      : `Changed in the same run: ${listed(rare, MOST_CHANGED)}${also}.`;
  const withIt = moved.filter((one) => one.moved).map(sayMoved);
  const not = moved
    .filter((one) => !one.moved)
    .map(sayMoved)
    .slice(0, MOST_UNCHANGED);
  const still = not.length === 0 ? '' : ` Unchanged: ${not.join(', ')}.`;
  if (moved.length === 0)
    return [
      changed,
      ...(looked.before + looked.after > 0 ? ['Too few runs have metrics of the cluster.'] : []),
    ];
  return [
    changed,
    withIt.length === 0
      ? `No metric of the cluster changed with it.${still}`
      : `Cluster metrics that changed with it: ${listed(withIt, MOST_CHANGED)}.${still}`,
  ];
}
