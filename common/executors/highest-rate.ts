/**
 * `highest-rate`: requests per second (open loop), higher from step to step until a limit is broken, then narrowed down and
 * held: the highest rate that a target sustains. See README, "Search for the most".
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

/** A limit speaks of its own task: the name that it is read under. */
const OWN = 'own';
const FIGURES = LIMIT_FIGURE_NAMES.join(', ');

/** `latency.p99 < 500ms`, a figure of the task itself, or why `text` is none. */
export function parseLimit(text: string): Condition | LanguageError {
  const limit = parseCondition(`${OWN}.${text.trim()}`);
  if ('message' in limit) {
    const message = limit.message.replace(`${OWN}.`, '');
    // Which task and request it could be of is no question here.
    return { message, allowed: limit.allowed === METRIC_FORM ? FIGURES : limit.allowed };
  }
  const { metric, operator } = limit;
  if (metric.request !== undefined || !LIMIT_FIGURE_NAMES.includes(metric.figure)) {
    return { message: `${metric.figure} cannot be a limit`, allowed: FIGURES };
  }
  if (!operator.startsWith('<')) return { message: 'not an upper limit', allowed: '< or <=' };
  return { ...limit, text: text.trim() };
}

/** A step need only say on which side of its limit a percentile is, which takes fewer values beyond it than to show it. */
export const JUDGED_BEYOND = 1;

/** A judged time is made this much longer than the answers behind a percentile ask for: some may be lost. */
const SPARE = 1.2;

/**
 * Chance of a wrong *held*, and of a wrong *not held*, of a step at a rate that meets its limit exactly. A hold of either end of
 * the bracket is stricter, for steps are checked by holds and holds by nothing.
 */
export const STEP_ALPHA = 0.05;
export const HOLD_ALPHA = 0.01;

/** A step that decides nothing is made so many times as long, until it is as long as a hold. */
const LONGER = 4;

/** Holds below this length are of a short search, which says so: it saw few of what happens seldom. */
export const FULL_HOLD_MS = 5 * 60_000;

/** Share of the requests that may be slower than a limit on the percentile that `figure` ends with; null where it is none. */
export function allowedShare(figure: string): number | null {
  const found = PERCENTILES.find(({ percentile }) => figure.endsWith(`.p${percentile}`));
  return found === undefined ? null : 1 - found.percentile / 100;
}

/**
 * How long a rate is judged, ms: `leastMs`, or longer where a percentile of the limits needs more answers. Even where none is
 * slower than the limit, that must be rarer than `alpha` by chance.
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

/** How often a step may be made longer; the last time it is made as long as a hold, which is four times as long or more. */
export const extensionsOf = ({ stepMs, holdMs }: Lengths): number =>
  holdMs <= stepMs ? 0 : Math.max(1, Math.floor(Math.log(holdMs / stepMs) / Math.log(LONGER)));

/** How long a step at a rate is judged, ms, and how strictly; `extension`: how often it was made longer. */
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

/** The same of a hold, of which `failed` before it did not go as they should. */
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

/** Most requests in flight unless a definition says otherwise. */
const MOST_IN_FLIGHT = 256;

const length = () =>
  wholeSeconds().refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' });

const rate = () => z.number().positive().max(MOST_PER_SECOND);

const schema = z
  .strictObject({
    /** The first rate that is tried, in requests (bulks) per second. */
    start: rate(),
    /** Upper bounds (`<`, `<=`) on the task's own figures that a sustained rate keeps. */
    limits: z.array(limit).min(1).max(LONGEST_LIST),
    /** The factor from step to step, until a rate is not held. */
    grow: z.number().min(1.05).max(10).default(1.5),
    /** How long a rate is offered before it is judged. */
    settle: duration().default('5s'),
    /**
     * How long a rate is judged at first: longer where a percentile needs more answers (p99 360), and four times as long again,
     * up to `hold`, while it cannot be told whether the rate is held.
     */
    step: length().default('15s'),
    /** Bisection ends when the lowest rate that was not held is at most this much above the highest that was: 0.05 is 5%. */
    precision: z.number().min(0.005).max(1).default(0.05),
    /**
     * How long each end of the bracket is held to confirm it: at least three refresh intervals of the index. Unless given 5m, or
     * a quarter of `measure.duration` where that is less. A search with holds below 5m is a short one, and says so.
     * @example 5m
     */
    hold: length().optional(),
    /** Most requests in flight; what is due beyond them waits, and its waiting counts as latency. */
    'max-clients': maxClients(MOST_IN_FLIGHT),
    /**
     * No rate above this one is tried, in requests per second.
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

/** A hold must see refreshes, and the merges that follow them, not only what comes between two. */
const HOLD_REFRESHES = 3;

/** Of the time of a search that says nothing of its holds: two of them, and the steps before them, have to fit in. */
const HOLD_SHARE = 0.25;

/** How long a rate is held unless a definition says so, whole seconds in ms. */
const usualHoldMs = ({ measure }: Surroundings): number => {
  const searchMs = parseDuration(measure?.duration ?? '') ?? Infinity;
  return Math.max(1000, Math.min(FULL_HOLD_MS, Math.floor((HOLD_SHARE * searchMs) / 1000) * 1000));
};

/** How long the rate is held, ms: as asked for, and at least three refreshes of the index. */
export const holdMs = (definition: Surroundings, { hold }: HighestRateDefinition): number =>
  Math.max(
    parseDuration(hold ?? '') ?? usualHoldMs(definition),
    HOLD_REFRESHES * (refreshMsOf(flattenSettings(definition.index.settings)) ?? 0),
  );

/** The shortest search: one step, and the hold that confirms it; ms. */
function shortestMs(definition: Surroundings, search: HighestRateDefinition): number {
  const { settle, step, limits, start } = search;
  const lengths = { stepMs: parseDuration(step) ?? 0, holdMs: holdMs(definition, search), limits };
  return (
    2 * (parseDuration(settle) ?? 0) +
    stepTest(lengths, start, 0).judgedMs +
    holdTest(lengths, start, 0).judgedMs
  );
}

/** How the highest rate is looked for; rates are requests per second over all shares. */
export interface RateSearchJob {
  start: number;
  /** Null for no upper end. */
  max: number | null;
  grow: number;
  precision: number;
  settleMs: number;
  stepMs: number;
  holdMs: number;
  /** As written; see {@link parseLimit}. */
  limits: string[];
}

/** Its limits, which a definition's schema has read before; throws where that is not so. */
export const limitsOf = ({ limits }: Pick<RateSearchJob, 'limits'>): Condition[] =>
  limits.map((text) => {
    const parsed = parseLimit(text);
    if ('message' in parsed) throw new Error(`not a limit: ${text}`);
    return parsed;
  });

/** A search takes time, is alone, and ends by itself. */
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
      params: { allowed: 'measure.duration, which it may take at most' },
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

/** Returns the first suggested limit whose metric `limits` do not use yet, or else the last one. */
const nextLimit = (limits: readonly unknown[]): string =>
  SUGGESTED_LIMITS.find((one) => !limits.some((limit) => String(limit).startsWith(one.split(' ')[0]!))) ??
  SUGGESTED_LIMITS.at(-1)!;

export const highestRate = defineExecutor({
  name: 'highest-rate',
  schema,
  label: { id: 'dyno.editor.executor.highestRate', text: 'Highest sustained rate' },
  text: {
    id: 'dyno.editor.executor.highestRateText',
    text: 'Searches for the highest rate within limits that you set, and holds it to confirm it.',
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
          text: 'At least three refresh intervals. Below 5m the search is a short one, and says so.',
        },
      },
      maxClientsField(MOST_IN_FLIGHT),
    ],
  ],
  vary: { key: 'max-clients', title: 'Most clients', levels: [64, 256, 1000] },
  fits,
  // The usual five minutes end too early.
  usualDuration: '60m',
  // Nothing is searched for yet: at its first rate.
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
