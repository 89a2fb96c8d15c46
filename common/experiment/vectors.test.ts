import { problemsOf } from './testing/problems';
import { similarityOf } from './vectors';

const field = { type: 'dense_vector', dims: 8, similarity: 'l2_norm' };
const definition = (more: object = {}, request: object = {}, parameter: object = {}): object => ({
  version: 1,
  name: 'Vectors',
  index: { mapping: { properties: { embedding: field, tag: { type: 'keyword' } } } },
  preload: { documents: 10, source: { vectors: { dimensions: 8 } } },
  tasks: [
    {
      name: 'queries',
      requests: {
        list: [{ name: 'near', knn: { vector: '{{q}}', ...request } }],
        parameters: { q: { vector: parameter }, tag: { values: ['a'] } },
      },
    },
  ],
  ...more,
});

const problems = (written: object): string[] =>
  problemsOf(written).map(
    ({ path, message, found, allowed }) => `${path}: ${message} | ${found ?? ''} | ${allowed ?? ''}`,
  );

test('valid parts fit together', () => {
  expect(problems(definition())).toEqual([]);
  expect(problems(definition({ index: {} }))).toEqual([]);
  expect(problems(definition({ preload: undefined }, {}, { dimensions: 8 }))).toEqual([]);
  expect(problems(definition({}, { vector: [1, 2, 3] }))).toEqual([]);
});

const KNN = 'tasks[0].requests.list[0].knn';
const PARAMETER = 'tasks[0].requests.parameters.q.vector';
test.each([
  [
    definition({}, { k: 20, num_candidates: 10 }),
    `${KNN}.num_candidates: fewer candidates than the 20 requested neighbours |  | 20 to 10000`,
  ],
  [
    definition({}, { params: { filter_path: 'took' } }),
    `${KNN}.params.filter_path: may remove the ids, which are needed to measure recall |  | no filter_path, or recall: 0`,
  ],
  [
    definition({ preload: undefined }),
    `${PARAMETER}.dimensions: is missing, and no generated vectors of a preload provide it |  | dimensions: a number, file: a path, or vectors in preload.source`,
  ],
  [
    definition({ index: {} }, {}, { dimensions: 9 }),
    `${PARAMETER}.dimensions: the vectors of queries and documents have different dimensions | 9 | 8`,
  ],
  [
    definition({}, {}, { file: 'q.csv' }),
    `${PARAMETER}.file: is not a file of vectors by its name |  | .fvecs, .npy or .ndjson`,
  ],
  [
    definition({ preload: { documents: 10, source: { vectors: {} } } }, {}, { dimensions: 8 }),
    'preload.source.vectors: has neither a number of dimensions nor a file |  | dimensions: a number, or file: a .fvecs, .npy or .ndjson',
  ],
  [
    definition({ preload: { documents: 10, source: { vectors: { dimensions: 9 } } } }),
    'preload.source.vectors.field: embedding has different dimensions in index.mapping | 9 | 8, as its dims',
  ],
  [
    definition({}, { field: 'tag' }),
    'tasks[0].requests: tag is not a field of vectors in index.mapping | "keyword" | type: dense_vector, or knn_vector on OpenSearch',
  ],
  [
    definition({}, { field: 'other' }),
    'tasks[0].requests: the mapping has no field other | other | a dense_vector or knn_vector in index.mapping: embedding, tag',
  ],
  [
    definition({}, { filter: { term: { tag: '{{tag}}' } } }),
    'tasks[0].requests: the filter of a knn request draws {{tag}}, so the true neighbours change with every query | {{tag}} | a filter without parameters, or recall: 0',
  ],
])('each misfit is reported once: %#', (written, expected) => {
  expect(problems(written)).toContain(expected);
});

test('a vector that is neither a parameter nor a list of numbers is refused with the allowed forms', () => {
  const [expected] = problems(definition({}, { vector: 'near {{q}}' }));
  expect(expected).toContain(`${KNN}.vector`);
  expect(expected).toContain("a parameter alone, such as '{{query}}', or a list of numbers");
});

test('the mapping defines the similarity of vectors, and the default is cosine', () => {
  const mapping = {
    properties: { a: { properties: { b: field } }, c: { type: 'dense_vector' }, 'd.e': field },
  };
  expect(['a.b', 'c', 'd.e', 'none'].map((name) => similarityOf(mapping, name))).toEqual([
    'l2_norm',
    'cosine',
    'l2_norm',
    'cosine',
  ]);
});

test('a knn_vector of OpenSearch has its own keys for dimensions and similarity', () => {
  const ofOpenSearch = (own: object): object => ({
    index: {
      settings: { knn: true },
      mapping: { properties: { embedding: { type: 'knn_vector', ...own } } },
    },
  });
  expect(problems(definition(ofOpenSearch({ dimension: 8 })))).toEqual([]);
  expect(problems(definition(ofOpenSearch({ dimension: 9 })))).toContain(
    'preload.source.vectors.field: embedding has different dimensions in index.mapping | 8 | 9, as its dimension',
  );
  const similarity = (own: object): string =>
    similarityOf({ properties: { v: { type: 'knn_vector', ...own } } }, 'v');
  expect(similarity({})).toBe('l2_norm');
  expect(similarity({ space_type: 'innerproduct' })).toBe('max_inner_product');
  expect(similarity({ method: { name: 'hnsw', space_type: 'cosinesimil' } })).toBe('cosine');
});
