/** The requests of tasks: the schema for them in definitions, and the data that load threads need to send them. */
import { parsePlain } from '../json/exact';
import * as z from 'zod';
import type { Engine } from '../elasticsearch/engine';
import { isSeveral } from '../elasticsearch/existing-names';
import { duration, exactlyOne, keysAtMost } from '../fields/schema';
import { requestKey } from '../measurement/metric';
import { answersIn, parameterDrawers, parameterProblems, type Parameters } from '../parameters/registry';
import { messageOf, showValue, type Problem } from '../problem';
import { EXPECTATION_FORM, readExpectation, type Expectation } from '../requests/expectation';
import type { AnswerFailure, Method, Outgoing, QueryParams, Step } from '../requests/kind';
import { paramsSchema } from '../requests/parts';
import type { RecallAsked, RecallJob } from '../requests/recall';
import { REQUEST_KINDS, requestKind, type RequestKind } from '../requests/registry';
import {
  chained,
  drawnText,
  filled,
  jsonTemplate,
  ndjsonTemplate,
  parametersOf,
  pathTemplate,
  queryTemplate,
  TemplateError,
  textTemplate,
  type Template,
} from '../requests/template';
import type { Surroundings } from './kind';
import { requestsOfSet, type RequestSetName } from './request-sets';
import { dateRange, withinRange, type Window } from './window';

const expectations = z
  .array(
    z
      .string({ error: EXPECTATION_FORM })
      .refine((text) => readExpectation(text) !== undefined, { error: EXPECTATION_FORM }),
  )
  .max(20)
  .optional();

const PATH_FORM = 'keys and positions separated by dots, such as hits.total.value or values.length';

/** Schema of `figures`: numbers in the response that become metrics. Keys are names of metrics, values are paths in the response. */
const figures = keysAtMost(
  z.string().refine((path) => path !== '' && !path.split('.').includes(''), { error: PATH_FORM }),
  10,
).optional();
const FIGURE_NAME = /^[a-z0-9_-]+$/i;

const named = {
  /**
   * Name of the request. It is a part of the names of metrics: `search.latest-errors.latency.p99`.
   * @example latest errors
   */
  name: z.string().min(1),
  /**
   * How often Dyno draws this request, relative to the weights of the other requests.
   * @example 3
   */
  weight: z.number().positive().max(1_000_000).default(1),
  /**
   * Conditions on the answer: `<path> <operator> <value>`. If a condition is not met, the request counts as *failed*. Dyno must parse every
   * answer to check conditions, which costs CPU time in the load generator.
   * @example ['hits.total.value > 0']
   */
  expect: expectations,
  /**
   * Numbers in the answer that become metrics. Each entry is the name of a metric, and the path of the number: keys and positions from the
   * top of the answer. For a list, the path can contain `last` (the last element) and `length` (the number of elements). The metric is
   * `<task>.<request>.answer.<name>`. Dyno must parse every answer for this. If a request has several steps, the number comes from the same
   * answer that `expect` checks.
   * @example { took: took, rows: values.length }
   */
  figures: figures,
};

export const searchRequest = z.strictObject({
  ...named,
  /**
   * Body of the search, in query DSL.
   * @example { query: { match: { message: error } } }
   */
  body: z.record(z.string(), z.unknown()),
  /**
   * Query parameters.
   * @example { request_cache: false }
   */
  params: paramsSchema,
});

const kinds = Object.fromEntries(
  REQUEST_KINDS.map(({ name, schema }) => [name, schema.optional()]),
) as unknown as {
  [Name in RequestKind]: z.ZodOptional<Extract<(typeof REQUEST_KINDS)[number], { name: Name }>['schema']>;
};
const KIND_NAMES = REQUEST_KINDS.map(({ name }) => name);

/** A request of any kind. */
export const anyRequest = z.strictObject({ ...named, ...kinds }).superRefine(exactlyOne(...KIND_NAMES));

/** Schema of a request in a transaction: a request of any kind, or a search by its body. */
export const partRequest = z
  .strictObject({
    ...searchRequest.omit({ weight: true }).shape,
    /**
     * Body of a search, in query DSL. Short form of `search`.
     * @example { query: { match: { message: error } } }
     */
    body: searchRequest.shape.body.optional(),
    /**
     * Pause before this request, instead of the `gap` of the transaction. Not allowed for the first request.
     * @example 2s
     */
    gap: duration().optional(),
    ...kinds,
  })
  .superRefine(exactlyOne('body', ...KIND_NAMES));

/** A request as definitions contain it: a request of any kind, or the body of a search. */
export type WrittenRequest = Omit<z.output<typeof partRequest>, 'params' | 'expect' | 'figures' | 'gap'> & {
  weight?: number;
  params?: QueryParams;
  expect?: string[];
  figures?: Record<string, string>;
  gap?: string;
};

/**
 * Reports a problem if custom searches have a time window without the name of the date field. Only Dyno's built-in lists of searches have a
 * default field.
 */
export const windowHasField = (
  { requests: own, window: given }: { requests?: unknown; window?: Window },
  context: z.RefinementCtx,
): void => {
  if (own === undefined || given === undefined || given === 'none') return;
  if (typeof given === 'object' && given.field !== undefined) return;
  context.addIssue({
    code: 'custom',
    path: ['window'],
    message: 'has no date field',
    params: { allowed: '{ last: 15m, field: <date field> } for custom requests' },
  });
};

interface Work {
  set?: RequestSetName;
  requests?: readonly WrittenRequest[];
  window?: Window;
  parameters?: Parameters;
}

/** Returns the requests of a task in their order, with the window applied to its searches. The default weight is 1. */
export function requestsOf({ set, requests = [], window }: Work): (WrittenRequest & { weight: number })[] {
  if (set !== undefined) {
    return requestsOfSet(set, window).map((request) => ({ weight: 1, ...request }));
  }
  const range = window === undefined ? null : dateRange(window, '');
  return requests.map((request) => ({
    weight: 1,
    ...request,
    ...(range === null || request.body === undefined ? {} : { body: withinRange(request.body, range) }),
    ...(range === null || request.search === undefined
      ? {}
      : { search: { ...request.search, body: withinRange(request.search.body, range) } }),
  }));
}

/** A number in a response: its name, and its path from the top of the response. */
export interface AnswerFigure {
  name: string;
  path: readonly string[];
}

/** Data that a load thread needs for one step, which is one HTTP request. A request may have several steps. */
export interface StepJob {
  /** Name of the step in metrics, as in {@link Step}. */
  part: string;
  method: Method;
  /** Path with its query string. */
  path: Template;
  headers: Readonly<Record<string, string>>;
  /** Body of the HTTP request. Null if it has no body. */
  body: Template | null;
  expect: readonly Expectation[];
  /**
   * Conditions that select the responses for which `expect` is checked, such as the last page. For all other responses, `expect` is not
   * checked.
   */
  expectWhen: readonly Expectation[];
  /** Numbers to read from the responses that `expectWhen` selects. Absent if there are no such numbers. */
  figures?: readonly AnswerFigure[];
  takes: Readonly<Record<string, readonly string[]>>;
  while: readonly Expectation[];
  most: number;
  exhausted: AnswerFailure | null;
  always: boolean;
}

/** Data that a load thread needs to send a request. */
export interface RequestJob {
  name: string;
  kind: RequestKind;
  steps: readonly StepJob[];
  /** Data for measuring recall. Absent if recall is not measured. It can only be measured for requests with one step. */
  recall?: RecallJob;
}

/**
 * Returns the kind of a request, and what the request sends (`given`). `key`: the key of the request that contains `given`, such as `body`
 * or `esql`.
 */
export function workOf(request: WrittenRequest): { kind: RequestKind; key: string; given: unknown } {
  if (request.body !== undefined) {
    return { kind: 'search', key: 'body', given: { body: request.body, params: request.params ?? {} } };
  }
  const kind = KIND_NAMES.find((name) => request[name] !== undefined)!;
  return { kind, key: kind, given: request[kind] };
}

const JSON_TYPE = 'application/json';

function bodyJob(body: Outgoing['body']): { type: string; template: Template } | null {
  if (body === undefined) return null;
  if ('json' in body) return { type: JSON_TYPE, template: jsonTemplate(body.json) };
  if ('ndjson' in body) return { type: 'application/x-ndjson', template: ndjsonTemplate(body.ndjson) };
  return { type: JSON_TYPE, template: textTemplate(body.text) };
}

const expectationsOf = (texts: readonly string[] = []): Expectation[] =>
  texts.map((text) => readExpectation(text)!);

function stepJob(
  step: Step,
  { expect, figures: written = {} }: Pick<WrittenRequest, 'expect' | 'figures'>,
): StepJob {
  const own = Object.entries(written).map(([name, at]) => ({ name, path: at.split('.') }));
  const { part, method, path, params = {}, headers = {}, body } = step;
  const sent = bodyJob(body);
  return {
    part,
    method,
    path: chained(typeof path === 'string' ? pathTemplate(path) : path, queryTemplate(params)),
    headers: sent === null ? headers : { 'content-type': sent.type, ...headers },
    body: sent?.template ?? null,
    expect: step.expects === undefined ? [] : expectationsOf(expect),
    expectWhen: expectationsOf(step.expects),
    ...(step.expects === undefined || own.length === 0 ? {} : { figures: own }),
    takes: step.takes ?? {},
    while: expectationsOf(step.while),
    most: step.most ?? 1,
    exhausted: step.exhausted ?? null,
    always: step.always ?? false,
  };
}

interface ForTarget {
  recall?: RecallJob | undefined;
  /** Engine of the target. Default: Elasticsearch. */
  engine?: Engine | undefined;
}

/**
 * Returns the data that a load thread needs for a request. Throws a {@link TemplateError} if a text contains `{{` that does not begin a
 * parameter such as `{{name}}`.
 */
export function requestJob(
  request: WrittenRequest,
  { recall, engine = 'elasticsearch' }: ForTarget = {},
): RequestJob {
  const { kind, given } = workOf(request);
  return {
    name: request.name,
    kind,
    ...(recall === undefined ? {} : { recall }),
    steps: requestKind(kind)
      .steps(given, engine)
      .map((step) => stepJob(step, request)),
  };
}

/** Returns the jobs of a task's requests, in their order. */
export const requestJobs = (
  work: Work,
  { recalls, engine }: Pick<Surroundings, 'recalls' | 'engine'>,
): (RequestJob & { weight: number })[] =>
  requestsOf(work).map((request, place) => ({
    ...requestJob(request, { recall: recalls?.get(place), engine }),
    weight: request.weight,
  }));

/** Returns the requests whose recall is measured. The key is the position of the request. */
export const recallsOf = (work: Work): Map<number, RecallAsked> =>
  new Map(
    requestsOf(work).flatMap((request, place): [number, RecallAsked][] => {
      const { kind, given } = workOf(request);
      const asked = requestKind(kind).recall?.(given);
      return asked === undefined ? [] : [[place, asked]];
    }),
  );

/** Returns the kinds of the requests, without duplicates. */
export const kindsOf = (requests: readonly WrittenRequest[]): RequestKind[] => [
  ...new Set(requests.map((request) => workOf(request).kind)),
];

/** Returns the name of a step as metrics write it: the name of the request, followed by the name of the step, if it has one. */
export const stepName = (name: string, part: string): string => (part === '' ? name : `${name} ${part}`);

/** Returns the names of requests as metrics write them. After the name of a request with several steps come the names of its steps. */
export const figureNames = (requests: readonly WrittenRequest[]): string[] =>
  requests.flatMap((request) => {
    const { kind, given } = workOf(request);
    const parts = requestKind(kind)
      .steps(given, 'elasticsearch')
      .map(({ part }) => part);
    return [request.name, ...parts.filter(Boolean).map((part) => stepName(request.name, part))];
  });

/** Returns the names of the numbers in responses that are metrics: `<request>.<name>`. */
export const answerFiguresOf = (requests: readonly WrittenRequest[]): string[] =>
  requests.flatMap(({ name, figures: own = {} }) =>
    Object.keys(own).map((figure) => `${requestKey(name)}.${figure}`),
  );

/** Returns whether any request of the task may change the content of the trial's indices. */
export const mayChange = (work: Work): boolean =>
  requestsOf(work).some((request) => {
    const { kind, given } = workOf(request);
    return requestKind(kind).changes?.(given) ?? false;
  });

/** Returns whether any request of the task may change the indices: their documents, or the way in which the documents are stored. */
export const mayWrite = (work: Work): boolean =>
  mayChange(work) || requestsOf(work).some((request) => requestKind(workOf(request).kind).maintains === true);

/** Returns a problem if a text that is sent as JSON is not valid JSON after its parameters are filled in. */
function jsonProblems({ headers, body }: StepJob, parameters: Parameters, path: string): Problem[] {
  if (body === null || headers['content-type'] !== JSON_TYPE) return [];
  const drawers = parameterDrawers(parameters, {
    seed: 1,
    share: { index: 0, of: 1 },
    now: Date.now,
    // For the check, a text with characters that need escaping is filled in, because a file can contain any value and such a text reveals
    // the most problems.
    valuesIn: () => ['a "value"'],
    queriesIn: () => ({ count: 1, textOf: () => '[0]' }),
  });
  const text = filled(body, (name) => drawers.get(name)?.() ?? drawnText('index'));
  try {
    parsePlain(text);
    return [];
  } catch (error) {
    const message = `is not valid JSON after its parameters are filled in: ${messageOf(error)}`;
    const allowed = 'JSON; an object instead of a text (always valid JSON); or another content-type';
    return [{ code: 'definition.request', path: `${path}.body`, message, found: showValue(text), allowed }];
  }
}

/**
 * Returns a problem for each parameter whose value comes from a response that may not have arrived when the value is needed. `isInOrder`:
 * whether requests are sent one after the other. If not, no parameter can use a response.
 */
function answerProblems(
  { parameters = {}, requests = [] }: Work,
  path: string,
  isInOrder: boolean,
): Problem[] {
  const code = 'definition.parameter';
  return answersIn(parameters).flatMap(({ name, request }): Problem[] => {
    const own = `${path}.parameters.${name}.answer`;
    if (!isInOrder) {
      const message = 'only the requests of a transaction are sent one after the other';
      return [{ code, path: own, message, allowed: 'a transaction instead of a list to draw from' }];
    }
    const place = requests.findIndex((one) => one.name === request);
    const names = requests.map((one) => one.name).join(', ');
    if (place < 0) {
      const message = 'is not a request of this transaction';
      return [{ code, path: `${own}.request`, message, found: showValue(request), allowed: names }];
    }
    const early = requests
      .slice(0, place + 1)
      .findIndex((one) =>
        parametersOf(...requestJob(one).steps.flatMap((step) => [step.path, step.body ?? []])).includes(name),
      );
    if (early < 0) return [];
    const message = `{{${name}}} is used before the answer to ${showValue(request)}`;
    const allowed = `requests after ${showValue(request)}`;
    return [{ code, path: `${path}.requests[${early}]`, message, allowed }];
  });
}

/**
 * Returns problems of the requests of a task and their parameters. `path`: path of the work in the definition. `key`: key of the list of
 * requests in the work. `isInOrder`: whether requests are sent one after the other. Only then can a request use the response to an earlier
 * one.
 */
export function requestProblems(
  work: Work,
  path: string,
  { key = 'requests', isInOrder = false }: { key?: string; isInOrder?: boolean } = {},
): Problem[] {
  const { parameters = {} } = work;
  const wrongSources = parameterProblems(parameters, `${path}.parameters`);
  const known = `{{index}}${Object.keys(parameters)
    .map((name) => `, {{${name}}}`)
    .join('')}`;
  const ofOne = (request: WrittenRequest, place: number): Problem[] => {
    const own = `${path}.${key}[${place}]`;
    const { kind, key: at, given } = workOf(request);
    const wrong = requestKind(kind).problem?.(given);
    if (wrong !== undefined) {
      const { key: where, message, allowed } = wrong;
      return [{ code: 'definition.request', path: `${own}.${at}.${where}`, message, allowed }];
    }
    const badName = Object.keys(request.figures ?? {}).find((name) => !FIGURE_NAME.test(name));
    if (badName !== undefined) {
      const message = 'a metric cannot be written with this name';
      const allowed = 'letters, digits, - and _';
      return [{ code: 'definition.request', path: `${own}.figures.${badName}`, message, allowed }];
    }
    try {
      const job = requestJob(request);
      const read = (['expect', 'figures'] as const).find((one) => Object.keys(request[one] ?? {}).length > 0);
      if (read !== undefined && job.steps.some(({ method }) => method === 'HEAD')) {
        const message = 'the answer to a HEAD has no body';
        return [{ code: 'definition.request', path: `${own}.${read}`, message, allowed: 'method: GET' }];
      }
      const taken = new Set(job.steps.flatMap(({ takes }) => Object.keys(takes).map((name) => `.${name}`)));
      const unknown = parametersOf(...job.steps.flatMap((step) => [step.path, step.body ?? []])).filter(
        (name) => !(name in parameters) && !taken.has(name),
      );
      if (unknown.length === 0) {
        return wrongSources.length > 0
          ? []
          : job.steps.flatMap((step) => jsonProblems(step, parameters, `${own}.${at}`));
      }
      return unknown.map((name) => ({
        code: 'definition.parameter',
        path: `${own}.${at}`,
        message: `{{${name}}} has no source`,
        found: `{{${name}}}`,
        allowed: `${known}, a source for it in ${path}.parameters, or {{{{ for a literal {{`,
      }));
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      return [{ code: 'definition.parameter', path: `${own}.${at}`, message: error.message }];
    }
  };
  const wrong = (work.requests ?? []).flatMap(ofOne);
  return [
    ...parameterProblems(parameters, `${path}.parameters`),
    ...wrong,
    ...(wrong.length > 0 ? [] : answerProblems(work, path, isInOrder)),
  ];
}

/** Returns problems of requests that accept only one index. If the trial has several indices, each of these requests is a problem. */
export const oneIndexProblems = (
  work: Work,
  path: string,
  { count, existing }: Pick<Surroundings['index'], 'count' | 'existing'>,
  key = 'requests',
): Problem[] =>
  count === 1 && !(existing !== undefined && isSeveral(existing))
    ? []
    : (work.requests ?? []).flatMap((request, place): Problem[] => {
        const { kind, key: at } = workOf(request);
        if (requestKind(kind).oneIndex === undefined) return [];
        const message =
          existing === undefined
            ? `${kind} needs one index, and each trial has ${count}`
            : `${kind} needs one index, and ${existing} may be several`;
        const allowed = `${existing === undefined ? 'index.count: 1' : 'the name of one index'}, or a request of another kind`;
        return [{ code: 'definition.one-index', path: `${path}.${key}[${place}].${at}`, message, allowed }];
      });

/**
 * Returns problems of requests whose names are the same in metrics, although they differ in the definition. `mayRepeat`: whether several
 * requests may have exactly the same name; they then share their metrics.
 */
export function requestNameProblems(
  work: Work,
  path: string,
  { mayRepeat, key: list = 'requests' }: { mayRepeat: boolean; key?: string },
): Problem[] {
  const names = requestsOf(work).map(({ name }) => name);
  const keys = names.map(requestKey);
  return names.flatMap((name, index): Problem[] => {
    const own = `${path}.${list}[${index}].name`;
    const found = showValue(name);
    if (keys[index] === '') {
      const message = 'a metric cannot be written with this name';
      return [
        {
          code: 'definition.request-name',
          path: own,
          message,
          found,
          allowed: 'a name with letters or digits',
        },
      ];
    }
    const first = keys.indexOf(keys[index]!);
    if (first === index || (mayRepeat && names[first] === name)) return [];
    const message = `metrics cannot distinguish it from ${showValue(names[first])}: both are ${keys[index]}`;
    const allowed = 'names that differ in letters or digits';
    return [{ code: 'definition.name-twice', path: own, message, found, allowed }];
  });
}
