/** Simulates the results cluster: documents in memory, with versions as in Elasticsearch. It can be unavailable or hang. */
import type {
  ElasticsearchClient,
  ElasticsearchRequest,
  ElasticsearchResponse,
} from '../../../common/elasticsearch/client';
import { runError } from '../../../common/problem';

interface Stored {
  version: number;
  source: { run?: { id: string }; trial?: { id: string } };
}

export interface FakeCluster {
  client: ElasticsearchClient;
  /** Documents by `index/id`. */
  documents: Map<string, Stored>;
  /** `away`: refuses connections. `hangs`: does not answer until the state is `answers` again. */
  state: 'answers' | 'away' | 'hangs';
  requests: ElasticsearchRequest[];
}

const HANG_LOOK_MS = 5;

export function fakeCluster(): FakeCluster {
  const documents = new Map<string, Stored>();

  function index(key: string, version: number | undefined, source: Stored['source']): number {
    const stored = documents.get(key);
    if (version !== undefined && stored && stored.version > version) return 409;
    documents.set(key, { version: version ?? (stored?.version ?? 0) + 1, source });
    return stored ? 200 : 201;
  }

  function bulk(body: string): unknown {
    const lines = body.trim().split('\n');
    const items = [];
    for (let at = 0; at < lines.length; at += 2) {
      const { index: action } = JSON.parse(lines[at]!) as {
        index: { _index: string; _id: string; version?: number };
      };
      const source = JSON.parse(lines[at + 1]!) as Stored['source'];
      items.push({ index: { status: index(`${action._index}/${action._id}`, action.version, source) } });
    }
    return { items };
  }

  function answer({ method, path, body }: ElasticsearchRequest): ElasticsearchResponse<unknown> {
    const ok = (body: unknown): ElasticsearchResponse<unknown> => ({ status: 200, body });
    if (path === '/_bulk') return ok(bulk(body as string));
    const one = /^\/([^/]+)\/_doc\/(.+)$/.exec(path);
    if (one && method === 'GET') {
      const found = documents.get(`${one[1]!}/${decodeURIComponent(one[2]!)}`);
      return found
        ? ok({ found: true, _version: found.version, _source: found.source })
        : { status: 404, body: { found: false } };
    }
    if (path === '/_mget') {
      const { docs } = body as { docs: { _index: string; _id: string }[] };
      const found = docs.map(({ _index, _id }) => documents.get(`${_index}/${_id}`));
      return ok({
        docs: found.map((one) => (one ? { found: true, _version: one.version } : { found: false })),
      });
    }
    const search = /^\/([\w-]+)-\*\/_search$/.exec(path);
    if (search) {
      const { query } = body as { query: { term: { 'run.id': string } } };
      const hits = [...documents]
        .filter(
          ([key, { source }]) => key.startsWith(`${search[1]!}-`) && source.run?.id === query.term['run.id'],
        )
        .map(([, { source }]) => ({ _source: source }));
      return ok({ _shards: { total: 1 }, hits: { hits } });
    }
    return ok({});
  }

  const cluster: FakeCluster = {
    documents,
    state: 'answers',
    requests: [],
    client: {
      async request<T>(request: ElasticsearchRequest) {
        cluster.requests.push(request);
        const since = Date.now();
        while (cluster.state === 'hangs') {
          if (request.signal?.aborted) throw request.signal.reason;
          if (Date.now() - since > (request.timeoutMs ?? 30_000))
            throw runError('elasticsearch.timeout', '', 'no answer in time');
          await new Promise((resolve) => setTimeout(resolve, HANG_LOOK_MS));
        }
        if (cluster.state === 'away')
          throw runError('elasticsearch.unreachable', '', 'nothing listens there');
        return structuredClone(answer(request)) as ElasticsearchResponse<T>;
      },
    },
  };
  return cluster;
}
