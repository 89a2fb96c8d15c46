/** `http`: any HTTP request to the target. */
import * as z from 'zod';
import { keysAtMost } from '../fields/schema';
import { byStatus } from './judges';
import { defineRequestKind, METHODS, type Body, type Method } from './kind';
import { paramsSchema } from './parts';

/** Matches the last segment of paths for which a POST only reads data. */
const READING =
  /\/(_search|_search\/scroll|_search\/template|_msearch|_msearch\/template|_count|_query|_sql|_sql\/close|_sql\/translate|_eql\/search|_mget|_field_caps|_terms_enum|_validate\/query|_analyze|_render\/template|_async_search|_pit|_search\/point_in_time|_plugins\/_(ppl|sql)|_plugins\/_asynchronous_search|_rank_eval|_explain\/[^/]+|_termvectors(\/[^/]+)?|_mtermvectors|_search_shards|_knn_search|_query\/async)$/;
/**
 * Matches paths that end with the id of a document. The id may be any text, such as `_search`. The last segment of such a path therefore
 * does not show what the request does.
 */
const OF_A_DOCUMENT = /\/(_doc|_create|_update)\//;
/**
 * Matches paths for which DELETE is allowed, because the request only closes what an earlier request has opened: a scroll, a point in time,
 * or an asynchronous search.
 */
const CLOSING =
  /^\/(_search\/scroll|_pit|_search\/point_in_time|_plugins\/_asynchronous_search\/[^/]+|_async_search\/[^/]+|_query\/async\/[^/]+|_sql\/async\/delete\/[^/]+|_eql\/search\/[^/]+)$/;
/**
 * Matches paths below the indices of the trial, but not the paths of the indices themselves. Requests to such paths need no permission to
 * change data, because Dyno deletes these indices after the trial.
 */
const WITHIN_TRIAL = /^\/\{\{index\}\}\/./;

const MAY_WRITE = 'allow-writes';

/** Returns whether the request may change anything in the target except the contents of the trial's indices. */
function reachesOut(method: Method, path: string): boolean {
  if (method === 'GET' || method === 'HEAD' || WITHIN_TRIAL.test(path)) return false;
  if (method === 'DELETE') return !CLOSING.test(path);
  return method === 'PUT' || OF_A_DOCUMENT.test(path) || !READING.test(path);
}

function pathProblem(path: string): string | undefined {
  if (!path.startsWith('/')) return 'does not begin with a slash';
  if (path.startsWith('//')) return 'begins with two slashes, which would mean another host';
  if (path.split('/').some((part) => part === '..' || part === '.')) return 'contains . or .. as a segment';
  if (path.includes('?')) return 'contains a query string';
  if (/[^!-~]|#/.test(path.replaceAll(/\{\{[^}]*\}\}/g, ''))) {
    return 'contains a space, a # or a character that is not ASCII: percent-encode it';
  }
  return undefined;
}

export const http = defineRequestKind({
  name: 'http',
  schema: z.strictObject({
    /**
     * HTTP method.
     * @example POST
     */
    method: z.enum(METHODS).default('GET'),
    /**
     * Path with its leading slash. `{{index}}` is replaced by the indices of the trial.
     * @example '/{{index}}/_validate/query'
     */
    path: z.string().min(1).max(4000),
    /**
     * Query parameters.
     * @example { explain: true }
     */
    params: paramsSchema,
    /**
     * Additional headers. They are sent as written.
     * @example { x-opaque-id: dyno }
     */
    headers: keysAtMost(z.string().max(8000), 20).default({}),
    /**
     * Body of the request. An object or a list is sent as JSON, a text as written.
     * @example { query: { match_all: {} } }
     */
    body: z.union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string()]).optional(),
    /**
     * Body of the request as lines of JSON (NDJSON), instead of `body`.
     * @example [{}, { query: { match_all: {} } }]
     */
    ndjson: z.array(z.unknown()).min(1).max(10_000).optional(),
    /**
     * Media type of the body if it is a text. The default is `application/json`.
     * @example text/plain
     */
    'content-type': z
      .string()
      .regex(/^[!-~][ -~]*$/, { error: 'a media type such as text/plain' })
      .optional(),
    /**
     * Allows requests that may change the target outside the indices of the trial. Dyno does not undo such changes. Required for PUT and
     * DELETE, and for writes outside `/{{index}}/`.
     */
    'allow-writes': z.boolean().default(false),
  }),
  text: 'Any HTTP request, sent as written.',
  label: { id: 'dyno.editor.request.http', text: 'Any HTTP request' },
  first: { method: 'GET', path: '/{{index}}/_count' },
  example: {
    request: {
      method: 'POST',
      path: '/{{index}}/_validate/query',
      params: { explain: true },
      body: { query: { query_string: { query: 'message:{{word}}' } } },
    },
    expect: ['valid == true'],
    parameters: { word: { values: ['error', 'timeout'] } },
  },
  outgoing: ({ method, path, params, headers, body, ndjson, 'content-type': type }) => ({
    method,
    path,
    params,
    headers: typeof body === 'string' && type !== undefined ? { ...headers, 'content-type': type } : headers,
    body: bodyOf(body, ndjson),
  }),
  problem: ({ method, path, headers, body, ndjson, 'content-type': type, 'allow-writes': mayWrite }) => {
    const wrong = pathProblem(path);
    if (wrong !== undefined) {
      const allowed = 'a path of the target such as /{{index}}/_count; the query string belongs in params';
      return { key: 'path', message: wrong, allowed };
    }
    if (body !== undefined && ndjson !== undefined)
      return { key: 'ndjson', message: 'cannot be combined with body', allowed: 'one of body, ndjson' };
    if (type !== undefined && typeof body !== 'string')
      return {
        key: 'content-type',
        message: 'is only for a body that is a text',
        allowed: 'a body that is a text, or no content-type',
      };
    const own = Object.keys(headers).find((name) => OWN_HEADERS.test(name));
    if (own !== undefined)
      return { key: `headers.${own}`, message: 'is a header of the connection', allowed: 'other headers' };
    const bad = Object.entries(headers).find(
      ([name, value]) => !HEADER.test(name) || !HEADER_VALUE.test(value),
    );
    if (bad !== undefined) {
      const allowed = 'a name of letters, digits and -, and a value of visible ASCII characters and spaces';
      return { key: `headers.${bad[0]}`, message: 'cannot be sent as a header', allowed };
    }
    if (reachesOut(method, path) && !mayWrite) {
      return {
        key: 'path',
        message: `${method} ${path} may change data that Dyno neither created nor restores`,
        allowed: `a path below /{{index}}/, an API that only reads, or ${MAY_WRITE}: true`,
      };
    }
    return undefined;
  },
  changes: ({ method, path }) =>
    method !== 'GET' && method !== 'HEAD' && !READING.test(path) && !CLOSING.test(path),
  judge: byStatus,
});

/** Matches the name of a header (RFC 9110, 5.1). */
const HEADER = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
/** Matches the value of a header (RFC 9110, 5.5, limited to ASCII). */
const HEADER_VALUE = /^[\t -~]*$/;

const OWN_HEADERS =
  /^(host|connection|content-length|transfer-encoding|authorization|cookie|expect|upgrade|keep-alive|te|trailer)$/i;

function bodyOf(
  body: Record<string, unknown> | unknown[] | string | undefined,
  ndjson: unknown[] | undefined,
): Body | undefined {
  if (ndjson !== undefined) return { ndjson };
  if (body === undefined) return undefined;
  return typeof body === 'string' ? { text: body } : { json: body };
}
