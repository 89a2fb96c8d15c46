/**
 * Which of several candidates, from a good end to a bad one, is the first bad one: what is measured next, and what is known, from the
 * answers of the steps alone. Each step is a run of a candidate against the good end. A candidate is bad where the figure has gone
 * more than half of the way from the good end to the bad one (on the log scale), good where less, and undecided where the
 * interval of the step, which holds with 95% confidence at whatever repetition it ended, has the middle within it.
 */
import type { Comparison } from '../analysis/comparison';
import type { Interval } from '../analysis/confidence';
import { HOPELESS_FROM, trialsNeeded } from '../analysis/trials-needed';
import { formatChange, listed } from '../analysis/wording';
import { inputError } from '../problem';
import { formatNumber, formatPercent } from '../units/format';

/** Runs that an error names; there may be thousands. */
const MOST_NAMED = 5;

/**
 * The runs from the good end to the bad one, both included. `runs`: the oldest first; an end is the id of a run or the
 * beginning of one id. Throws a DynoError (input) `command.runs` where an end is no such run or could be several, or where the
 * bad one is not the later one.
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

/** What a step has found of its candidate against the good end. */
export type StepAnswer = Pick<Comparison, 'ratio' | 'adjusted' | 'word' | 'spread' | 'n' | 'reason'>;

/** A candidate that does the same as an end needs no run. */
export type Known = StepAnswer | 'as good' | 'as bad';

export interface BisectRules {
  /** Below which a difference is none, as a share. */
  margin: number;
}

/** `ends`: the ends do not differ, or it is not known that they do; `between`: the first bad one is one of several. */
export type BisectOutcome =
  | { answer: 'found'; first: number; sentence: string }
  | { answer: 'cannot tell'; why: 'ends' | 'between'; from: number; to: number; sentence: string };

export interface BisectStep {
  /** Number of the candidate that is run against the good end. */
  candidate: number;
  /** What its run must decide, as claims write it behind the metric: `rises`, and `by at least 9.5%`. */
  relation: 'stays' | 'rises' | 'falls';
  size: string;
  /** From and to which candidates the first bad one may be. */
  from: number;
  to: number;
}

export type BisectNext = { step: BisectStep } | { outcome: BisectOutcome };

/** Where the middle between the ends lies, as a claim writes it. */
interface Middle {
  relation: 'rises' | 'falls';
  /** By how much, as a share of the good end. */
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

/** On which side of the middle a candidate lies; undefined where that is not decided. */
function sideOf(known: Known, middle: Middle): 'good' | 'bad' | undefined {
  if (known === 'as good') return 'good';
  if (known === 'as bad') return 'bad';
  const { adjusted } = known;
  if (adjusted === null) return undefined;
  const isAbove = adjusted.low > bound(middle);
  if (!isAbove && adjusted.high >= bound(middle)) return undefined;
  return isAbove === (middle.relation === 'rises') ? 'bad' : 'good';
}

/** `+12% (95% interval +8% to +16%)`. */
export const ratioText = (ratio: number | null, interval: Interval | null): string =>
  ratio === null || interval === null
    ? 'not known'
    : `${formatChange(ratio)} (${Math.round(interval.level * 100)}% interval ${formatChange(interval.low)} to ${formatChange(interval.high)})`;

/** Half of an interval on the log scale: by how much the ratio may be wrong. */
const reachOf = ({ low, high }: Interval): number => (Math.log(high) - Math.log(low)) / 2;

/**
 * What the noise says of an answer that does not decide. `away`: how far on the log scale the interval may reach for it to decide. The
 * run looked after each repetition, which takes more trials than a fixed number: its own interval says how many.
 */
function noiseText({ adjusted, spread, n }: StepAnswer, away: number): string {
  const varies = spread === null ? '' : `, where a trial varies by ${formatPercent(spread)}`;
  const told = `the difference is below the noise${varies}`;
  if (adjusted === null || spread === null || spread === 0) return told;
  const needed = Math.max(
    trialsNeeded(spread, Math.expm1(away)),
    Math.ceil(n * (reachOf(adjusted) / away) ** 2),
  );
  return needed >= HOPELESS_FROM
    ? `${told}; no number of trials that anybody runs would decide: it takes a steadier cluster, or longer trials`
    : `${told}; about ${formatNumber(needed)} trials of each would decide`;
}

/** Of the ends whose difference is undecided. */
function endsText(bad: string, good: string, ends: StepAnswer, margin: number): string {
  const { ratio, adjusted, n, reason } = ends;
  if (adjusted === null)
    return `${bad} could not be compared with ${good}${reason === '' ? '' : ` (${reason})`}`;
  // An interval of less than the margin from end to end either leaves out 1 or lies within the margin.
  const away = Math.log1p(margin) / 2;
  const noise = away === 0 ? 'with a margin of 0 nothing is ever the same' : noiseText(ends, away);
  return `whether ${bad} differs from ${good} is undecided after ${n} trials of each, ${ratioText(ratio, adjusted)}: ${noise}`;
}

/** Of a candidate that is on neither side of the middle. */
function candidateText(name: string, good: string, answer: StepAnswer, middle: Middle): string {
  const { ratio, adjusted, n, reason } = answer;
  if (adjusted === null)
    return `${name} could not be compared with ${good}${reason === '' ? '' : ` (${reason})`}`;
  const said = `${name} against ${good} is ${ratioText(ratio, adjusted)} after ${n} trials of each`;
  const away = Math.abs(Math.log(bound(middle)));
  return reachOf(adjusted) < away
    ? `${said}: it differs from both ends, so more than one of them changed the figure`
    : `${said}: ${noiseText(answer, away)}`;
}

/**
 * What comes next. `names`: of the candidates, the good end first and the bad one last, at least two. `answers`: of the steps so
 * far, by their candidate.
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
    outcome: { answer: 'cannot tell', why, from, to, sentence: `cannot tell: ${sentence}` },
  });
  if (typeof ends === 'string')
    return cannot(`${bad} does the same as ${good}, so none of them can have changed the figure`);
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
  // Candidates that go there and back: the first of the bad ones is meant.
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

/** What of the way between the ends lies between two candidates, where that is not nearly all of it. */
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
  return `. It brings ${formatPercent(to - from)} of the difference between the ends: others bring the rest`;
}

const MOST_OF_IT = 0.75;

/** What a step has decided: on which side of the middle its candidate lies, or whether the ends differ. For people. */
export function answerWord(
  { relation, size }: Pick<BisectStep, 'relation' | 'size'>,
  answer: StepAnswer,
): string {
  if (relation === 'stays')
    return answer.word === 'higher' || answer.word === 'lower' ? 'differs' : answer.word;
  const share = Number(/[\d.]+/.exec(size)?.[0] ?? 0) / 100;
  return sideOf(answer, { relation, share }) ?? 'undecided';
}
