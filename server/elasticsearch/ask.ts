/**
 * Sends requests to a cluster. An {@link Endpoint} describes one API of Elasticsearch: the request, whether it is idempotent, the maximum
 * size of its response, and the parts of the response that Dyno reads. {@link asking} returns functions that send requests, and functions
 * that create errors.
 */
import * as z from 'zod';
import { errorType, isSuccess, isUnavailable, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { withMissing } from '../../common/elasticsearch/modules';
import { DynoError, runError } from '../../common/problem';

/**
 * The role of a cluster: `target` is the cluster under test, and `results` is the cluster that stores the results. The errors of the two
 * roles have different codes.
 */
export type Role = 'target' | 'results';

/** Query parameters of a request. */
export type Query = NonNullable<ElasticsearchRequest['query']>;

/** An API for which only the success of the request matters. Dyno ignores the body of the response. */
export type Change = Endpoint<unknown>;

export interface Endpoint<T> extends ElasticsearchRequest {
  /** Schema of the body of a successful response. Parsing returns the parts that Dyno reads. */
  answer: z.ZodType<T>;
  /** Whether a successful response is plain text instead of JSON. */
  isText?: true;
  /**
   * Repeats the request while `when` returns true for the response. `pausesMs`: pause in ms before each repetition, at most one repetition
   * per pause.
   */
  retry?: { when: (answer: { status: number; body: unknown }) => boolean; pausesMs: readonly number[] };
}

/** A response that Dyno cannot use: an error, or a 2xx whose body does not have Elasticsearch's format. */
export interface Refused {
  status: number;
  body: unknown;
  /** Type of the error that Elasticsearch reports; '' if the response contains no type. */
  type: string;
  /** Reason that Elasticsearch reports; '' if the response contains no reason. */
  reason: string;
  /** Error that is thrown if the caller does not handle this response. */
  error: DynoError;
}

const EXISTS = ['resource_already_exists_exception', 'index_already_exists_exception'];

/**
 * Returns true if the cluster does not have the API, or these credentials may not use it. Many cloud services forbid even read-only APIs
 * about nodes. A server may also lack the module of Elasticsearch that contains the API.
 */
const isNotOffered = (status: number, body: unknown): boolean =>
  [403, 404, 405, 410].includes(status) || errorType(body) === 'api_not_available_exception';

/**
 * Kinds of unusable responses that a caller may handle. If several kinds match, the first one for which the caller has a handler is used.
 */
const OUTCOMES = {
  exists: ({ type }: Refused) => EXISTS.includes(type),
  noIndex: ({ type }: Refused) => type === 'index_not_found_exception',
  missing: ({ status }: Refused) => status === 404,
  conflict: ({ status }: Refused) => status === 409,
  notOffered: ({ status, body }: Refused) => isNotOffered(status, body),
  illegal: ({ status }: Refused) => status === 400,
  /** A 2xx response that does not have Elasticsearch's format, such as the page of a proxy. */
  garbled: ({ status }: Refused) => isSuccess(status),
  failed: () => true,
};

/** Handlers for the kinds of responses that a caller expects. A handler returns a value or throws. */
export type Expected<V> = { readonly [outcome in keyof typeof OUTCOMES]?: (refused: Refused) => V } & {
  /** Path of the key in the definition that caused the request. Thrown errors refer to this path. '' or undefined if no key caused it. */
  path?: string;
};

type AskOrNot = <T>(
  client: ElasticsearchClient,
  endpoint: Endpoint<T>,
  doing: string,
) => Promise<T | undefined>;

/**
 * Functions that send requests. Their parameter `doing` completes the text "could not ...", for example `read the index`. If no response
 * arrives, they reject with the error of the HTTP client.
 */
export interface Asking {
  /**
   * Sends a request and returns the validated response. If the response is unusable and `expected` has a handler for it, returns what the
   * handler returns. Otherwise rejects with a DynoError, see {@link Asking.refusal} and {@link Asking.badAnswer}.
   */
  ask: <T, V = never>(
    client: ElasticsearchClient,
    endpoint: Endpoint<T>,
    doing: string,
    expected?: Expected<V>,
  ) => Promise<T | V>;
  /** Works like `ask`, but returns undefined if the status of the response is 404. */
  askIfThere: AskOrNot;
  /** Works like `ask`, but returns undefined if the cluster does not offer the API, or does not offer it to these credentials. */
  askIfOffered: AskOrNot;
  /**
   * Creates the error for an answer that is not a usable 2xx. The message contains the reason that Elasticsearch reports. The code begins
   * with the role of the cluster, such as `target.`:
   * - `unauthorised`: 401.
   * - `blocked` or `forbidden`: 403.
   * - `unavailable`: the target is down or overloaded.
   * - `refused`: other errors. A 400 of the target is an error of kind `input`, because the user can fix the request.
   * - A 2xx gets the code of {@link Asking.badAnswer}.
   */
  refusal: (status: number, body: unknown, doing: string, path?: string) => DynoError;
  /** Creates the error for a 2xx response that does not have Elasticsearch's format. `why` says what is wrong with the response. */
  badAnswer: (doing: string, why: string, status?: number) => DynoError;
}

const WORDS = {
  target: {
    credentials: 'the cluster does not accept these credentials',
    blocked: 'an index or the cluster is blocked',
    lacks: 'these credentials lack a privilege to',
    garbled: 'bad-answer',
    unlike: (_status: number, why: string) =>
      `the answer does not come from Elasticsearch (${why}); is a proxy in between?`,
  },
  results: {
    credentials: 'the results cluster does not accept these credentials',
    blocked: 'an index of the results or their cluster is blocked',
    lacks: 'the credentials for the results cluster may not',
    garbled: 'refused',
    unlike: (status: number, why: string) => `it answered ${status}, but not as Elasticsearch does (${why})`,
  },
};

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function asking(role: Role): Asking {
  const words = WORDS[role];

  const badAnswer: Asking['badAnswer'] = (doing, why, status = 200) =>
    runError(`${role}.${words.garbled}`, '', `could not ${doing}: ${words.unlike(status, why)}`);

  const refusal: Asking['refusal'] = (status, body, doing, path = '') => {
    if (isSuccess(status)) return badAnswer(doing, 'no JSON', status);
    const reason = reasonOf(body) || `it answered ${status}`;
    const error = (code: string, message: string): DynoError => runError(`${role}.${code}`, path, message);
    if (status === 401) return error('unauthorised', `${words.credentials}: ${reason}`);
    if (status === 403 && errorType(body) === 'cluster_block_exception')
      return error(
        'blocked',
        `could not ${doing}: ${words.blocked} (read-only, or its disk is full): ${reason}`,
      );
    if (status === 403) return error('forbidden', `${words.lacks} ${doing}: ${reason}`);
    if (role === 'target' && isUnavailable(status)) {
      const state = status === 429 ? 'refuses requests, because it is overloaded' : 'is not available';
      return error('unavailable', `could not ${doing}: the cluster ${state} (${status}): ${reason}`);
    }
    const message = `could not ${doing}: ${role === 'target' ? withMissing(reason) : reason}`;
    const kind = role === 'target' && status === 400 ? 'input' : 'run';
    return new DynoError(kind, [{ code: `${role}.refused`, path, message }]);
  };

  const ask: Asking['ask'] = async (
    client,
    { answer, isText, retry, ...request },
    doing,
    { path, ...expected } = {},
  ) => {
    let answered = await client.request(request);
    for (const ms of retry?.pausesMs ?? []) {
      if (!retry!.when(answered)) break;
      await pause(ms);
      answered = await client.request(request);
    }
    const { status, body } = answered;
    let error: DynoError;
    if (isSuccess(status)) {
      const { value, why } = read(body, answer, isText);
      if (why === '') return value!;
      error = badAnswer(doing, why, status);
    } else error = refusal(status, body, doing, path);
    const refused: Refused = { status, body, type: errorType(body), reason: reasonOf(body), error };
    for (const [outcome, applies] of Object.entries(OUTCOMES)) {
      const handle = expected[outcome as keyof typeof OUTCOMES];
      if (handle && applies(refused)) return handle(refused);
    }
    throw error;
  };

  return {
    ask,
    askIfThere: (client, endpoint, doing) => ask(client, endpoint, doing, { missing: () => undefined }),
    askIfOffered: (client, endpoint, doing) => ask(client, endpoint, doing, { notOffered: () => undefined }),
    refusal,
    badAnswer,
  };
}

const MISSING = 'is missing';

/** Validates the body of a response. `why` says what is wrong with the body; empty if the body is valid. */
function read<T>(body: unknown, schema: z.ZodType<T>, isText = false): { value?: T; why: string } {
  if (typeof body === 'string' && !isText) return { why: 'no JSON' };
  const parsed = schema.safeParse(body);
  if (parsed.success) return { value: parsed.data, why: '' };
  const { path, message } = parsed.error.issues[0]!;
  return { why: `${path.join('.') || 'as a whole'}${message === MISSING ? ' ' : ': '}${message}` };
}

/**
 * Creates a schema that returns the response unchanged and requires a value at each of these paths. At a path that ends with `[]`, the
 * value must be an array.
 */
export const having = <T>(...parts: readonly string[]): z.ZodType<T> =>
  z.custom<T>().superRefine((body, context) => {
    for (const part of parts) {
      const path = part.replace('[]', '').split('.');
      const value = path.reduce<unknown>((at, key) => (at as Record<string, unknown> | null)?.[key], body);
      const isThere = part.endsWith('[]') ? Array.isArray(value) : value !== undefined && value !== null;
      if (!isThere) context.addIssue({ code: 'custom', path, message: MISSING });
    }
  });

/** Describes an API that only reads, for {@link Asking.ask}. */
export const reads = <T>(
  path: string,
  answer: z.ZodType<T>,
  more: Partial<ElasticsearchRequest> = {},
): Endpoint<T> => ({ method: 'GET', path, answer, ...more });

/**
 * Describes an API for which only the success of the request matters. The request is assumed to be idempotent unless `more` contains
 * `repeatable: false`.
 */
export const changes = (
  method: ElasticsearchRequest['method'],
  path: string,
  more: Partial<ElasticsearchRequest> = {},
): Change => ({ method, path, answer: z.unknown(), repeatable: true, ...more });

/** Creates the schema of a counter or a size: a number of at least 0. */
export const counter = (): z.ZodNumber => z.number().min(0);
