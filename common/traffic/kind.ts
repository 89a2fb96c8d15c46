/** Kinds of recorded requests: which API a request calls, what it does to the cluster, and which indices it names. */

/**
 * Effect of a request.
 *
 * - `read`: changes nothing that a later response contains.
 * - `write`: changes documents.
 * - `context`: opens, continues or closes a scroll or a point in time.
 * - `other`: changes or reads the cluster itself. A replay leaves such requests out.
 */
export type Effect = 'read' | 'write' | 'context' | 'other';

export interface TrafficKind {
  /** Name in tables and metrics, such as `search`. */
  name: string;
  effect: Effect;
  /** Names of the indices in the path, decoded and separated at commas. Empty if the path contains none. */
  indices: readonly string[];
  /** Id of the document in the path, decoded. Absent if the path contains no id. */
  id?: string;
  /** Reason why a replay leaves the request out. Present only for the effect `other`. */
  why?: string;
}

interface Api {
  name: string;
  effect: Effect;
  methods: readonly string[];
  /**
   * Patterns of paths, as lists of segments. `{index}`, `{id}` and `*` match one segment each. A segment with a leading underscore never
   * matches `{index}`, except `_all`. A segment that looks like the name of an API never matches `{id}` or `*`, see {@link isApiWord}.
   */
  paths: readonly string[];
  why?: string;
}

const READ = ['GET', 'POST'];
const WRITE = ['PUT', 'POST'];

const APIS: readonly Api[] = [
  {
    name: 'search',
    effect: 'read',
    methods: READ,
    paths: ['_search', '{index}/_search', '{index}/_doc/_search', '{index}/*/_search'],
  },
  { name: 'msearch', effect: 'read', methods: READ, paths: ['_msearch', '{index}/_msearch'] },
  {
    name: 'search-template',
    effect: 'read',
    methods: READ,
    paths: ['_search/template', '{index}/_search/template'],
  },
  { name: 'render-template', effect: 'read', methods: READ, paths: ['_render/template'] },
  {
    name: 'msearch-template',
    effect: 'read',
    methods: READ,
    paths: ['_msearch/template', '{index}/_msearch/template'],
  },
  { name: 'count', effect: 'read', methods: READ, paths: ['_count', '{index}/_count'] },
  {
    name: 'get',
    effect: 'read',
    methods: ['GET', 'HEAD'],
    paths: ['{index}/_doc/{id}'],
  },
  { name: 'get-source', effect: 'read', methods: ['GET', 'HEAD'], paths: ['{index}/_source/{id}'] },
  { name: 'mget', effect: 'read', methods: READ, paths: ['_mget', '{index}/_mget'] },
  { name: 'explain', effect: 'read', methods: READ, paths: ['{index}/_explain/{id}'] },
  { name: 'terms-enum', effect: 'read', methods: READ, paths: ['{index}/_terms_enum'] },
  {
    name: 'termvectors',
    effect: 'read',
    methods: READ,
    paths: ['{index}/_termvectors', '{index}/_termvectors/{id}'],
  },
  { name: 'field-caps', effect: 'read', methods: READ, paths: ['_field_caps', '{index}/_field_caps'] },
  { name: 'validate', effect: 'read', methods: READ, paths: ['_validate/query', '{index}/_validate/query'] },
  { name: 'knn-search', effect: 'read', methods: READ, paths: ['{index}/_knn_search'] },
  { name: 'vector-tile', effect: 'read', methods: READ, paths: ['{index}/_mvt/*/*/*/*'] },
  { name: 'eql', effect: 'read', methods: READ, paths: ['{index}/_eql/search'] },
  { name: 'esql', effect: 'read', methods: ['POST'], paths: ['_query'] },
  { name: 'sql', effect: 'read', methods: READ, paths: ['_sql', '_plugins/_sql', '_plugins/_ppl'] },
  { name: 'bulk', effect: 'write', methods: WRITE, paths: ['_bulk', '{index}/_bulk'] },
  {
    name: 'index',
    effect: 'write',
    methods: WRITE,
    paths: ['{index}/_doc', '{index}/_doc/{id}', '{index}/_create/{id}'],
  },
  { name: 'update', effect: 'write', methods: ['POST'], paths: ['{index}/_update/{id}'] },
  { name: 'delete', effect: 'write', methods: ['DELETE'], paths: ['{index}/_doc/{id}'] },
  { name: 'update-by-query', effect: 'write', methods: ['POST'], paths: ['{index}/_update_by_query'] },
  { name: 'delete-by-query', effect: 'write', methods: ['POST'], paths: ['{index}/_delete_by_query'] },
  { name: 'refresh', effect: 'write', methods: READ, paths: ['_refresh', '{index}/_refresh'] },
  { name: 'scroll', effect: 'context', methods: READ, paths: ['_search/scroll', '_search/scroll/*'] },
  {
    name: 'close-scroll',
    effect: 'context',
    methods: ['DELETE'],
    paths: ['_search/scroll', '_search/scroll/*'],
  },
  {
    name: 'open-point-in-time',
    effect: 'context',
    methods: ['POST'],
    paths: ['{index}/_pit', '{index}/_search/point_in_time'],
  },
  {
    name: 'close-point-in-time',
    effect: 'context',
    methods: ['DELETE'],
    paths: ['_pit', '_search/point_in_time'],
  },
  { name: 'ping', effect: 'read', methods: ['GET', 'HEAD'], paths: [''] },
  {
    name: 'index-exists',
    effect: 'read',
    methods: ['HEAD'],
    paths: ['{index}'],
  },
];

/** Kinds of requests that change documents. */
export const WRITES: ReadonlySet<string> = new Set(
  APIS.flatMap(({ name, effect }) => (effect === 'write' ? [name] : [])),
);

/**
 * Reasons why requests are left out if their API is not in `APIS`. The first segment of the path that begins with an underscore selects the
 * reason.
 */
const REASONS: readonly [pattern: RegExp, name: string, why: string][] = [
  [/^_(?:security|xpack|oauth2|saml|oidc)$/, 'security', 'it belongs to security'],
  [
    /^_(?:cluster|nodes|tasks|remote|snapshot|ilm|slm|plugins|license|migration|features)$/,
    'cluster',
    'it administers or reads the cluster',
  ],
  [
    /^_(?:cat|stats|segments|recovery|resolve|info|health_report)$/,
    'statistics',
    'it reads statistics of the cluster',
  ],
  [
    /^_(?:ingest|scripts|template|index_template|component_template|data_stream|transform|ml|watcher|enrich|rollup|ccr|inference)$/,
    'set-up',
    'it changes or reads the set-up of the cluster',
  ],
  [
    /^_(?:mapping|mappings|settings|alias|aliases|open|close|shrink|split|clone|rollover|forcemerge|flush|cache|reindex|block|freeze|unfreeze)$/,
    'index-administration',
    'it administers indices',
  ],
  [/^_(?:async_search|render|scripts)$/, 'asynchronous', 'its id belongs to the recorded cluster'],
];

interface Compiled {
  api: Api;
  segments: readonly string[];
}

const COMPILED: ReadonlyMap<number, readonly Compiled[]> = (() => {
  const byLength = new Map<number, Compiled[]>();
  for (const api of APIS)
    for (const path of api.paths) {
      const segments = path === '' ? [] : path.split('/');
      const same = byLength.get(segments.length);
      if (same === undefined) byLength.set(segments.length, [{ api, segments }]);
      else same.push({ api, segments });
    }
  return byLength;
})();

const isIndex = (segment: string): boolean => !segment.startsWith('_') || segment === '_all';

/**
 * Returns whether a segment looks like the name of an API, such as `_bulk`. Such a segment is never an id, because Elasticsearch 7 also has
 * APIs with a type in their path (`/shop/_doc/_bulk`). An id that Elasticsearch generates may begin with an underscore, but it also
 * contains digits or capital letters.
 */
function isApiWord(segment: string): boolean {
  const word = decoded(segment);
  return word !== '_all' && /^_[a-z][a-z_]+$/.test(word);
}

/** Returns whether the segments of a path match a pattern, see {@link Api.paths}. */
const matches = (pattern: readonly string[], segments: readonly string[]): boolean =>
  pattern.every((part, at) => {
    const segment = segments[at]!;
    if (part === '{index}') return isIndex(segment);
    return part === '*' || part === '{id}' ? !isApiWord(segment) : part === segment;
  });

/** Decodes a segment of a path. Returns the segment unchanged if it is malformed. */
export function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** Matches characters that a path must not contain unencoded, because a client, a proxy or a server would end the path there. */
const UNSAFE_CHARACTER = /[^!-~]|[?#\\]/;

/** Maximum number of times that a segment is decoded, to find `.` and `..` in it. */
const MOST_DECODED = 5;

/** Returns whether a client or a proxy could read a segment as `.` or `..`. The request would then reach another path. */
function hasDotSegment(segment: string): boolean {
  let text = segment;
  for (let times = 0; times < MOST_DECODED; times += 1) {
    if (text.split(/[/\\]/).some((part) => part === '.' || part === '..')) return true;
    const next = decoded(text);
    if (next === text) return false;
    text = next;
  }
  return true;
}

const UNSAFE: TrafficKind = {
  name: 'unknown',
  effect: 'other',
  indices: [],
  why: 'its path can be read in several ways',
};

/** Returns the kind of a request. `path`: path as it was sent, below the base path of the cluster and without the query. */
export function trafficKind(method: string, path: string): TrafficKind {
  // Elasticsearch ignores a slash at the end.
  const segments = path.replace(/^\//, '').replace(/\/$/, '').split('/');
  if (segments.length === 1 && segments[0] === '') segments.length = 0;
  if (UNSAFE_CHARACTER.test(path) || segments.some((segment) => segment === '' || hasDotSegment(segment)))
    return UNSAFE;
  for (const { api, segments: pattern } of COMPILED.get(segments.length) ?? []) {
    if (!api.methods.includes(method) || !matches(pattern, segments)) continue;
    const at = pattern.indexOf('{id}');
    return {
      name: api.name,
      effect: api.effect,
      indices: pattern[0] === '{index}' ? decoded(segments[0]!).split(',') : [],
      ...(at < 0 ? {} : { id: decoded(segments[at]!) }),
    };
  }
  return otherKind(method, segments);
}

function otherKind(method: string, segments: readonly string[]): TrafficKind {
  const [first = ''] = segments;
  const indices = first !== '' && isIndex(first) ? decoded(first).split(',') : [];
  const apis = segments.filter((segment) => segment.startsWith('_') && segment !== '_all');
  const [api = ''] = apis;
  const reason = REASONS.find(([pattern]) => pattern.test(api));
  if (reason !== undefined) return { name: reason[1], effect: 'other', indices, why: reason[2] };
  if (segments.length === 1 && indices.length > 0)
    return {
      name: 'index-administration',
      effect: 'other',
      indices,
      why: 'it creates, reads or deletes an index',
    };
  return {
    name: 'unknown',
    effect: 'other',
    indices,
    why: `Dyno does not know ${method} ${apis.join('/') || 'this path'}`,
  };
}
