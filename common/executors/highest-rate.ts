/**
 * `highest-rate`: finds the highest rate that a target sustains (open loop). The search raises the rate step by step until the target
 * breaks a limit, such as a maximum latency. It then tries rates in between, and confirms the result with long steps (*holds*). See
 * docs/highest-rate.md.
 */
import * as z from 'zod';
import { flattenSettings, refreshMsOf } from '../elasticsearch/settings';
import { duration, LONGEST_LIST, wholeSeconds } from '../fields/schema';
import { METRIC_FORM, parseCondition, type Condition, type LanguageError } from '../measurement/condition';
import { PERCENTILES } from '../measurement/histogram';
import { LIMIT_FIGURE_NAMES } from '../measurement/metric';
import { durationMs, parseDuration } from '../units/duration';
import { defineExecutor, type Paced, type Surroundings } from './executor';
import { inFlightText, MOST_PER_SECOND, maxClients, maxClientsField, perSecondText } from './parts';

/**
 * Task name that is put before a limit to parse it. Limits contain no task name, because they always apply to the task with this executor.
 */
const OWN = 'own';
const FIGURES = LIMIT_FIGURE_NAMES.join(', ');

/**
 * Parses a limit such as `latency.p99 < 500ms`, which is about a metric of the task itself. Returns the reason if `text` is not a valid
 * limit.
 */
export function parseLimit(text: string): Condition | LanguageError {
  const limit = parseCondition(`${OWN}.${text.trim()}`);
  if ('message' in limit) {
    const message = limit.message.replace(`${OWN}.`, '');
    // The allowed values in the error do not include tasks and requests, because a limit cannot contain them.
    return { message, allowed: limit.allowed === METRIC_FORM ? FIGURES : limit.allowed };
  }
  const { metric, operator } = limit;
  if (metric.request !== undefined || !LIMIT_FIGURE_NAMES.includes(metric.figure)) {
    return { message: `${metric.figure} cannot be a limit`, allowed: FIGURES };
  }
  if (!operator.startsWith('<')) return { message: 'not an upper limit', allowed: '< or <=' };
  return { ...limit, text: text.trim() };
}

/**
 * Number of values above a percentile that a step of the search needs. One value is enough: a step only decides whether the percentile is
 * above or below its limit.
 */
export const JUDGED_BEYOND = 1;

/** Factor by which a step of the search is made longer than the required number of responses needs, because some responses may be lost. */
const SPARE = 1.2;

/** Probability that a step of the search has the wrong result if its rate is exactly at the limit. */
export const STEP_ALPHA = 0.05;
/**
 * Probability that a hold (a long step that confirms a rate) has the wrong result if its rate is exactly at the limit. It is smaller than
 * {@link STEP_ALPHA}, because no later test verifies the result of a hold.
 */
export const HOLD_ALPHA = 0.01;

/**
 * An undecided step is repeated with its duration multiplied by this number, but never longer than a hold (the long step that confirms a
 * rate).
 */
const LONGER = 4;

/**
 * Length of a hold (the long step that confirms a rate), in ms, below which a warning says that the search may miss rare events. Also the
 * maximum default length.
 */
export const FULL_HOLD_MS = 5 * 60_000;

/** Returns the share of requests that may be slower than a limit on this percentile. Null if `figure` is not a percentile. */
export function allowedShare(figure: string): number | null {
  const found = PERCENTILES.find(({ percentile }) => figure.endsWith(`.p${percentile}`));
  return found === undefined ? null : 1 - found.percentile / 100;
}

/**
 * Returns the length of a step of the search, in ms. It is `leastMs`, or longer if a percentile in the limits needs more responses. If the
 * rate is too high for the limits, a step of this length contains at least one slow request with a probability of 1 − `alpha` or more.
 */
export function judgedMs(
  leastMs: number,
  limits: readonly string[],
  perSecond: number,
  alpha: number,
): number {
  const needs = limits.map((text) => {
    const parsed = parseLimit(text);
    const share = 'message' in parsed ? null : allowedShare(parsed.metric.figure);
    return share === null ? 1 : Math.log(1 / alpha) / share;
  });
  return Math.max(leastMs, Math.ceil((Math.max(...needs) * SPARE) / perSecond) * 1000);
}

type Lengths = Pick<RateSearchJob, 'stepMs' | 'holdMs' | 'limits'>;

/**
 * Returns how often an undecided step can be repeated. Each repetition is up to four times as long as the one before, and the last one is
 * as long as a hold (the long step that confirms a rate).
 */
export const extensionsOf = ({ stepMs, holdMs }: Lengths): number =>
  holdMs <= stepMs ? 0 : Math.max(1, Math.floor(Math.log(holdMs / stepMs) / Math.log(LONGER)));

/**
 * Returns the length and the error probability of a step. `extension`: number of repetitions of the step so far, each longer than the one
 * before.
 */
export function stepTest(
  lengths: Lengths,
  perSecond: number,
  extension: number,
): { judgedMs: number; alpha: number } {
  const { stepMs, holdMs, limits } = lengths;
  const isLongest = extension >= extensionsOf(lengths);
  if (isLongest && extension > 0) return holdTest(lengths, perSecond, 0);
  const leastMs = Math.min(stepMs * LONGER ** extension, Math.max(stepMs, holdMs));
  return { judgedMs: judgedMs(leastMs, limits, perSecond, STEP_ALPHA), alpha: STEP_ALPHA };
}

/**
 * Returns the length and the error probability of a hold, a long step that confirms a rate. `failed`: number of earlier holds that did not
 * confirm their rates. Each of them halves the error probability, because every further hold is another chance for a wrong result.
 */
export const holdTest = (
  { holdMs, limits }: Lengths,
  perSecond: number,
  failed: number,
): { judgedMs: number; alpha: number } => ({
  judgedMs: judgedMs(holdMs, limits, perSecond, HOLD_ALPHA),
  alpha: HOLD_ALPHA / 2 ** failed,
});

const limit = z.string().superRefine((text, context) => {
  const parsed = parseLimit(text);
  if (!('message' in parsed)) return;
  context.addIssue({ code: 'custom', message: parsed.message, params: { allowed: parsed.allowed } });
});

/** Default of `max-clients`: the maximum number of requests in flight. */
const MOST_IN_FLIGHT = 256;

const length = () =>
  wholeSeconds().refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' });

const rate = () => z.number().positive().max(MOST_PER_SECOND);

const schema = z
  .strictObject({
    /** First rate of the search, in requests per second. For ingest tasks, a request is a bulk request. */
    start: rate(),
    /** Upper bounds (`<`, `<=`) on metrics of the task. The target sustains a rate if it meets all limits. */
    limits: z.array(limit).min(1).max(LONGEST_LIST),
    /** Factor by which each step increases the rate, until a rate does not meet the limits. */
    grow: z.number().min(1.05).max(10).default(1.5),
    /** Time after each change of the rate that does not count, until the target has adapted to the new rate. */
    settle: duration().default('5s'),
    /**
     * Minimum length of a step. A step is longer if a percentile in the limits needs more answers (360 for p99). An undecided step is
     * repeated with four times the length, up to the length of `hold`.
     */
    step: length().default('15s'),
    /**
     * Precision of the result: 0.05 is 5%. The search ends when the lowest rate that missed the limits is at most this much above the
     * highest rate that met them.
     */
    precision: z.number().min(0.005).max(1).default(0.05),
    /**
     * Length of the holds at the end of the search. They confirm the highest rate that met the limits, and the lowest rate that missed
     * them. A hold has at least three refresh intervals of the index. The default is 5m, or a quarter of `measure.duration` if that is
     * shorter. If the holds are shorter than 5m, the report flags the search as short.
     * @example 5m
     */
    hold: length().optional(),
    /** Maximum number of requests in flight. If it is reached, a due request waits, and its latency includes the wait. */
    'max-clients': maxClients(MOST_IN_FLIGHT),
    /**
     * Highest rate to try, in requests per second.
     * @example 5000
     */
    max: rate().optional(),
  })
  .superRefine(({ start, max }, context) => {
    if (max === undefined || max >= start) return;
    context.addIssue({
      code: 'custom',
      path: ['max'],
      input: max,
      message: 'is below `start`',
      params: { allowed: `at least ${start}` },
    });
  });

export type HighestRateDefinition = z.output<typeof schema>;

/** Minimum length of a hold, in refresh intervals of the index. A hold must include refreshes, and the merges that follow them. */
const HOLD_REFRESHES = 3;

/**
 * Default length of a hold (the long step that confirms a rate), as a share of the whole search. Two holds and the steps before them must
 * fit into the search.
 */
const HOLD_SHARE = 0.25;

/** Returns the default length of a hold: whole seconds, in ms. */
const usualHoldMs = ({ measure }: Surroundings): number => {
  const searchMs = parseDuration(measure?.duration ?? '') ?? Infinity;
  return Math.max(1000, Math.min(FULL_HOLD_MS, Math.floor((HOLD_SHARE * searchMs) / 1000) * 1000));
};

/** Returns the length of a hold, in ms: the length in the definition, but at least three refresh intervals of the index. */
export const holdMs = (definition: Surroundings, { hold }: HighestRateDefinition): number =>
  Math.max(
    parseDuration(hold ?? '') ?? usualHoldMs(definition),
    HOLD_REFRESHES * (refreshMsOf(flattenSettings(definition.index.settings)) ?? 0),
  );

/** Returns the length of the shortest possible search, in ms: one step, and the hold that confirms the rate of this step. */
function shortestMs(definition: Surroundings, search: HighestRateDefinition): number {
  const { settle, step, limits, start } = search;
  const lengths = { stepMs: parseDuration(step) ?? 0, holdMs: holdMs(definition, search), limits };
  return (
    2 * (parseDuration(settle) ?? 0) +
    stepTest(lengths, start, 0).judgedMs +
    holdTest(lengths, start, 0).judgedMs
  );
}

/** Data of a search for the highest rate that load threads need. Rates are in requests per second, for all load threads together. */
export interface RateSearchJob {
  start: number;
  /** Highest rate to try. Null without an upper limit. */
  max: number | null;
  grow: number;
  precision: number;
  settleMs: number;
  stepMs: number;
  holdMs: number;
  /** Limits as texts, as in the definition; see {@link parseLimit}. */
  limits: string[];
}

/** Parses the limits. Throws if a limit is invalid, which cannot happen after the validation by the schema. */
export const limitsOf = ({ limits }: Pick<RateSearchJob, 'limits'>): Condition[] =>
  limits.map((text) => {
    const parsed = parseLimit(text);
    if ('message' in parsed) throw new Error(`not a limit: ${text}`);
    return parsed;
  });

/**
 * Adds a validation problem for each reason why a search cannot work in this definition: it is too short for one step and a hold, it would
 * end after a number of documents, or another task searches at the same time.
 */
function fits(
  uses: readonly { at: number; given: HighestRateDefinition }[],
  definition: Paced,
  context: z.RefinementCtx,
): void {
  const { measure } = definition;
  const [first, ...others] = uses;
  if (first === undefined) return;
  if (measure.documents !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['measure', 'documents'],
      input: measure.documents,
      message: 'a search for the highest rate ends on its own',
      params: { allowed: 'measure.duration, as the time limit of the search' },
    });
  }
  const leastMs = shortestMs(definition, first.given);
  if (measure.duration !== undefined && (parseDuration(measure.duration) ?? 0) <= leastMs) {
    context.addIssue({
      code: 'custom',
      path: ['measure', 'duration'],
      input: measure.duration,
      message: 'too short for one step of the search at its start, and the hold',
      params: { allowed: `more than ${leastMs / 1000}s` },
    });
  }
  for (const { at, given } of others) {
    context.addIssue({
      code: 'custom',
      path: ['tasks', at, 'executor', 'highest-rate'],
      input: given,
      message: 'another task already searches for its highest rate; the two would disturb each other',
      params: { allowed: 'one such task' },
    });
  }
}

const SUGGESTED_LIMITS = [
  'rejection_rate < 0.1%',
  'error_rate < 0.1%',
  'latency.p99 < 500ms',
  'service_time.p99 < 500ms',
] as const;

/**
 * Returns the limit that the editor's form suggests next: the first suggestion about a metric that has no limit in `limits` yet. If every
 * suggested metric has a limit, returns the last suggestion.
 */
const nextLimit = (limits: readonly unknown[]): string =>
  SUGGESTED_LIMITS.find((one) => !limits.some((limit) => String(limit).startsWith(one.split(' ')[0]!))) ??
  SUGGESTED_LIMITS.at(-1)!;

export const highestRate = defineExecutor({
  name: 'highest-rate',
  schema,
  label: { id: 'dyno.editor.executor.highestRate', text: 'Highest sustained rate' },
  text: {
    id: 'dyno.editor.executor.highestRateText',
    text: 'Searches for the highest rate that meets your limits, and holds this rate to confirm it.',
  },
  first: { start: 10, limits: ['latency.p99 < 500ms', 'rejection_rate < 0.1%'] },
  form: [
    {
      kind: 'sentences',
      key: 'limits',
      keepsOne: true,
      label: { id: 'dyno.editor.search.limits', text: 'Limits' },
      help: {
        id: 'dyno.editor.search.limitsHelp',
        text: 'Dyno looks for the highest rate at which all limits hold, such as latency.p99 < 500ms.',
      },
      item: {
        name: { id: 'dyno.editor.search.limitNumber', text: 'Limit {number}' },
        remove: { id: 'dyno.editor.search.removeLimit', text: 'Remove limit {number}' },
      },
      adds: [{ text: { id: 'dyno.editor.search.addLimit', text: 'Add limit' }, item: nextLimit }],
    },
    [
      {
        kind: 'number',
        key: 'start',
        min: 0,
        step: 'any',
        label: { id: 'dyno.editor.search.start', text: 'Start, requests per second' },
      },
      {
        kind: 'number',
        key: 'max',
        min: 0,
        step: 'any',
        label: { id: 'dyno.editor.search.max', text: 'Maximum rate' },
      },
    ],
    [
      {
        kind: 'number',
        key: 'grow',
        min: 1.05,
        step: 'any',
        placeholder: '1.5',
        label: { id: 'dyno.editor.search.grow', text: 'Factor from step to step' },
      },
      {
        kind: 'number',
        key: 'precision',
        scale: 100,
        append: { id: 'dyno.editor.percent', text: '%' },
        step: 'any',
        placeholder: '5',
        label: { id: 'dyno.editor.search.precision', text: 'Precision' },
      },
    ],
    [
      {
        kind: 'text',
        key: 'settle',
        placeholder: '5s',
        label: { id: 'dyno.editor.search.settle', text: 'Settle time of each step' },
      },
      {
        kind: 'text',
        key: 'step',
        placeholder: '15s',
        label: { id: 'dyno.editor.search.step', text: 'Judged time of each step' },
      },
    ],
    [
      {
        kind: 'text',
        key: 'hold',
        placeholder: '5m',
        label: { id: 'dyno.editor.search.hold', text: 'Hold time of the rate found' },
        help: {
          id: 'dyno.editor.search.holdHelp',
          text: 'At least three refresh intervals. The report flags a search with holds below 5m as short.',
        },
      },
      maxClientsField(MOST_IN_FLIGHT),
    ],
  ],
  vary: { key: 'max-clients', title: 'Most clients', levels: [64, 256, 1000] },
  fits,
  // The usual five minutes are too short for a search.
  usualDuration: '60m',
  // The search does not run during the burn-in (unmeasured load before the first trial), which uses the first rate of the search.
  burnIn: ({ start, 'max-clients': most }) => ({ 'constant-rate': { rate: start, 'max-clients': most } }),
  sentence: ({ start, limits, 'max-clients': most }) =>
    `a search for the highest rate within ${limits.join(' and ')}, from ${perSecondText(start)} on, ${inFlightText(most)}`,
  assumption: 'that each search for the highest rate takes its longest time (measure.duration)',
  mostPerSecond: ({ max }) => max ?? Infinity,
  // The search varies the rate on purpose.
  settles: false,
  provokesRejections: true,
  loop: 'stepped',
  job: (given, surroundings) => ({
    search: {
      start: given.start,
      max: given.max ?? null,
      grow: given.grow,
      precision: given.precision,
      settleMs: durationMs(given.settle),
      stepMs: durationMs(given.step),
      holdMs: holdMs(surroundings, given),
      limits: given.limits,
    } as RateSearchJob,
    maxClients: given['max-clients'],
  }),
  mostClients: (job) => job.maxClients,
  drive: ({ search }) => ({ limits: limitsOf(search) }),
});
