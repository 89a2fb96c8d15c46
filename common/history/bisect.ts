/**
 * Finds the first bad candidate in an ordered list. The first candidate of the list is known as good (the *good end*), and the last one as
 * bad (the *bad end*). The code in this file takes the results of the comparisons so far, and returns the next comparison or the final
 * result.
 *
 * In each step, a run compares a candidate with the good end. The limit between good and bad is the middle between the two ends, on the log
 * scale. A candidate is bad if its metric is on the bad end's side of the limit. It is good if its metric is on the other side, and
 * undecided if the interval of the comparison contains the limit. The interval has 95% confidence, no matter when the run ended.
 */
import type { Comparison } from '../analysis/comparison';
import type { Interval } from '../analysis/confidence';
import { HOPELESS_FROM, trialsNeeded } from '../analysis/trials-needed';
import { formatChange, listed } from '../analysis/wording';
import { inputError } from '../problem';
import { formatNumber, formatPercent } from '../units/format';

/** Maximum number of runs that an error lists. A history may have thousands of runs. */
const MOST_NAMED = 5;

/**
 * Returns the runs from the good end to the bad end, including both. `runs`: all runs, the oldest first. An end is the id of a run, or an
 * unambiguous prefix of one. Throws a DynoError (input) `command.runs` if an end is unknown or ambiguous, or if the bad end is not later
 * than the good end.
 */
export function runsBetween<HistoryRun extends { run: string }>(
  runs: readonly HistoryRun[],
  ends: { good: string; bad: string },
): HistoryRun[] {
  const placeOf = (end: 'good' | 'bad'): number => {
    const named = ends[end];
    const exact = runs.findIndex(({ run }) => run === named);
    if (exact >= 0) return exact;
    const fitting = runs.flatMap(({ run }, at) => (run.startsWith(named) ? [at] : []));
    if (fitting.length === 1) return fitting[0]!;
    throw inputError(
      'command.runs',
      `--${end}`,
      fitting.length === 0
        ? 'is no completed run of the experiment'
        : 'more than one run of the experiment begins like this',
      {
        found: named,
        allowed:
          fitting.length === 0
            ? 'runs as `dyno history --csv` lists them, or the beginning of their ids'
            : listed(
                fitting.map((at) => runs[at]!.run),
                MOST_NAMED,
              ),
      },
    );
  };
  const [from, to] = [placeOf('good'), placeOf('bad')];
  if (to > from) return runs.slice(from, to + 1);
  throw inputError('command.runs', '--bad', 'the good end must be the earlier run', {
    found: `good ${runs[from]!.run}, bad ${runs[to]!.run}`,
    allowed:
      from === runs.length - 1
        ? 'another --good: this one is the newest run of the experiment'
        : `a run after ${runs[from]!.run}`,
  });
}

/** Result of a step: the comparison of the step's candidate with the good end. */
export type StepAnswer = Pick<Comparison, 'ratio' | 'adjusted' | 'word' | 'spread' | 'n' | 'reason'>;

/**
 * Result for a candidate. Usually, this is the comparison of the candidate with the good end. `as good`, `as bad`: the candidate's trials
 * would do exactly the same as those of the good end or the bad end, so no comparison is needed.
 */
export type Known = StepAnswer | 'as good' | 'as bad';

export interface BisectRules {
  /** Smallest relative difference between a candidate and the good end that counts. With a smaller difference, the two count as equal. */
  margin: number;
}

/**
 * Final result of a bisect.
 * - `found`: the first bad candidate was found.
 * - `between`: the first bad candidate is one of several.
 * - `ends`: the two ends do not differ, or it is undecided whether they do.
 */
export type BisectOutcome =
  | { answer: 'found'; first: number; sentence: string }
  | { answer: 'cannot tell'; why: 'ends' | 'between'; from: number; to: number; sentence: string };

export interface BisectStep {
  /** Position of the candidate that the next run compares with the good end. */
  candidate: number;
  /**
   * Direction of the difference between the candidate and the good end that the run tests. `relation` and `size` form the claim of the run,
   * such as `rises` and `by at least 9.5%`.
   */
  relation: 'stays' | 'rises' | 'falls';
  /** Size of the tested difference, such as `by at least 9.5%`. '' if `relation` is `stays`. */
  size: string;
  /** Indices of the first and the last candidate of the range that contains the first bad candidate (both inclusive). */
  from: number;
  to: number;
}

export type BisectNext = { step: BisectStep } | { outcome: BisectOutcome };

/** The limit between good and bad candidates. It is the middle between the good end and the bad end, on the log scale. */
interface Middle {
  relation: 'rises' | 'falls';
  /** Relative difference between the limit and the good end, always positive: 0.1 means 10%. */
  share: number;
}

const PER_CENT_DIGITS = 2;

function middleOf(ratio: number): Middle {
  const half = Math.sqrt(ratio);
  const share = Number((Math.abs(half - 1) * 100).toFixed(PER_CENT_DIGITS)) / 100;
  return { relation: ratio > 1 ? 'rises' : 'falls', share: Math.max(share, 10 ** -(PER_CENT_DIGITS + 2)) };
}

const bound = ({ relation, share }: Middle): number => (relation === 'rises' ? 1 + share : 1 - share);

const sizeOf = ({ share }: Middle): string =>
  `by at least ${Number((share * 100).toFixed(PER_CENT_DIGITS))}%`;

/**
 * Returns whether a candidate is on the good or on the bad side of the limit. Undefined if the interval of its comparison contains the
 * limit, or if there is no interval.
 */
function sideOf(known: Known, middle: Middle): 'good' | 'bad' | undefined {
  if (known === 'as good') return 'good';
  if (known === 'as bad') return 'bad';
  const { adjusted } = known;
  if (adjusted === null) return undefined;
  const isAbove = adjusted.low > bound(middle);
  if (!isAbove && adjusted.high >= bound(middle)) return undefined;
  return isAbove === (middle.relation === 'rises') ? 'bad' : 'good';
}

/** Formats a ratio and its interval, such as `+12% (95% interval +8% to +16%)`. */
export const ratioText = (ratio: number | null, interval: Interval | null): string =>
  ratio === null || interval === null
    ? 'not known'
    : `${formatChange(ratio)} (${Math.round(interval.level * 100)}% interval ${formatChange(interval.low)} to ${formatChange(interval.high)})`;

/** Returns the error of a ratio: half the width of its interval, on the log scale. */
const reachOf = ({ low, high }: Interval): number => (Math.log(high) - Math.log(low)) / 2;

/**
 * Explains that noise is the reason for an undecided comparison, and estimates how many trials would decide it. `away`: half width of the
 * interval, on the log scale, with which the comparison would be decided.
 *
 * The estimate is based on the interval of the run. This interval is wider than that of a single test, because a run tests after each
 * repetition.
 */
function noiseText({ adjusted, spread, n }: StepAnswer, away: number): string {
  const varies = spread === null ? '' : `, where a trial varies by ${formatPercent(spread)}`;
  const text = `the difference is below the noise${varies}`;
  if (adjusted === null || spread === null || spread === 0) return text;
  const needed = Math.max(
    trialsNeeded(spread, Math.expm1(away)),
    Math.ceil(n * (reachOf(adjusted) / away) ** 2),
  );
  return needed >= HOPELESS_FROM
    ? `${text}; no practical number of trials would decide: a quieter cluster or longer trials are needed`
    : `${text}; about ${formatNumber(needed)} trials of each would decide`;
}

/** Explains why it is undecided whether the ends differ. */
function endsText(bad: string, good: string, ends: StepAnswer, margin: number): string {
  const { ratio, adjusted, n, reason } = ends;
  if (adjusted === null)
    return `${bad} could not be compared with ${good}${reason === '' ? '' : ` (${reason})`}`;
  // An interval that is narrower than the margin either excludes 1 or is within the margin.
  const away = Math.log1p(margin) / 2;
  const noise = away === 0 ? 'with a margin of 0, two ends are never the same' : noiseText(ends, away);
  return `whether ${bad} differs from ${good} is undecided after ${n} trials of each, ${ratioText(ratio, adjusted)}: ${noise}`;
}

/** Explains why it is undecided whether a candidate is good or bad. */
function candidateText(name: string, good: string, answer: StepAnswer, middle: Middle): string {
  const { ratio, adjusted, n, reason } = answer;
  if (adjusted === null)
    return `${name} could not be compared with ${good}${reason === '' ? '' : ` (${reason})`}`;
  const text = `${name} against ${good} is ${ratioText(ratio, adjusted)} after ${n} trials of each`;
  const away = Math.abs(Math.log(bound(middle)));
  return reachOf(adjusted) < away
    ? `${text}: it differs from both ends, so more than one candidate changed the metric`
    : `${text}: ${noiseText(answer, away)}`;
}

/**
 * Returns the next comparison, or the final result. `names`: names of at least two candidates, from the good end to the bad end. `answers`:
 * results of the comparisons so far, by index of the candidate.
 */
export function nextOfBisect(
  names: readonly string[],
  answers: ReadonlyMap<number, Known>,
  { margin }: BisectRules,
): BisectNext {
  const last = names.length - 1;
  const [good, bad] = [names[0]!, names[last]!];
  const ends = answers.get(last);
  if (ends === undefined)
    return { step: { candidate: last, relation: 'stays', size: '', from: 1, to: last } };
  const cannot = (sentence: string, from = 1, to = last, why: 'ends' | 'between' = 'ends'): BisectNext => ({
    outcome: { answer: 'cannot tell', why, from, to, sentence: `undecided: ${sentence}` },
  });
  if (typeof ends === 'string')
    return cannot(`${bad} does the same as ${good}, so no candidate can have changed the metric`);
  if (ends.word === 'no difference within the margin')
    return cannot(
      `${bad} does not differ from ${good} by more than the margin of ${formatPercent(margin)}: ${ratioText(ends.ratio, ends.adjusted)}`,
    );
  if (ends.word === 'undecided' || ends.ratio === null || ends.ratio === 1)
    return cannot(endsText(bad, good, ends, margin));

  const middle = middleOf(ends.ratio);
  let low = 0;
  let high = last;
  const unknown = new Set<number>();
  for (let at = 1; at < last; at += 1) {
    const known = answers.get(at);
    if (known === undefined) continue;
    const side = sideOf(known, middle);
    if (side === undefined) unknown.add(at);
    else if (side === 'good') low = Math.max(low, at);
    else high = Math.min(high, at);
  }
  // If the metric changes back and forth between candidates, the first bad candidate counts.
  if (low > high)
    low = Math.max(
      0,
      ...[...answers].flatMap(([at, known]) => (at < high && sideOf(known, middle) === 'good' ? [at] : [])),
    );
  const open = Array.from({ length: Math.max(0, high - low - 1) }, (_, at) => low + 1 + at);
  const untried = open.filter((at) => !unknown.has(at));
  if (untried.length > 0) {
    const centre = (low + high) / 2;
    const candidate = untried.reduce((best, at) =>
      Math.abs(at - centre) < Math.abs(best - centre) ? at : best,
    );
    return { step: { candidate, relation: middle.relation, size: sizeOf(middle), from: low + 1, to: high } };
  }
  if (open.length === 0) {
    const own = answers.get(high)!;
    const before = low === 0 ? '' : `; ${names[low]} before it is good`;
    const size =
      typeof own === 'string' ? ratioText(ends.ratio, ends.adjusted) : ratioText(own.ratio, own.adjusted);
    return {
      outcome: {
        answer: 'found',
        first: high,
        sentence: `${names[high]} is the first bad one: ${size} against ${good}${before}${shareOf(answers.get(low), own, ends.ratio)}`,
      },
    };
  }
  const why = open
    .map((at) => candidateText(names[at]!, good, answers.get(at) as StepAnswer, middle))
    .join('. ');
  return cannot(
    `the first bad one is one of ${names.slice(low + 1, high + 1).join(', ')}. ${why}`,
    low + 1,
    high,
    'between',
  );
}

/**
 * Returns a sentence about how much of the difference between the two ends the first bad candidate causes; '' if it causes more than 75%.
 * `before`: the candidate before the first bad one. `own`: the first bad candidate. `ends`: ratio of the bad end to the good end.
 */
function shareOf(before: Known | undefined, own: Known, ends: number): string {
  const way = (known: Known | undefined): number | undefined =>
    known === undefined || known === 'as good'
      ? 0
      : known === 'as bad'
        ? 1
        : known.ratio === null
          ? undefined
          : Math.log(known.ratio) / Math.log(ends);
  const [from, to] = [way(before), way(own)];
  if (from === undefined || to === undefined || to - from > MOST_OF_IT) return '';
  return `. It causes ${formatPercent(to - from)} of the difference between the ends, and other candidates the rest`;
}

const MOST_OF_IT = 0.75;

/**
 * Returns the result of a comparison in a few words. For a candidate: `good`, `bad` or `undecided`. For the comparison of the two ends:
 * whether they differ.
 */
export function answerWord(
  { relation, size }: Pick<BisectStep, 'relation' | 'size'>,
  answer: StepAnswer,
): string {
  if (relation === 'stays')
    return answer.word === 'higher' || answer.word === 'lower' ? 'differs' : answer.word;
  const share = Number(/[\d.]+/.exec(size)?.[0] ?? 0) / 100;
  return sideOf(answer, { relation, share }) ?? 'undecided';
}
