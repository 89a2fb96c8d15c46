/** The executor that looks for the highest rate that a target sustains: its schema, its limits and its times. */
import { z } from 'zod';
import { PERCENTILES } from '../measurement/histogram';
import { parseDuration } from '../units/duration';
import { METRIC_FORM, parseCondition, type Condition, type LanguageError } from '../measurement/condition';
import { count, duration, wholeSeconds } from '../fields/schema';
import { LIMIT_FIGURE_NAMES } from '../measurement/metric';
import { flattenSettings } from './path';

/** The parts of a definition that a search looks at. */
interface Indexed {
  index: { settings: Record<string, unknown> };
}
interface Paced {
  executor: { 'highest-rate'?: unknown };
}

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
    return { message: `no limit is set by ${metric.figure}`, allowed: FIGURES };
  }
  if (!operator.startsWith('<')) return { message: 'not an upper limit', allowed: '< or <=' };
  return { ...limit, text: text.trim() };
}

/** A judged time is made this much longer than the answers behind a percentile ask for: some may be lost. */
const SPARE = 1.2;

/** How long a rate is judged, ms: `leastMs`, or longer where a percentile of the limits needs more answers. */
export function judgedMs(leastMs: number, limits: readonly string[], perSecond: number): number {
  const needs = limits.map((text) => {
    const parsed = parseLimit(text);
    const figure = 'message' in parsed ? '' : parsed.metric.figure;
    return PERCENTILES.find(({ percentile }) => figure.endsWith(`.p${percentile}`))?.needs ?? 1;
  });
  return Math.max(leastMs, Math.ceil((Math.max(...needs) * SPARE) / perSecond) * 1000);
}

const limit = z.string().superRefine((text, context) => {
  const parsed = parseLimit(text);
  if (!('message' in parsed)) return;
  context.addIssue({ code: 'custom', message: parsed.message, params: { allowed: parsed.allowed } });
});

const length = () =>
  wholeSeconds().refine((text) => (parseDuration(text) ?? 0) > 0, { error: 'at least 1s' });

const rate = () => z.number().positive().max(1_000_000);

/** Requests per second (open loop), higher from step to step until a limit is broken; see README, "Search for the most". */
export const highestRateSchema = z
  .strictObject({
    start: rate(),
    /** Conditions on the task's own figures that a sustained rate keeps. */
    limits: z.array(limit).min(1),
    /** From one growing step to the next. */
    grow: z.number().min(1.05).max(10).default(1.5),
    /** How long a rate is offered before it is judged. */
    settle: duration().default('5s'),
    /** How long it is judged, or longer where a percentile needs more answers. */
    step: length().default('15s'),
    /** Bisection ends when the lowest rate that was not held is this much above the highest that was, as a share. */
    precision: z.number().min(0.005).max(1).default(0.05),
    /** How long the rate that was found is held to confirm it; {@link holdMs} may make it longer. */
    hold: length().default('60s'),
    /** Most requests in flight. */
    'max-clients': count().max(10_000).default(256),
    /** No rate above this is tried. */
    max: rate().optional(),
  })
  .superRefine(({ start, max }, context) => {
    if (max === undefined || max >= start) return;
    context.addIssue({
      code: 'custom',
      path: ['max'],
      input: max,
      message: 'is below the start',
      params: { allowed: `at least ${start}` },
    });
  });

export type HighestRateDefinition = z.output<typeof highestRateSchema>;

/** A hold must see refreshes, and the merges that follow them, not only what comes between two. */
const HOLD_REFRESHES = 3;
/** Elasticsearch's own default, ms. */
const REFRESH_MS = 1000;

/** Time between two refreshes of the trial's indices, ms; null where they are not refreshed. */
export function refreshMs({ index }: Indexed): number | null {
  const written = flattenSettings(index.settings)['refresh_interval'];
  if (written === undefined || written === null) return REFRESH_MS;
  const text = typeof written === 'string' ? written : JSON.stringify(written);
  return Number(text) < 0 ? null : (parseDuration(text) ?? REFRESH_MS);
}

/** How long the rate is held, ms: as asked for, and at least three refreshes of the index. */
export const holdMs = (definition: Indexed, { hold }: HighestRateDefinition): number =>
  Math.max(parseDuration(hold) ?? 0, HOLD_REFRESHES * (refreshMs(definition) ?? 0));

export const searchesRate = ({ executor }: Paced): boolean => executor['highest-rate'] !== undefined;

/** Upper bound of a search where none is given. */
export const SEARCH_TIME = '15m';

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A definition as written, with the time that a search may take where it says none: the usual five minutes end too early. */
export function withSearchTime(input: unknown): unknown {
  if (!isObject(input) || !Array.isArray(input['tasks'])) return input;
  const measure = input['measure'] ?? {};
  const searches = (input['tasks'] as unknown[]).some(
    (task) => isObject(task) && isObject(task['executor']) && task['executor']['highest-rate'] !== undefined,
  );
  if (!searches || !isObject(measure)) return input;
  if (measure['duration'] !== undefined || measure['documents'] !== undefined) return input;
  return { ...input, measure: { ...measure, duration: SEARCH_TIME } };
}

/** The shortest search: one step, and the hold that confirms it; ms. */
function shortestMs(definition: Indexed, search: HighestRateDefinition): number {
  const { settle, step, limits, start } = search;
  const judged = (leastMs: number): number => judgedMs(leastMs, limits, start);
  return (
    2 * (parseDuration(settle) ?? 0) + judged(parseDuration(step) ?? 0) + judged(holdMs(definition, search))
  );
}

interface Searching extends Indexed {
  tasks: readonly { executor: { 'highest-rate'?: HighestRateDefinition } }[];
  measure: { documents?: number; duration?: string };
}

/** What a search asks of the rest of its definition. */
export function searchFits(definition: Searching, context: z.RefinementCtx): void {
  const { tasks, measure } = definition;
  const searches = tasks.flatMap((task, at) => (searchesRate(task) ? [at] : []));
  if (searches.length === 0) return;
  if (measure.documents !== undefined) {
    context.addIssue({
      code: 'custom',
      path: ['measure', 'documents'],
      input: measure.documents,
      message: 'a search for the highest rate ends by itself',
      params: { allowed: 'measure.duration, which it may take at most' },
    });
  }
  const leastMs = shortestMs(definition, tasks[searches[0]!]!.executor['highest-rate']!);
  if (measure.duration !== undefined && (parseDuration(measure.duration) ?? 0) <= leastMs) {
    context.addIssue({
      code: 'custom',
      path: ['measure', 'duration'],
      input: measure.duration,
      message: 'too short for one step of the search at its start, and the hold',
      params: { allowed: `more than ${leastMs / 1000}s` },
    });
  }
  for (const at of searches.slice(1)) {
    context.addIssue({
      code: 'custom',
      path: ['tasks', at, 'executor', 'highest-rate'],
      input: tasks[at]!.executor['highest-rate'],
      message: 'another task searches for its highest rate: each would disturb the other',
      params: { allowed: 'one such task' },
    });
  }
}

/** The task as it is where nothing is searched for yet: at the first rate of its search. */
export function atItsStart<T extends { executor: ExecutorLike }>(task: T): T {
  const search = task.executor['highest-rate'];
  if (search === undefined) return task;
  const { start: rate, 'max-clients': most } = search;
  return { ...task, executor: { 'constant-rate': { rate, 'max-clients': most } } };
}

interface ExecutorLike {
  'highest-rate'?: HighestRateDefinition;
  'constant-rate'?: { rate?: number; every?: string; 'max-clients': number };
}
