import { readDefinition } from '../../../common/experiment/read';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { ElasticsearchClient, ElasticsearchRequest } from '../../../common/elasticsearch/client';
import { parametersOf } from '../../../common/tasks/registry';
import { withLookUps } from './look-ups';

const definitionWith = (parameters: object): CellDefinition =>
  resolveCells(
    readDefinition({
      version: 1,
      name: 'test',
      index: { mapping: {} },
      tasks: [{ name: 'reads', requests: { list: [{ name: 'a', count: {} }], parameters } }],
    }),
  )[0]!.definition;

/** Simulates a target. `fields`: buckets of its terms aggregations. `dates`: bounds of its field `dates`. */
function target(fields: Record<string, object[]>, dates: (object | null)[] = []) {
  const asked: ElasticsearchRequest[] = [];
  const client = {
    request(request: ElasticsearchRequest) {
      asked.push(request);
      const { aggs } = request.body as { aggs: { terms?: { terms: { field: string } } } };
      if (aggs.terms === undefined) {
        const [first, last] = dates;
        return Promise.resolve({ status: 200, body: { aggregations: { first, last } } });
      }
      const { field } = aggs.terms.terms;
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

test('terms that were found replace their fields, with their frequencies or evenly', async () => {
  const { asked, client } = target({
    user: [
      { key: 'ann', doc_count: 9 },
      { key: 'bob', doc_count: 1 },
    ],
    at: [{ key: 1700000000000, key_as_string: '2023-11-14T22:13:20.000Z', doc_count: 4 }],
  });
  const definition = await withLookUps(
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

test('a field without terms ends the trial, and the error says what to do', async () => {
  const { client } = target({ empty: [] });
  const of = (field: string): Promise<CellDefinition> =>
    withLookUps(client, ['t'], definitionWith({ a: { terms: { field } } }));
  await expect(of('empty')).rejects.toThrow(/no document of t has a term of empty.*preload/);
  await expect(of('message')).rejects.toThrow('Fielddata is disabled on [message]');
});

test('the bounds of a date field become dates', async () => {
  const first = { value: 1700000000000, value_as_string: '2023-11-14T22:13:20.000Z' };
  const last = { value: 1700003600000.5, value_as_string: '2023-11-14T23:13:20.000Z' };
  const { asked, client } = target({}, [first, last]);
  const definition = await withLookUps(
    client,
    ['t'],
    definitionWith({
      since: { date: { field: '@timestamp', from: 'first+10m', to: 'last-15m', format: 'epoch-ms' } },
      until: { date: { field: '@timestamp', from: 'last', to: 'now' } },
    }),
  );
  expect(parametersOf(definition.tasks[0]!)).toEqual({
    since: { date: { from: '2023-11-14T22:23:20.000Z', to: '2023-11-14T22:58:20.000Z', format: 'epoch-ms' } },
    until: { date: { from: '2023-11-14T23:13:20.000Z', to: 'now', format: 'iso' } },
  });
  expect(asked).toHaveLength(1);
});

test.each([
  ['no date at all', { value: null }],
  ['numbers that are no dates', { value: 5, value_as_string: 'strict_date_time5' }],
])('%s ends the trial with what to do', async (_what, bound) => {
  const parameters = { at: { date: { field: 'age', from: 'first' } } };
  await expect(
    withLookUps(target({}, [bound, bound]).client, ['t'], definitionWith(parameters)),
  ).rejects.toThrow(/no document of t has a date in age.*preload/);
});

test('without such parameters no request is sent', async () => {
  const { asked, client } = target({});
  const definition = definitionWith({ a: { values: [1] } });
  expect(await withLookUps(client, ['t'], definition)).toBe(definition);
  expect(asked).toEqual([]);
});
