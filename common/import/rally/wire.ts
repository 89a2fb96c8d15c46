/**
 * Converts a request that Rally sends to a request in a definition. If a specific kind of request, such as `search`, sends exactly the
 * same, this kind is used. Otherwise, the request has the kind `http`.
 */
import { exactText, stringifyExact } from '../../json/exact';
import { isSameJson } from './same';
import type { Method, QueryParams, Step } from '../../requests/kind';
import { requestKind, type RequestKind } from '../../requests/registry';

type Fields = Readonly<Record<string, unknown>>;

export interface Wire {
  method: Method;
  /** Path of the request, beginning with a slash. */
  path: string;
  params?: QueryParams;
  headers?: Readonly<Record<string, string>>;
  /** Body of the request. An object or a list is sent as JSON, a text is sent unchanged. Undefined if there is no body. */
  body?: unknown;
  /** Content type of the body if it is a text. */
  contentType?: string;
}

/** A request of a definition, without its name. In the definition, it is written as `KIND: WORK`. */
export interface WrittenWork {
  kind: RequestKind;
  work: Fields;
  /**
   * Index of Rally's request. The definition must use this index, because otherwise its request would go to another index. Absent if
   * Rally's request contains no index.
   */
  target?: string;
}

/** Matches the placeholder of a parameter. It is surrounded by two private-use characters, which no track contains. */
const DRAWN = /\uE000(\w+)\uE001/g;

/** Returns the placeholder that represents the value of a parameter. */
export const drawn = (name: string): string => `\uE000${name}\uE001`;

/** Returns a value in which placeholders are replaced by `{{name}}`, as in definitions. `{{` in the original value is escaped. */
export function literal(value: unknown): unknown {
  if (typeof value === 'string') return value.replaceAll('{{', '{{{{').replaceAll(DRAWN, '{{$1}}');
  if (Array.isArray(value)) return value.map(literal);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [literal(key) as string, literal(inner)]),
  );
}

const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const without = (fields: Fields, ...keys: string[]): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !keys.includes(key)));
const someOf = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
const unlessEmpty = (fields: Fields | undefined): Fields | undefined =>
  fields === undefined || Object.keys(fields).length === 0 ? undefined : fields;

interface Guess {
  kind: RequestKind;
  /** Matches the path of requests of this kind. If the pattern has a group, the group contains the indices. */
  path: RegExp;
  work(wire: Wire, body: Fields): Fields;
}

const params = ({ params: given }: Wire): Fields => someOf({ params: unlessEmpty(given) });
const asked = (wire: Wire, body: Fields): Fields => ({
  query: body['query'],
  ...someOf({ body: unlessEmpty(without(body, 'query')) }),
  ...params(wire),
});

/**
 * Specific kinds of requests that may send the same as Rally's request. The path of Rally's request selects the kinds to try. Then the
 * request that such a kind would send is compared with Rally's request.
 */
const GUESSES: readonly Guess[] = [
  {
    kind: 'search',
    path: /^\/([^/]+)\/_search$/,
    work: (wire, body) => ({ ...(wire.method === 'GET' ? { method: 'GET' } : {}), body, ...params(wire) }),
  },
  { kind: 'count', path: /^\/([^/]+)\/_count$/, work: (wire, body) => ({ body, ...params(wire) }) },
  { kind: 'esql', path: /^\/_query$/, work: asked },
  { kind: 'eql', path: /^\/([^/]+)\/_eql\/search$/, work: asked },
  {
    kind: 'sql',
    path: /^\/_sql$/,
    work: (_, body) => ({ query: body['query'], ...someOf({ body: unlessEmpty(without(body, 'query')) }) }),
  },
  {
    kind: 'terms-enum',
    path: /^\/([^/]+)\/_terms_enum$/,
    work: (_, body) =>
      someOf({
        field: body['field'],
        string: body['string'],
        body: unlessEmpty(without(body, 'field', 'string')),
      }),
  },
  {
    kind: 'field-caps',
    path: /^\/([^/]+)\/_field_caps$/,
    work: (wire, body) =>
      someOf({
        fields: String(wire.params?.['fields'] ?? '*').split(','),
        body: unlessEmpty(body),
        params: unlessEmpty(without(wire.params ?? {}, 'fields')),
      }),
  },
  { kind: 'refresh', path: /^\/([^/]+)\/_refresh$/, work: () => ({}) },
  { kind: 'force-merge', path: /^\/([^/]+)\/_forcemerge$/, work: params },
  { kind: 'cluster-health', path: /^\/_cluster\/health$/, work: params },
];

/**
 * Query parameters that Dyno adds to a kind of request, and that do not change the response. They do not count as a difference from Rally's
 * request.
 */
const ADDED: Readonly<Partial<Record<RequestKind, Fields>>> = { sql: { format: 'json' } };

function sends({ kind, work }: WrittenWork, target: string | undefined): Step[] {
  const description = requestKind(kind);
  const given = description.schema.safeParse(work);
  return given.success
    ? description
        .steps(given.data, 'elasticsearch')
        .map((step) => ({ ...step, path: String(step.path).replace('{{index}}', target ?? '') }))
    : [];
}

const written = (fields: Fields | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).map(([key, value]) => [key, exactText(value as string | number | boolean)]),
  );
const bodyOf = ({ body }: Step): unknown =>
  body === undefined ? undefined : 'json' in body ? body.json : 'ndjson' in body ? body.ndjson : body.text;

/** Returns whether `work`, a request of a definition, sends exactly the request `wire` of Rally. */
function isSame(wire: Wire, work: WrittenWork): boolean {
  const [step, ...more] = sends(work, work.target);
  if (step === undefined || more.length > 0 || Object.keys(wire.headers ?? {}).length > 0) return false;
  return (
    step.method === wire.method &&
    step.path === wire.path &&
    isSameJson(written(step.params), { ...ADDED[work.kind], ...written(wire.params) }) &&
    isSameJson(bodyOf(step), wire.body)
  );
}

/**
 * Returns a request of a definition that sends exactly `wire` with a specific kind of request. Returns undefined if no specific kind sends
 * exactly this.
 */
export function typed(wire: Wire): WrittenWork | undefined {
  const body = wire.body ?? {};
  if (!isObject(body)) return undefined;
  for (const { kind, path, work } of GUESSES) {
    const found = path.exec(wire.path);
    if (found === null) continue;
    const target = found[1];
    // The pattern matched the name of an API, such as `_cluster`, instead of an index.
    if (target?.startsWith('_') === true && target !== '_all') continue;
    const candidate: WrittenWork = {
      kind,
      work: work(wire, body),
      ...(target === undefined ? {} : { target: decodeURIComponent(target) }),
    };
    if (isSame(wire, { ...candidate, ...(target === undefined ? {} : { target }) })) {
      return { ...candidate, work: literal(candidate.work) as Fields };
    }
  }
  return undefined;
}

/**
 * Returns whether `work`, an `http` request of a definition, may change data. Such a request needs the key `allow-writes` in the
 * definition.
 */
function mayWrite(work: Fields): boolean {
  const description = requestKind('http');
  const given = description.schema.safeParse(work);
  return given.success && description.problem?.(given.data)?.message.includes('may change') === true;
}

/**
 * Number of keys and values above which a body is written as a text with JSON. The whole definition may contain only about 10,000 keys and
 * values.
 */
const LONG = 4000;

const extentOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, inner) => sum + 2 + extentOf(inner), 1)
    : 1;

/** Returns whether a body contains placeholders. In a body that is written as text, Dyno does not support placeholders. */
const holdsDrawn = (body: unknown): boolean => stringifyExact(body).search(DRAWN) >= 0;

/** Converts any request to the kind `http`. */
export function generic({ method, path, params: query, headers, body, contentType }: Wire): WrittenWork {
  const work = literal(
    someOf({
      ...(method === 'GET' ? {} : { method }),
      path: path.replaceAll(/[^!-~]/gu, encodeURIComponent),
      params: unlessEmpty(query),
      headers: unlessEmpty(headers),
      body: extentOf(body) > LONG && !holdsDrawn(body) ? stringifyExact(body) : body,
      'content-type': contentType,
    }),
  ) as Fields;
  return { kind: 'http', work: mayWrite(work) ? { ...work, 'allow-writes': true } : work };
}
