/**
 * What else is known of a change: what differs between the last good and the first bad run, and which figures of the cluster have
 * another level from that run on. Both happened in the same run. Neither is said to be why.
 */
import { formatChange, formatMetric, listed } from '../analysis/wording';
import { briefDoubt } from '../analysis/warnings';
import type { Definition } from '../experiment/definition';
import { CLUSTER } from '../measurement/cluster-figures';
import { parseMetric } from '../measurement/metric';
import type { RateUnit } from '../tasks/registry';
import { formatPercent } from '../units/format';
import { stepsAt, type Segment, type Series, type Step } from './changes';
import { inColumns, type RunColumns } from './columns';
import { definitionIn, type HistoryRunFacts } from './history-run';
import { DEFINITION, definitionDifferences, HELD, traitParts } from './place-changes';

export interface Difference {
  /** A trait of the place, data that was there among them; a part of the definition; or a doubt about trials. */
  of: 'place' | 'definition' | 'trials';
  /** The trait, the path in the definition, or what was doubted. */
  what: string;
  /** Null where the run does not have it, or does not tell. */
  before: string | null;
  after: string | null;
  /** It differs between other runs around too, more than every third time: that it did here means little. */
  often: boolean;
}

/** A figure of the cluster before and after the change. */
export interface Moved extends Omit<Step, 't'> {
  metric: string;
  title: string;
  unit: RateUnit;
}

export interface Cause {
  /** The last run before the change, and the first of it. */
  good: Pick<HistoryRunFacts, 'run' | 'at'> | null;
  bad: Pick<HistoryRunFacts, 'run' | 'at'>;
  /** What differs seldom comes first. */
  differs: readonly Difference[];
  /** Figures of the cluster in the same cell: those that moved, the surest first, then some that did not. */
  moved: readonly Moved[];
  /** Runs whose figures of the cluster were held against each other; 0 where they were not looked at, and `moved` is empty. */
  looked: { before: number; after: number };
}

/** Runs around a change, by their numbers: `from` up to `night` on one level, `night` up to `to` on the next. */
export interface Around {
  from: number;
  good: number | null;
  night: number;
  to: number;
}

/** Runs on either side that are looked at. */
const AROUND = 30;
/** Figures that are told of a change, those that moved beyond it, and how many that did not are told at least. */
const TOLD = 12;
const UNMOVED = 4;

/** The runs around the change at which `after` begins. */
export const runsAround = (before: Segment, after: Segment, good: number | null): Around => ({
  from: Math.max(before.from, after.from - AROUND),
  good,
  night: after.from,
  to: Math.min(after.to, after.from + AROUND),
});

/** Whether what changed at one of these runs does so more often than every third run. */
const isOften = (told: readonly (string | undefined)[], night: number): boolean => {
  const pairs = told.flatMap((value, at) =>
    at === 0 || at === night || value === undefined || told[at - 1] === undefined
      ? []
      : [value !== told[at - 1]],
  );
  return pairs.length > 0 && pairs.filter(Boolean).length * HELD > pairs.length;
};

/** What the last good run and the first bad one differ in, in one cell. `definitions`: by run; what is not there is only named. */
export function differencesAt(
  { from, good, night, to }: Around,
  cell: string,
  nights: readonly HistoryRunFacts[],
  definitions: ReadonlyMap<string, Definition>,
): Difference[] {
  if (good === null) return [];
  const [before, after] = [nights[good]!, nights[night]!];
  const around = nights.slice(from, to);
  const often = (read: (night: HistoryRunFacts) => string | undefined): boolean =>
    isOften(around.map(read), night - from);
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
  found.push(...doubtsAt({ from, night, to }, cell, nights));
  return found.sort((one, other) => Number(one.often) - Number(other.often));
}

/** Doubts about trials that come or go with the change, as figures do: what is doubted now and then is none. */
function doubtsAt(
  { from, night, to }: Omit<Around, 'good'>,
  cell: string,
  nights: readonly HistoryRunFacts[],
): Difference[] {
  const around = nights.slice(from, to);
  const kinds = [...new Set(around.flatMap(({ doubts = [] }) => doubts.map(({ kind }) => kind)))];
  if (kinds.length === 0) return [];
  const series = kinds.map((kind): Series => ({
    metric: kind,
    cell,
    better: 'lower',
    ...inColumns(
      around.map(({ cells, doubts = [] }) => {
        const place = cells.findIndex(({ id }) => id === cell);
        if (place < 0) return null;
        const mean = doubts.find((own) => own.kind === kind)?.shares[place] ?? 0;
        return { mean, deviation: null, trials: 1 };
      }),
    ),
  }));
  return stepsAt(series, night - from, { margin: 0 }).flatMap((step, at): Difference[] =>
    step?.moved
      ? [
          {
            of: 'trials',
            what: briefDoubt(kinds[at]!),
            before: `${formatPercent(step.before)} of trials`,
            after: `${formatPercent(step.after)} of trials`,
            often: false,
          },
        ]
      : [],
  );
}

/** A figure of the cluster in one cell, over the runs from {@link Around.from} to {@link Around.to}. */
export interface ClusterColumn extends RunColumns {
  metric: string;
  title: string;
  unit: RateUnit;
  better: Series['better'];
}

/** The figures of the cluster of one cell before and after a change. They are one family, beside that of the experiment. */
export function movedAt(
  { from, night }: Around,
  columns: readonly ClusterColumn[],
  margin: number,
): Pick<Cause, 'moved' | 'looked'> {
  const at = night - from;
  const series = columns.map((column): Series => ({ ...column, cell: '' }));
  const told = stepsAt(series, at, { margin }).flatMap((step, place) =>
    step === null ? [] : [{ step, column: columns[place]! }],
  );
  const say = ({
    step: { t: _, ...step },
    column: { metric, title, unit },
  }: (typeof told)[number]): Moved => ({
    metric,
    title,
    unit,
    ...step,
  });
  const moved = told.filter(({ step }) => step.moved).sort((one, other) => other.step.t - one.step.t);
  const others = told.filter(({ step }) => !step.moved);
  const count = (start: number, end?: number): number =>
    Math.max(
      0,
      ...columns.map(({ means }) => means.slice(start, end).filter((mean) => !Number.isNaN(mean)).length),
    );
  return {
    moved: [...moved, ...others.slice(0, Math.max(UNMOVED, TOLD - moved.length))].map(say),
    looked: { before: count(0, at), after: count(at) },
  };
}

/** `index.settings.refresh_interval 1s → 30s`, `Elasticsearch 9.5.2 → 9.5.3`, `definition`. */
function sayDifference({ what, before, after }: Difference): string {
  if (before === null && after === null) return what;
  return `${what} ${before ?? 'none'} → ${after ?? 'none'}`;
}

/** `time of merges +40% [+25%, +57%]`; without a ratio `rejections 0 → 12 [+9, +15]`. */
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

/** Figures that a line names. */
const MOST_SAID = 6;
const MOST_UNMOVED_SAID = 3;

/** What is known of a change, in lines; the second only where figures of the cluster were looked at. */
export function causeLines({ good, differs, moved, looked }: Cause): string[] {
  if (good === null) return [];
  const seldom = differs.filter(({ often }) => !often).map(sayDifference);
  const often = [...new Set(differs.filter((one) => one.often).map(({ what }) => what))];
  const also = often.length === 0 ? '' : `; on most runs: ${often.join(', ')}`;
  const changed =
    seldom.length === 0
      ? `Nothing that is recorded changed in the same run${also}.`
      : `Changed in the same run: ${listed(seldom, MOST_SAID)}${also}.`;
  const withIt = moved.filter((one) => one.moved).map(sayMoved);
  const not = moved
    .filter((one) => !one.moved)
    .map(sayMoved)
    .slice(0, MOST_UNMOVED_SAID);
  const still = not.length === 0 ? '' : ` Not moved: ${not.join(', ')}.`;
  if (moved.length === 0)
    return [
      changed,
      ...(looked.before + looked.after > 0 ? ['Too few runs tell figures of the cluster.'] : []),
    ];
  return [
    changed,
    withIt.length === 0
      ? `No figure of the cluster moved with it.${still}`
      : `Moved with it: ${listed(withIt, MOST_SAID)}.${still}`,
  ];
}
