/** Summarises a comparison of runs in a few sentences: the changes relative to the first run, and whether they are more than chance. */
import { formatChange, listed } from '../../analysis/wording';
import { formatMs, formatNumber, formatPercent, plural } from '../../units/format';
import { ENOUGH_RUNS, type ComparisonRow, type RunComparison } from './comparison';

export interface ComparisonSummary {
  /** One sentence for each run except the first. If there are many runs, a final sentence gives the number of all remaining runs. */
  sentences: string[];
  /** Sentence on whether the differences could be chance. It covers all metrics. */
  significance: string;
}

/** Maximum number of runs that have a sentence each. */
const MOST_SENTENCES = 4;

/** Returns the letter by which a run is called: A, B, ... Z. After Z come numbers: 27, 28, ... */
export const letter = (at: number): string => (at < 26 ? String.fromCharCode(65 + at) : String(at + 1));

/** Values of a metric in two runs, for the same combination of factor levels (`cell`). */
interface Change {
  cell: string;
  from: number;
  to: number;
  /**
   * Value of a run, divided by the value of the first run, as in the tables. If both runs were repeated often enough, it is the quotient of
   * the means over their repetitions.
   */
  ratio: number;
  /** Whether `ratio` compares means over several runs. */
  isOfRuns: boolean;
}

interface Figure {
  name: string;
  changes: Change[];
  /** Formats a value with its unit. */
  format: (value: number) => string;
}

/**
 * Returns the change as text, such as `+12% (7,600 to 8,500 docs/s)`. For several combinations of factor levels, it is a range, such as
 * `−3% to +12% (most in 30s)`.
 */
function changeText({ changes, format }: Figure): string {
  const [first] = changes;
  if (changes.length === 1)
    return `${formatChange(first!.ratio)} (${format(first!.from)} to ${format(first!.to)}${first!.isOfRuns ? ' in these two; the change is of all runs of each kind' : ''})`;
  const sorted = [...changes].sort((a, b) => a.ratio - b.ratio);
  const [least, most] = [sorted[0]!, sorted.at(-1)!].map((change) => formatChange(change.ratio));
  const furthest = changes.reduce((one, other) =>
    Math.abs(Math.log(other.ratio)) > Math.abs(Math.log(one.ratio)) ? other : one,
  );
  return least === most ? least! : `${least} to ${most} (most in ${furthest.cell})`;
}

/**
 * Returns the changes of throughput and p99 in run `run` from the first run, for each row whose values both runs have. `isLatencyFirst`:
 * whether the p99 comes first, because the first claim is about a time.
 */
function figuresOf(rows: readonly ComparisonRow[], run: number, isLatencyFirst: boolean): Figure[] {
  const changesOf = (
    read: (of: NonNullable<ComparisonRow['runs'][number]>) => number | null,
    isCompared = false,
  ): Change[] =>
    rows.flatMap(({ cell, runs }) => {
      const [from, to] = [runs[0], runs[run]].map((of) => (of ? read(of) : null));
      if (!from || !to) return [];
      const found = isCompared ? runs[run]!.comparison : null;
      return [{ cell, from, to, ratio: found?.ratio ?? to / from, isOfRuns: (found?.family ?? 0) > 0 }];
    });
  const unit = rows[0]?.unit ?? '';
  const figures: Figure[] = [
    {
      name: 'throughput',
      changes: changesOf(({ throughput }) => throughput.mean, true),
      format: (value) => `${formatNumber(value)} ${unit}`,
    },
    { name: 'p99', changes: changesOf(({ latency }) => latency.p99), format: (value) => formatMs(value) },
  ];
  return (isLatencyFirst ? figures.reverse() : figures).filter(({ changes }) => changes.length > 0);
}

function sentenceOf(comparison: RunComparison, run: number): string {
  const { rows, unfair, focus } = comparison;
  const task = rows.some((row) => row.task === focus.task) ? focus.task : rows[0]?.task;
  const own = rows.filter((row) => row.task === task);
  const figures = figuresOf(own, run, focus.isTime);
  const name = letter(run);
  if (task === undefined || figures.length === 0) return `${name} has no metric in common with A.`;
  const cells = figures[0]!.changes.length;
  const where = cells === 1 ? '' : ` in ${plural(cells, 'cell')}`;
  const [first, ...others] = figures.map((figure) => `${figure.name} ${changeText(figure)}`);
  const changes = [`${task} ${first}`, ...others].join(', ');
  const reasons = unfair[run]!;
  const but =
    reasons.length === 0 ? '' : ` The two are not comparable: they differ in ${listed(reasons, 3)}.`;
  return `${name} against A${where}: ${changes}.${but}`;
}

/** Returns the largest number of comparisons that a confidence level covers together; 0 if no differences were tested. */
function comparedIn({ rows, cluster }: RunComparison): number {
  const families = [...rows, ...cluster].flatMap(({ runs }) =>
    (runs as readonly ({ comparison: { family: number } | null } | null)[]).map(
      (run) => run?.comparison?.family ?? 0,
    ),
  );
  return Math.max(0, ...families);
}

/** Returns a sentence on whether differences are more than chance. The sentence applies to all tables of a comparison. */
export function significanceSentence(comparison: RunComparison): string {
  const { margin, unfair } = comparison;
  if (comparedIn(comparison) > 0)
    return `Words such as “higher” compare the means of at least ${ENOUGH_RUNS} runs of each kind. Margin ±${formatPercent(margin)}; intervals are widened for the number of comparisons (Holm).`;
  if (unfair.slice(1).every((reasons) => reasons.length > 0))
    return 'No difference is tested, because the runs are not comparable.';
  return `It is not known whether a difference is more than chance: that needs at least ${ENOUGH_RUNS} runs of each kind. Trials of one run share conditions that the next run does not have, so they cannot show it.`;
}

export function summariseComparison(comparison: RunComparison): ComparisonSummary {
  const others = comparison.runs.map((_, at) => at).slice(1);
  const rest = others.length - MOST_SENTENCES;
  return {
    sentences: [
      ...others.slice(0, MOST_SENTENCES).map((run) => sentenceOf(comparison, run)),
      ...(rest > 0 ? [`${plural(rest, 'more run')} in the tables.`] : []),
    ],
    significance: significanceSentence(comparison),
  };
}
