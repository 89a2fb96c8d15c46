import { readDefinition } from '../../../common/experiment/read';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../../common/elasticsearch/client';
import { parametersOf } from '../../../common/tasks/registry';
import { withFoundTerms } from './terms';

const definitionWith = (parameters: object): CellDefinition =>
  resolveCells(
    readDefinition({
      version: 1,
      name: 'test',
      index: { mapping: {} },
      tasks: [{ name: 'reads', requests: { list: [{ name: 'a', count: {} }], parameters } }],
    }),
  )[0]!.definition;

/** A target whose fields hold these buckets. */
function target(fields: Record<string, object[]>) {
  const asked: ElasticsearchRequest[] = [];
  const client = {
    request(request: ElasticsearchRequest) {
      asked.push(request);
      const { field } = (request.body as { aggs: { terms: { terms: { field: string } } } }).aggs.terms.terms;
      const buckets = fields[field];
      return Promise.resolve(
        buckets === undefined
          ? {
              status: 400,
              body: {
                error: { type: 'illegal_argument_exception', reason: `Fielddata is disabled on [${field}]` },
              },
            }
          : { status: 200, body: { aggregations: { terms: { buckets } } } },
      );
    },
  } as unknown as ElasticsearchClient;
  return { asked, client };
}

test('terms that were found take the place of their fields, with their frequencies or evenly', async () => {
  const { asked, client } = target({
    user: [
      { key: 'ann', doc_count: 9 },
      { key: 'bob', doc_count: 1 },
    ],
    at: [{ key: 1700000000000, key_as_string: '2023-11-14T22:13:20.000Z', doc_count: 4 }],
  });
  const definition = await withFoundTerms(
    client,
    ['t-1', 't-2'],
    definitionWith({
      often: { terms: { field: 'user' } },
      even: { terms: { field: 'user', by: 'even' } },
      at: { terms: { field: 'at', size: 5 } },
      other: { range: { to: 3 } },
    }),
  );
  expect(parametersOf(definition.tasks[0]!)).toEqual({
    often: {
      weighted: [
        { value: 'ann', weight: 9 },
        { value: 'bob', weight: 1 },
      ],
    },
    even: { values: ['ann', 'bob'] },
    at: { weighted: [{ value: '2023-11-14T22:13:20.000Z', weight: 4 }] },
    other: { range: { from: 0, to: 3 } },
  });
  expect(asked.map(({ path }) => path)).toEqual(['/t-1%2Ct-2/_search', '/t-1%2Ct-2/_search']);
});

test('a field without terms, or of which none can be listed, ends the trial with what to do', async () => {
  const { client } = target({ empty: [] });
  const of = (field: string): Promise<CellDefinition> =>
    withFoundTerms(client, ['t'], definitionWith({ a: { terms: { field } } }));
  await expect(of('empty')).rejects.toThrow(/no document of t has a term of empty.*preload/);
  await expect(of('message')).rejects.toThrow('Fielddata is disabled on [message]');
});

test('without such parameters nothing is asked', async () => {
  const { asked, client } = target({});
  const definition = definitionWith({ a: { values: [1] } });
  expect(await withFoundTerms(client, ['t'], definition)).toBe(definition);
  expect(asked).toEqual([]);
});
