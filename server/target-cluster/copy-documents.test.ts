import type { ElasticsearchClient, ElasticsearchRequest } from '../../common/elasticsearch/client';
import { copyDocuments } from './copy-documents';

interface Body {
  size: number;
  search_after?: [number];
}

/**
 * Simulates OpenSearch 2 with an index of several shards. Documents in different shards have the same sequence numbers. `stored` contains
 * the ids of the documents that were written to it.
 */
function openSearch(
  shards: readonly number[],
  { total = shards.reduce((sum, documents) => sum + documents, 0), failed = 0 } = {},
): { client: ElasticsearchClient; stored: string[]; sizes: number[] } {
  const documents = shards
    .flatMap((count, shard) =>
      Array.from({ length: count }, (_, seqNo) => ({ id: `${shard}-${seqNo}`, seqNo })),
    )
    .sort((a, b) => a.seqNo - b.seqNo);
  const stored: string[] = [];
  const sizes: number[] = [];
  const page = ({ size, search_after: [after] = [-1] }: Body): object => ({
    _shards: { total: shards.length, failed },
    hits: {
      total: { value: total, relation: 'eq' },
      hits: documents
        .filter(({ seqNo }) => seqNo > after)
        .slice(0, size)
        .map(({ id, seqNo }) => ({ _id: id, _source: { n: seqNo }, sort: [seqNo] })),
    },
  });
  const answer = ({ method, path, body }: ElasticsearchRequest): unknown => {
    if (method === 'GET' && path === '/')
      return {
        version: { number: '2.19.6', distribution: 'opensearch' },
        cluster_name: 'c',
        cluster_uuid: 'u',
      };
    if (path.endsWith('/point_in_time')) return { pit_id: 'p' };
    if (path.endsWith('/_bulk')) {
      const ids = String(body)
        .split('\n')
        .flatMap((line) => /"_id":"([^"]+)"/.exec(line)?.[1] ?? []);
      stored.push(...ids);
      sizes.push(ids.length);
      return { errors: false, items: ids.map(() => ({ index: { status: 201 } })) };
    }
    return page(body as Body);
  };
  const client = {
    request: (asked: ElasticsearchRequest) => Promise.resolve({ status: 200, body: answer(asked) }),
  } as ElasticsearchClient;
  return { client, stored, sizes };
}

const copy = (client: ElasticsearchClient): Promise<number> =>
  copyDocuments(client, 'shop', 'copy', { signal: new AbortController().signal });

test.each([[[700]], [[700, 700, 700]], [[500, 500]], [[1, 999, 3]], [[0]]])(
  'shards with %j documents are copied completely, although documents have equal sequence numbers',
  async (shards) => {
    const { client, stored } = openSearch(shards);
    const count = shards.reduce((sum, documents) => sum + documents, 0);
    expect(await copy(client)).toBe(count);
    expect(stored).toHaveLength(count);
    expect(new Set(stored).size).toBe(count);
  },
);

test('a copy with fewer documents than the index, or without one of its shards, is refused', async () => {
  await expect(copy(openSearch([700], { total: 701 }).client)).rejects.toMatchObject({
    code: 'preload.incomplete',
    message: 'preload.from-index: 700 of 701 documents of shop were read',
  });
  await expect(copy(openSearch([700], { failed: 1 }).client)).rejects.toThrow(
    'a shard of shop did not answer',
  );
});
