/** Converts searches, ES|QL, SQL and raw requests. */
import { stringifyExact } from '../../../json/exact';
import { METHODS, type Method } from '../../../requests/kind';
import {
  headers,
  inPath,
  isTrue,
  list,
  mandatory,
  numeric,
  object,
  optional,
  query,
  sends,
  target,
  timeoutOf,
  Unfit,
  type Conversion,
  type Convert,
  type Given,
} from './operation';

const PROPERTIES: Readonly<Record<string, string>> = {
  hits: 'hits.total.value',
  took: 'took',
  timed_out: 'timed_out',
};

/** Converts Rally's assertions about a response to conditions in the format of `expect` in definitions. */
function expectations(params: Given['params']): { expect?: string[] } {
  const given = params['assertions'];
  if (!Array.isArray(given)) return {};
  if (!isTrue(params['detailed-results'] ?? true))
    throw new Unfit('has assertions, which Rally checks only if detailed-results is true');
  return {
    expect: (given as Record<string, unknown>[]).map(({ property, condition, value }) => {
      const path = PROPERTIES[String(property)] ?? String(property);
      return `${path} ${String(condition)} ${stringifyExact(value)}`;
    }),
  };
}

function searchBody(params: Given['params']): Record<string, unknown> | undefined {
  const { body, 'results-per-page': size } = params;
  if (body === undefined || body === null) {
    if (isTrue(size)) throw new Unfit('has results-per-page but no body for it');
    return undefined;
  }
  // The type of `size` is kept, because Elasticsearch accepts a number and a text.
  return { ...object(body, 'body'), ...(isTrue(size) ? { size } : {}) };
}

const search: Convert = ({ params, track }) => {
  if (params['pages'] !== undefined) {
    return {
      left: 'reads several pages with the scroll API by GET, sorted by _doc and kept for 10s',
      nearest: 'the request kind scroll, which sends POST',
    };
  }
  const index = target(track, params);
  if (index === undefined) throw new Unfit('names no index');
  const type = optional(params, 'type');
  const cached = params['cache'];
  const cache =
    cached === undefined || cached === null
      ? {}
      : { request_cache: typeof cached === 'boolean' ? cached : String(cached).toLowerCase() };
  return {
    ...sends(params, {
      method: 'GET',
      path: `/${inPath(index)}${type === undefined ? '' : `/${inPath(type)}`}/_search`,
      params: query(params['request-params'], cache),
      headers: headers(params),
      body: searchBody(params),
    }),
    ...expectations(params),
  };
};

const paged =
  (how: string, nearest: string): Convert =>
  () => ({ left: how, nearest });

const esql: Convert = ({ params }) => ({
  ...sends(params, {
    method: 'POST',
    path: '/_query',
    params: query(params['request-params']),
    headers: headers(params),
    body: {
      ...(params['body'] === undefined || params['body'] === null ? {} : object(params['body'], 'body')),
      query: mandatory(params, 'query'),
      ...(params['filter'] === undefined || params['filter'] === null ? {} : { filter: params['filter'] }),
    },
  }),
});

/** Converts `esql-profile`, an ES|QL query with profiling. Rally derives metrics from the profile, which Dyno does not. */
const esqlProfile: Convert = (given) => {
  const converted = esql(given) as Extract<Conversion, { sends: unknown }>;
  const [wire] = converted.sends;
  return {
    ...converted,
    sends: [{ ...wire!, body: { ...(wire!.body as object), profile: true } }],
    notes: ['requests the profile, but Dyno derives no metrics from it'],
  };
};

const sql: Convert = ({ params }) => {
  const pages = numeric(params, 'pages') ?? 1;
  const body = object(params['body'], 'body');
  mandatory(body, 'query');
  if (pages > 1)
    return {
      left: `reads ${pages} pages by cursor`,
      nearest: 'the request kind sql, which reads the first page',
    };
  return sends(params, { method: 'POST', path: '/_sql', body });
};

const fieldCaps: Convert = ({ params }) => {
  const filter = params['index_filter'];
  // Like Rally's client, writes the fields into the body of the request.
  const body = {
    ...(params['body'] === undefined || params['body'] === null ? {} : object(params['body'], 'body')),
    ...(filter === undefined || filter === null ? {} : { index_filter: filter }),
    fields: params['fields'] ?? '*',
  };
  return sends(params, {
    method: 'POST',
    path: `/${inPath(list(params['index'] ?? '_all').join())}/_field_caps`,
    params: query(params['request-params']),
    body,
  });
};

/** Splits a path into the path and its query string, because definitions have a separate key for each. */
function apart(path: string): { path: string; params: Record<string, string> } {
  const at = path.indexOf('?');
  if (at === -1) return { path, params: {} };
  const asked = new URLSearchParams(path.slice(at + 1));
  const repeated = [...asked.keys()].find((key, place, all) => all.indexOf(key) !== place);
  if (repeated !== undefined)
    throw new Unfit(
      `sends the parameter ${repeated} of its path several times, but a definition sends it once`,
    );
  return { path: path.slice(0, at), params: Object.fromEntries(asked) };
}

const rawRequest: Convert = ({ params }) => {
  const method = (optional(params, 'method') ?? 'GET').toUpperCase();
  if (!METHODS.includes(method as Method))
    throw new Unfit(`sends ${method} (allowed: ${METHODS.join(', ')})`);
  const whole = mandatory(params, 'path');
  if (!whole.startsWith('/')) throw new Unfit(`has the path ${whole}, which does not begin with a slash`);
  const { path, params: inside } = apart(whole);
  const beside = query(params['request-params']);
  const both = Object.keys(beside).find((key) => Object.hasOwn(inside, key));
  if (both !== undefined)
    throw new Unfit(
      `sends the parameter ${both} in its path and in request-params, but a definition sends it once`,
    );
  const { body } = params;
  const all = headers(params);
  const type = Object.keys(all).find((key) => key.toLowerCase() === 'content-type');
  const { [type ?? '']: contentType, ...rest } = all;
  return sends(params, {
    method: method as Method,
    path,
    params: { ...inside, ...beside },
    headers: rest,
    ...(body === undefined || body === null ? {} : { body }),
    ...(typeof body === 'string'
      ? { contentType: contentType ?? (body.includes('\n') ? 'application/x-ndjson' : undefined) }
      : {}),
  });
};

/** Converts a list of successive requests (`composite`) to a `transaction`, whose requests Dyno sends one after the other. */
const composite: Convert = (given) => {
  const requests = given.params['requests'];
  if (!Array.isArray(requests)) throw new Unfit('has no list of requests');
  const parts = (requests as Record<string, unknown>[]).map((item) => {
    if ('stream' in item) return 'sends several streams at once';
    const type = String(item['operation-type']);
    const convert = Object.hasOwn(PARTS, type) ? PARTS[type] : undefined;
    if (convert === undefined) return `contains ${type}, which uses the response of another request or waits`;
    return convert({ ...given, params: item });
  });
  const wrong = parts.find((part) => typeof part === 'string' || 'left' in part || 'ingest' in part);
  if (wrong !== undefined) {
    return {
      left: typeof wrong === 'string' ? wrong : 'left' in wrong ? wrong.left : 'contains a bulk',
      nearest: 'a transaction; point-in-time and async-search as request kinds of several steps',
    };
  }
  return { sends: parts.flatMap((part) => (part as { sends: [] }).sends), ...timeoutOf(given.params) };
};

const PARTS: Readonly<Record<string, Convert>> = {
  search,
  'raw-request': rawRequest,
  'field-caps': fieldCaps,
};

export const SEARCHES: Readonly<Record<string, Convert>> = {
  search,
  'paginated-search': paged(
    'reads pages by search_after without a point in time',
    'the request kind point-in-time',
  ),
  'scroll-search': paged(
    'reads pages with the scroll API by GET, sorted by _doc and kept for 10s',
    'the request kind scroll, which sends POST',
  ),
  'composite-agg': paged(
    'reads the pages of a composite aggregation by its after_key',
    'a search of its first page',
  ),
  esql,
  'esql-profile': esqlProfile,
  sql,
  'field-caps': fieldCaps,
  'raw-request': rawRequest,
  composite,
};
