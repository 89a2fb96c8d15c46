/** A request as Rally sends it, and how a definition writes it: by the kind that sends the very same, or as `http`. */
import { exactText, stringifyExact } from '../../json/exact';
import { isSameJson } from './same';
import type { Method, QueryParams, Step } from '../../requests/kind';
import { requestKind, type RequestKind } from '../../requests/registry';

type Fields = Readonly<Record<string, unknown>>;

export interface Wire {
  method: Method;
  /** From the slash on, as it goes over the wire. */
  path: string;
  params?: QueryParams;
  headers?: Readonly<Record<string, string>>;
  /** An object or a list is sent as JSON, a text as it is; `undefined` for nothing. */
  body?: unknown;
  /** Of a body that is a text. */
  contentType?: string;
}

/** The work of a request in a definition, beside its name: `{ search: { ... } }`. */
export interface WrittenWork {
  kind: RequestKind;
  work: Fields;
  /** What the trial's index has to be for it; absent where that makes no difference. */
  target?: string;
}

/** Characters that no text of a track needs: between them stands the name of a parameter. */
const DRAWN = /\uE000(\w+)\uE001/g;

/** Stands in a request for what a parameter draws. */
export const drawn = (name: string): string => `\uE000${name}\uE001`;

/** `{{` begins a parameter in definitions: what stays is written so that it begins none. */
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
  /** The rest of the path behind the indices; the indices are those of the trial. */
  path: RegExp;
  work(wire: Wire, body: Fields): Fields;
}

const params = ({ params: given }: Wire): Fields => someOf({ params: unlessEmpty(given) });
const asked = (wire: Wire, body: Fields): Fields => ({
  query: body['query'],
  ...someOf({ body: unlessEmpty(without(body, 'query')) }),
  ...params(wire),
});

/** Kinds that may send a request, by its path. Whether one does is seen by what it sends. */
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

/** What a person would write beside the type; a kind may add what changes nothing. */
const ADDED: Readonly<Partial<Record<RequestKind, Fields>>> = { sql: { format: 'json' } };

function sends({ kind, work }: WrittenWork, target: string | undefined): Step[] {
  const description = requestKind(kind);
  const given = description.schema.safeParse(work);
  return given.success
    ? description
        .steps(given.data)
        .map((step) => ({ ...step, path: String(step.path).replace('{{index}}', target ?? '') }))
    : [];
}

const written = (fields: Fields | undefined): Fields =>
  Object.fromEntries(
    Object.entries(fields ?? {}).map(([key, value]) => [key, exactText(value as string | number | boolean)]),
  );
const bodyOf = ({ body }: Step): unknown =>
  body === undefined ? undefined : 'json' in body ? body.json : 'ndjson' in body ? body.ndjson : body.text;

/** Whether a kind sends this and nothing else. */
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

/** The kind that sends the same as `wire`, where there is one. */
export function typed(wire: Wire): WrittenWork | undefined {
  const body = wire.body ?? {};
  if (!isObject(body)) return undefined;
  for (const { kind, path, work } of GUESSES) {
    const found = path.exec(wire.path);
    if (found === null) continue;
    const target = found[1];
    // A name of an API stands where an index would.
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

/** Where `http` has to be told that it may write; it says so itself. */
function mayWrite(work: Fields): boolean {
  const description = requestKind('http');
  const given = description.schema.safeParse(work);
  return given.success && description.problem?.(given.data)?.message.includes('may change') === true;
}

/** Keys and values beyond which a body is written as the text of its JSON: a definition has room for some 10,000. */
const LONG = 4000;

const extentOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce<number>((sum, inner) => sum + 2 + extentOf(inner), 1)
    : 1;

/** In the text of a body a drawn value would stand as it is. */
const holdsDrawn = (body: unknown): boolean => stringifyExact(body).search(DRAWN) >= 0;

/** Any request, as `http`. */
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
