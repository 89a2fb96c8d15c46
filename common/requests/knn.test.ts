import type { Engine } from '../elasticsearch/engine';
import { knn } from './knn';

const bodyOn = (engine: Engine, more: object = {}): unknown => {
  const given = knn.schema.parse({ vector: '{{query}}', k: 5, num_candidates: 40, ...more });
  const [step] = knn.steps(given, engine);
  return (step!.body as { json: unknown }).json;
};

test('Elasticsearch gets the key knn of a search', () => {
  expect(bodyOn('elasticsearch', { similarity: 0.5 })).toEqual({
    knn: { field: 'embedding', query_vector: '{{query}}', k: 5, num_candidates: 40, similarity: 0.5 },
    size: 5,
    _source: false,
  });
});

test('OpenSearch gets the query knn of its plugin, with the candidates as ef_search', () => {
  const filter = { range: { ordinal: { lt: 9 } } };
  const query = (own: object): object => ({
    query: { knn: { embedding: { vector: '{{query}}', k: 5, ...own } } },
    size: 5,
    _source: false,
  });
  const method_parameters = { ef_search: 40 };
  expect(bodyOn('opensearch')).toEqual(query({ method_parameters }));
  expect(bodyOn('opensearch', { num_candidates: undefined, filter })).toEqual(query({ filter }));
  expect(bodyOn('opensearch', { filter: [filter, filter] })).toEqual(
    query({ method_parameters, filter: { bool: { filter: [filter, filter] } } }),
  );
});
