/**
 * Builds the content of the first screen of a result (the *glance*). It is a pure function, so all pages and pictures show the same
 * content.
 */
import { nextExperiment } from '../tuning/next-experiment';
import { focusOf } from '../analysis/focus';
import type { Trust, TrustLevel } from '../analysis/trust';
import { levelTexts } from '../experiment/cells';
import { levelAlone } from '../experiment/level-words';
import { answerOf, FINAL_STATES, type ClaimAnswer, type RunState, type Verdict } from '../experiment/run';
import { ERRORS, orWords, sumOf } from '../measurement/outcomes';
import { addAnswers, alikeShare, noAnswers } from '../measurement/same-answers';
import { formatMs, formatNumber, formatPercent, plural, sentenceCase } from '../units/format';
import { focusValue } from './chart/focus';
import { effectWords } from './model/effect-words';
import { answerAndRest } from './model/facts';
import type { Report, ReportCell, ReportTask } from './model/report';
import { limitName } from './tables/limit';
import { formatAlike } from './tables/same-answers';
import { timeName } from './tables/wording';

/**
 * State in the badge. It is the verdict on the first claim (`confirmed`, `refuted`, ...), or the state of a run that has no verdict yet.
 */
export type GlanceState = Verdict['answer'] | Exclude<RunState, 'completed'> | 'no-trials';

export interface GlanceEffect {
  /**
   * The large number: an effect such as `4.3×` or `+23%`. If the run has only one combination of factor levels, it is the value of its
   * metric, such as `11,533 docs/s`.
   */
  value: string;
  /** Words next to the large number, such as `higher ingest throughput`. */
  of: string;
  /** Text with the interval of the number, such as `95% interval 2.1× to 8.7×`, or the reason why it has no interval. */
  interval: string;
  /** Whether the interval excludes "no change" and the result can be trusted. */
  isClear: boolean;
}

export interface GlanceFact {
  id: 'latency' | 'losses' | 'limit' | 'notes' | 'next';
  value: string;
  label: string;
  tone?: 'bad';
}

/**
 * Next step for the user:
 *
 * - `watch`: open the page of the run, to follow it or to read its events.
 * - `again`: run the experiment again.
 * - `edit`: change the experiment.
 * - `experiment`: open a proposed experiment in the editor. `cell`: index of the cell that it continues.
 */
export type GlanceStep = { kind: 'watch' | 'again' | 'edit' } | { kind: 'experiment'; cell: number };

export interface Glance {
  state: GlanceState;
  /** Progress, such as `6 of 9 trials so far`; '' for a run that completed all of its trials. */
  progress: string;
  effect: GlanceEffect | null;
  /** The claim to which the state in the badge belongs, as written in the definition; '' without claims. */
  claim: string;
  /** The verdict as a sentence with numbers. The sentence does not repeat the word in the badge. */
  sentence: string;
  trust: Trust | null;
  facts: GlanceFact[];
  step: GlanceStep;
  /** All claims. The claim in the badge comes first. Empty if there are fewer than two claims. */
  claims: Verdict['claims'];
  /** Summary of the other claims, such as `5 other claims: 1 refuted, 4 confirmed; overall refuted`. '' for fewer than two claims. */
  others: string;
}

/** Meaning that a colour expresses. The text or an icon always expresses it too. */
export type Meaning = 'good' | 'bad' | 'warning' | 'plain';

const MEANINGS: Partial<Record<GlanceState, Meaning>> = {
  confirmed: 'good',
  refuted: 'bad',
  failed: 'bad',
  interrupted: 'warning',
};

/** Returns the meaning of the badge's colour. A verdict that cannot be trusted is neither good nor bad. */
export const meaningOfState = (state: GlanceState, trust?: TrustLevel): Meaning =>
  (trust === 'none' ? undefined : MEANINGS[state]) ?? 'plain';

export const meaningOfTrust = (level: TrustLevel): Meaning =>
  ({ high: 'good', limited: 'warning', none: 'bad' } as const)[level];

/** Text of the badge. */
export const stateWords = (state: GlanceState): string =>
  ({
    confirmed: 'Confirmed',
    refuted: 'Refuted',
    undecided: 'Undecided',
    'no-claim': 'No claim',
    queued: 'Queued',
    running: 'Running',
    waiting: 'Waiting for you',
    failed: 'Failed',
    cancelled: 'Cancelled',
    interrupted: 'Interrupted',
    'no-trials': 'No result',
  })[state];

export function glanceOf(report: Report): Glance {
  const { run, verdict, trust } = report;
  const hasTrials = run.trials.completed > 0;
  const first = focusOf(report.definition).claim?.text;
  const own = verdict.claims.find(({ claim }) => claim.trim() === first);
  const answer = own?.answer ?? answerOf(verdict);
  const state: GlanceState = hasTrials ? answer : run.state === 'completed' ? 'no-trials' : run.state;
  const next = nextOf(report, answer, own?.why ?? '');
  const claims =
    verdict.claims.length < 2 || own === undefined
      ? []
      : [own, ...verdict.claims.filter((claim) => claim !== own)];
  return {
    state,
    progress: hasTrials ? progressOf(report) : '',
    effect: hasTrials ? effectOf(report) : null,
    claim: own?.claim.trim() ?? '',
    sentence: hasTrials ? sentenceOf(report, own) : withoutTrials(report),
    trust: hasTrials ? trust : null,
    facts: hasTrials
      ? [latencyFact(report), lossesFact(report), limitFact(report), notesFact(report), next.fact]
      : [next.fact],
    step: next.step,
    claims,
    others: othersOf(claims.slice(1), answer, verdict),
  };
}

function progressOf({ run: { state, trials } }: Report): string {
  const share = `${trials.completed} of ${plural(trials.planned, 'trial')}`;
  if (!FINAL_STATES.includes(state)) return `${share} so far`;
  if (state !== 'completed') return `${state} after ${share}`;
  return trials.failed === 0 ? '' : `${trials.failed} of ${plural(trials.planned, 'trial')} failed`;
}

/** Returns the reasons for the verdict as a sentence. The verdict itself is not in the sentence, because the badge shows it. */
function sentenceOf(report: Report, own: Verdict['claims'][number] | undefined): string {
  const { claims, answer, sentence } = report.verdict;
  // With several claims, the sentence of the verdict is about the first claim that decided the verdict, and not about the claim in the
  // badge.
  if (own !== undefined && claims.find((claim) => claim.answer === answer) !== own)
    return asSentence(own.why);
  if (claims.length > 1) return asSentence(sentence.replace(/^[^:]*: /, ''));
  const rest = answerAndRest(report)[1];
  return rest.startsWith(': ') ? asSentence(rest.slice(2)) : sentence;
}

/**
 * Returns a text with a capital letter at the beginning and a full stop at the end. A text that begins with a percentile such as p99 keeps
 * its small letter.
 */
const asSentence = (text: string): string =>
  `${/^p\d/.test(text) ? text : sentenceCase(text)}${text.endsWith('.') ? '' : '.'}`;

function withoutTrials({ run: { state, reason } }: Report): string {
  const why = reason === '' ? '' : ` ${asSentence(reason)}`;
  return FINAL_STATES.includes(state)
    ? `No trial completed, so there is no result.${why}`
    : `No trial has completed yet.${why}`;
}

const ANSWERS: readonly ClaimAnswer[] = ['refuted', 'undecided', 'confirmed'];

function othersOf(others: Verdict['claims'], shown: Verdict['answer'], verdict: Verdict): string {
  if (others.length === 0) return '';
  const counted = ANSWERS.flatMap((answer) => {
    const count = others.filter((claim) => claim.answer === answer).length;
    return count === 0 ? [] : [`${count} ${answer}`];
  });
  const overall = answerOf(verdict);
  // Lists of runs show the overall answer. If it differs from the answer in the badge, this text mentions it.
  const all = overall === shown ? '' : `; overall ${overall}`;
  return `${plural(others.length, 'other claim')}: ${counted.join(', ')}${all}`;
}

const UNKNOWN = { value: '–', isClear: false };

function effectOf(report: Report): GlanceEffect | null {
  const { effect } = report;
  const { cells, title, reason } = report.focus;
  const value = focusValue(report);
  if (effect === null) {
    const only = cells[report.baseline];
    if (only == null) return reason === '' ? null : { ...UNKNOWN, of: title, interval: sentenceCase(reason) };
    const { mean, interval, n } = only.summary;
    return {
      value: value(mean),
      of: title,
      interval:
        interval === null
          ? `No interval: ${plural(n, 'trial')}`
          : `95% interval ${joinedBy(' to ', [value(interval.low), value(interval.high)])}`,
      isClear: true,
    };
  }
  if (effect.ratio === null) {
    const [from, to] = [effect.from, effect.to].map((at) => cells[at]?.summary.mean ?? null);
    if (from === null && to === null)
      return { ...UNKNOWN, of: title, interval: noInterval(reason || effect.reason) };
    return {
      value: between([value(from!), value(to!)]),
      of: title,
      interval: noInterval(effect.reason),
      isClear: effect.word === 'higher' || effect.word === 'lower',
    };
  }
  const words = effectWords(effect.ratio, effect.interval);
  return {
    value: words.value,
    of: [words.direction, title, effect.held && `with ${effect.held}`].filter(Boolean).join(' '),
    interval: words.interval === '' ? noInterval(effect.reason) : `95% interval ${words.interval}`,
    isClear:
      report.trust?.level !== 'none' &&
      effect.interval !== null &&
      (effect.interval.low > 1 || effect.interval.high < 1),
  };
}

/**
 * Returns a text that says why a result has no interval. If `reason` contains several reasons, separated by semicolons, only the first is
 * used.
 */
const noInterval = (reason: string): string =>
  reason === '' ? 'No interval' : `No interval: ${reason.split(/; |: /)[0]!}`;

/** Returns the two combinations of factor levels that the effect compares. If there is no effect, returns only the baseline. */
function compared({ effect, baseline, cells }: Report): ReportCell[] {
  return (effect === null ? [baseline] : [effect.from, effect.to]).map((at) => cells[at]!);
}

const taskIn = ({ tasks }: ReportCell, name: string): ReportTask | undefined =>
  tasks.find(({ task }) => task === name);

const ARROW = ' → ';

/**
 * Joins two values with `separator`. Their common unit is written only once: `2.5 → 93 ms`. Returns the first value if there is no second
 * one.
 */
function joinedBy(separator: string, texts: readonly string[]): string {
  const [from, to] = texts;
  if (from === undefined || to === undefined) return from ?? '–';
  const unit = / \S+$/.exec(to)?.[0] ?? '';
  const start = unit !== '' && from.endsWith(unit) ? from.slice(0, -unit.length) : from;
  return `${start}${separator}${to}`;
}

const between = (texts: readonly string[]): string => joinedBy(ARROW, texts);

const PERCENTILES = ['p99', 'p95', 'p50'] as const;

/** Returns the compared levels of the effect's factor, such as `, 10 → 1,000`, for the end of a label. Returns '' if there is no effect. */
function levelsText(report: Report): string {
  if (report.effect === null) return '';
  const { factor } = report.effect;
  const text = levelTexts(report.definition);
  const levels = compared(report).map((cell) =>
    factor !== null && factor in cell.levels ? levelAlone(factor, cell.levels[factor], text) : cell.label,
  );
  return `, ${levels.join(ARROW)}`;
}

/**
 * Returns the latency as a second fact about the result, because a higher throughput may have increased it. If the claim is about a time,
 * returns the throughput instead.
 */
function latencyFact(report: Report): GlanceFact {
  const { task, unit } = report.focus;
  const own = compared(report).flatMap((cell) => taskIn(cell, task) ?? []);
  if (own.length === 0) return { id: 'latency', value: '–', label: `no response times of ${task}` };
  if (unit === 'ms') {
    const rates = own.map(({ throughput }) => formatNumber(throughput.mean));
    return { id: 'latency', value: between(rates), label: `${own[0]!.unit} of ${task}${levelsText(report)}` };
  }
  const key = PERCENTILES.find((name) => own.every(({ latency }) => latency[name] !== null));
  return {
    id: 'latency',
    value: key === undefined ? '–' : between(own.map(({ latency }) => formatMs(latency[key]))),
    label:
      key === undefined
        ? `too few requests of ${task} for a percentile`
        : `${timeName(own[0]!)} ${key} of ${task}${levelsText(report)}`,
  };
}

/** Returns a fact about losses: how many documents and requests were rejected or failed in the measured phases. */
function lossesFact({ cells }: Report): GlanceFact {
  const counts = cells.flatMap(({ tasks }) => tasks.map((own) => own.counts));
  const attempted = counts.reduce((sum, own) => sum + own.attempted, 0);
  const usual = ERRORS.filter(({ isRare }) => !isRare);
  const lost = counts.reduce((sum, own) => sum + sumOf(ERRORS, own), 0);
  if (attempted === 0) return { id: 'losses', value: '–', label: 'nothing was sent' };
  const alike = alikeText(cells);
  if (lost === 0) return { id: 'losses', value: '0%', label: `${orWords(usual)}${alike}` };
  const parts = ERRORS.flatMap((outcome) => {
    const count = counts.reduce((sum, own) => sum + sumOf([outcome], own), 0);
    return count === 0 ? [] : [`${formatNumber(count)} ${outcome.label.text}`];
  });
  return {
    id: 'losses',
    value: formatPercent(lost / attempted),
    label: `${parts.join(', ')}, of ${formatNumber(attempted)} documents and requests${alike}`,
    tone: 'bad',
  };
}

/**
 * Returns the share of replayed responses that agree with the recorded responses, over all combinations of factor levels, for the end of a
 * sentence. Returns '' if no responses were compared.
 */
function alikeText(cells: Report['cells']): string {
  const answers = cells.flatMap(({ tasks }) => tasks.flatMap((own) => own.answers ?? []));
  const share = alikeShare(answers.reduce(addAnswers, noAnswers()));
  return share === null ? '' : `; ${formatAlike(share)} answered alike`;
}

function limitFact(report: Report): GlanceFact {
  const last = compared(report).at(-1)!;
  const { limit } = last;
  if (limit === null) return { id: 'limit', value: 'Unknown', label: 'limit: no trial was judged' };
  return {
    id: 'limit',
    value: limit.name === 'none found' ? 'No bottleneck' : sentenceCase(limitName(limit.name)),
    label: limit.name === 'none found' ? 'no resource was at its limit' : `limit: ${limit.why}`,
  };
}

function notesFact({ trust, notes }: Report): GlanceFact {
  const all = (trust?.reasons.length ?? 0) + notes.length;
  return {
    id: 'notes',
    value: all === 0 ? 'No notes' : plural(all, 'note'),
    label: all === 0 ? 'nothing else to know about the results' : 'read before you quote the results',
  };
}

const QUIET: { value: string; label: string; step: GlanceStep } = {
  value: 'quiet machine',
  label: 'run again without other work on the machine',
  step: { kind: 'again' },
};

/** Advice for a result that is not fully reliable. The key is the cause. */
const REMEDIES: Readonly<Record<string, { value: string; label: string; step: GlanceStep }>> = {
  'machine-shared': QUIET,
  'nodes-shared': QUIET,
  'generator-limited': {
    value: 'more load',
    label: 'run again with more load threads, or from several machines',
    step: { kind: 'edit' },
  },
  saturated: {
    value: 'a lower rate',
    label: 'the cluster missed the offered rate, so latencies include a queue',
    step: { kind: 'edit' },
  },
  'few-trials': { value: 'more trials', label: 'three of each cell, at least', step: { kind: 'edit' } },
  unsettled: { value: 'a longer warm-up', label: 'the throughput had not settled', step: { kind: 'edit' } },
  'too-short': { value: 'longer trials', label: 'these were too short to settle', step: { kind: 'edit' } },
  sequential: {
    value: 'interleaved trials',
    label: 'a drift of the cluster looks like a difference now',
    step: { kind: 'edit' },
  },
};

const next = (value: string): string => `Next: ${value}`;

/**
 * Returns the next step for the user. Steps that make the result more reliable come first. Then come steps that help to answer an undecided
 * claim, and then further experiments.
 */
function nextOf(
  report: Report,
  answer: Verdict['answer'],
  why: string,
): { fact: GlanceFact; step: GlanceStep } {
  const found = (value: string, label: string, step: GlanceStep): { fact: GlanceFact; step: GlanceStep } => ({
    fact: { id: 'next', value: next(value), label },
    step,
  });
  const { run, effect, trust } = report;
  const left = run.trials.planned - run.trials.completed;
  if (!FINAL_STATES.includes(run.state))
    return found('wait', `${plural(left, 'trial')} to go`, { kind: 'watch' });
  if (run.trials.completed === 0)
    return found('find out why', 'see the event log of the run', { kind: 'watch' });
  const remedy = trust?.reasons.flatMap(({ cause }) => REMEDIES[cause] ?? [])[0];
  if (remedy !== undefined) return found(remedy.value, remedy.label, remedy.step);
  if (answer === 'undecided') {
    const needed = /about [\d,]+ trials per cell/.exec(why)?.[0];
    return found('more trials', needed ?? 'of each cell, or longer ones', {
      kind: 'edit',
    });
  }
  const cell = effect?.to ?? report.baseline;
  const proposed = nextExperiment(report.definition, report.cells[cell]!, report.provenance);
  if (proposed === null) return found('vary something', 'change the experiment', { kind: 'edit' });
  // With several proposals, the button uses the first one, and its label mentions all of them.
  const short = proposed.short.split(/, (?:or|and) /)[0]!;
  return found(
    short,
    proposed.text,
    proposed.factor === null ? { kind: 'edit' } : { kind: 'experiment', cell },
  );
}
