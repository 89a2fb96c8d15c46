/**
 * The one way to ask a cluster. An {@link Endpoint} describes one API of Elasticsearch: the request, whether it may be
 * repeated, how large its answer may be, and what Dyno reads of the answer. {@link asking} sends it and makes the error.
 */
import * as z from 'zod';
import { errorType, isSuccess, isUnavailable, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { withMissing } from '../../common/elasticsearch/modules';
import { DynoError, runError } from '../../common/problem';

/** The cluster under test, or the one that keeps the results: their errors have different codes. */
export type Role = 'target' | 'results';

/** Query parameters of a request. */
export type Query = NonNullable<ElasticsearchRequest['query']>;

/** An API of whose answer only the success counts. */
export type Change = Endpoint<unknown>;

export interface Endpoint<T> extends ElasticsearchRequest {
  /** Checks a successful answer and keeps what Dyno reads of it. */
  answer: z.ZodType<T>;
  /** Sends the request again after each of these pauses, ms, while `when` holds for the answer. */
  retry?: { when: (answer: { status: number; body: unknown }) => boolean; pausesMs: readonly number[] };
}

/** An answer that is an error, or that Elasticsearch would not give. */
export interface Refused {
  status: number;
  body: unknown;
  /** Elasticsearch's type of the error; '' if the answer has none. */
  type: string;
  /** Elasticsearch's reason; '' if the answer has none. */
  reason: string;
  /** The error that is thrown unless the caller expects this answer. */
  error: DynoError;
}

const EXISTS = ['resource_already_exists_exception', 'index_already_exists_exception'];

/**
 * True for answers of clouds that keep an API for themselves or from these credentials, which many do with what only
 * tells about nodes, and of a server without the part that offers it.
 */
const isNotOffered = (status: number, body: unknown): boolean =>
  [403, 404, 405, 410].includes(status) || errorType(body) === 'api_not_available_exception';

/** What a caller may expect instead of success. The first that fits counts. */
const OUTCOMES = {
  exists: ({ type }: Refused) => EXISTS.includes(type),
  noIndex: ({ type }: Refused) => type === 'index_not_found_exception',
  missing: ({ status }: Refused) => status === 404,
  conflict: ({ status }: Refused) => status === 409,
  notOffered: ({ status, body }: Refused) => isNotOffered(status, body),
  illegal: ({ status }: Refused) => status === 400,
  /** A success in another form than Elasticsearch's, such as a page of a proxy. */
  garbled: ({ status }: Refused) => isSuccess(status),
  failed: () => true,
};

/** What to return, or throw, for answers other than success; `path`: of the problem in a definition. */
export type Expected<V> = { readonly [outcome in keyof typeof OUTCOMES]?: (refused: Refused) => V } & {
  path?: string;
};

type AskOrNot = <T>(
  client: ElasticsearchClient,
  endpoint: Endpoint<T>,
  doing: string,
) => Promise<T | undefined>;

/** `doing` completes "could not ...". All reject as the client does where nobody answers. */
export interface Asking {
  /** What the endpoint reads of a 2xx answer. Otherwise what `expected` returns, or rejects with {@link Asking.refusal}. */
  ask: <T, V = never>(
    client: ElasticsearchClient,
    endpoint: Endpoint<T>,
    doing: string,
    expected?: Expected<V>,
  ) => Promise<T | V>;
  /** As `ask`; undefined where no such thing exists. */
  askIfThere: AskOrNot;
  /** As `ask`; undefined where the cluster does not offer the API, or not to these credentials. */
  askIfOffered: AskOrNot;
  /**
   * The error of an answer, with Elasticsearch's own reason. Its code is `<role>.unauthorised` (401), `.forbidden` or
   * `.blocked` (403), `.refused`, or that of {@link Asking.badAnswer} for a 2xx. For a target also `.unavailable`, and a
   * 400 is the user's to fix (kind input).
   */
  refusal: (status: number, body: unknown, doing: string, path?: string) => DynoError;
  /** The error of a 2xx answer that Elasticsearch would not give; `why` describes the answer. */
  badAnswer: (doing: string, why: string, status?: number) => DynoError;
}

const WORDS = {
  target: {
    credentials: 'the cluster does not accept these credentials',
    blocked: 'an index or the cluster is blocked',
    lacks: 'these credentials lack a privilege to',
    garbled: 'bad-answer',
    unlike: (_status: number, why: string) =>
      `the answer is none of Elasticsearch's (${why}); is a proxy in between?`,
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
    { answer, retry, ...request },
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
      const { value, why } = read(body, answer);
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

/** `why`: what is wrong with the answer; '' if it is Elasticsearch's. */
function read<T>(body: unknown, schema: z.ZodType<T>): { value?: T; why: string } {
  if (typeof body === 'string') return { why: 'no JSON' };
  const told = schema.safeParse(body);
  if (told.success) return { value: told.data, why: '' };
  const { path, message } = told.error.issues[0]!;
  return { why: `${path.join('.') || 'as a whole'}${message === MISSING ? ' ' : ': '}${message}` };
}

/**
 * Reads an answer as it is; these parts of it, by their paths, must be there. A path that ends with `[]` is that of an
 * array.
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

/** Describes an API that only reads. */
export const reads = <T>(
  path: string,
  answer: z.ZodType<T>,
  more: Partial<ElasticsearchRequest> = {},
): Endpoint<T> => ({ method: 'GET', path, answer, ...more });

/** An API of whose answer only the success counts. Unless `more` says otherwise, it may be repeated. */
export const changes = (
  method: ElasticsearchRequest['method'],
  path: string,
  more: Partial<ElasticsearchRequest> = {},
): Change => ({ method, path, answer: z.unknown(), repeatable: true, ...more });

/** A counter or a size: never less than 0, and never text. */
export const counter = (): z.ZodNumber => z.number().min(0);
