import { writeFloat } from './number-text';
import { VectorMaker, vectorProblems, vectorsMapping, vectorsSchema, type GeneratedVectors } from './vectors';

const SET: GeneratedVectors = {
  kind: 'generated',
  dimensions: 8,
  clusters: 5,
  spread: 0.2,
  normalise: true,
  seed: 1,
};
const made = (set: GeneratedVectors, role: 'documents' | 'queries', number: number): number[] => {
  const into = new Float32Array(set.dimensions);
  new VectorMaker(set, role).make(number, into);
  return [...into];
};
const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, at) => sum + value * other[at]!, 0);

test('a vector is always the same, has length 1, and at most six decimals', () => {
  const maker = new VectorMaker(SET, 'documents');
  const later = new Float32Array(8);
  for (const number of [7, 3, 7]) maker.make(number, later);
  expect([...later]).toEqual(made(SET, 'documents', 7));
  expect(dot([...later], [...later])).toBeCloseTo(1, 5);
  for (const value of later) expect(Math.fround(Math.round(value * 1e6) / 1e6)).toBe(value);
});

// If the bits differed from those of earlier versions, new measurements could not be compared with earlier ones.
test('the same seed always gives the same bits', () => {
  expect(
    made({ ...SET, dimensions: 3, clusters: 2 }, 'documents', 0).map((value) => value.toFixed(6)),
  ).toEqual(['0.676028', '0.724282', '-0.135655']);
});

test('queries are around the same centres as documents, but differ from them', () => {
  const maker = new VectorMaker(SET, 'documents');
  const all = Array.from({ length: 200 }, (_, number) => {
    const vector = new Float32Array(8);
    return { cluster: maker.make(number, vector), vector: [...vector] };
  });
  expect(new Set(all.map(({ cluster }) => cluster)).size).toBe(5);
  for (let number = 0; number < 20; number += 1) {
    const query = made(SET, 'queries', number);
    const nearest = all.map(({ vector }) => dot(vector, query)).sort((one, other) => other - one);
    expect(nearest[0]).toBeGreaterThan(0.8);
    expect(nearest[0]).toBeLessThan(0.99999);
    // The nearest vectors belong to the same cluster. Vectors of other clusters are farther away.
    expect(nearest.filter((found) => found < 0.8).length).toBeGreaterThan(80);
  }
});

test('another seed gives other vectors, and without normalisation they keep their length', () => {
  expect(made({ ...SET, seed: 2 }, 'documents', 0)).not.toEqual(made(SET, 'documents', 0));
  const long = made({ ...SET, normalise: false, dimensions: 100 }, 'documents', 0);
  expect(Math.sqrt(dot(long, long))).toBeGreaterThan(5);
});

test('a float is written with enough digits to read the same bits', () => {
  const out = new Uint8Array(40);
  const written = (value: number): string => Buffer.from(out.slice(0, writeFloat(out, 0, value))).toString();
  expect([0, 1, -1, 0.5, Math.fround(-0.123456), 1500].map(written)).toEqual([
    '0.0',
    '1.0',
    '-1.0',
    '0.5',
    '-0.123456',
    '1500.0',
  ]);
  const bits = new Uint32Array(1);
  const float = new Float32Array(bits.buffer);
  for (let i = 0; i < 20_000; i += 1) {
    bits[0] = Math.imul(i + 1, 0x9e3779b1);
    if (!Number.isFinite(float[0]!)) continue;
    const text = written(float[0]!);
    expect([text, Math.fround(JSON.parse(text) as number)]).toEqual([text, float[0] === 0 ? 0 : float[0]]);
  }
});

test('keys that do not fit together are reported with the allowed values', () => {
  const problem = (written: object): string[] =>
    vectorProblems(vectorsSchema.parse(written), 'source.vectors').map(
      ({ path, message, allowed }) => `${path}: ${message} (${allowed})`,
    );
  expect(problem({ dimensions: 3 })).toEqual([]);
  expect(problem({ file: 'a.npy' })).toEqual([]);
  expect(problem({})).toEqual([
    'source.vectors: has neither a number of dimensions nor a file (dimensions: a number, or file: a .fvecs, .npy or .ndjson)',
  ]);
  expect(problem({ file: 'a.txt' })).toEqual([
    'source.vectors.file: is not a file of vectors by its name (.fvecs, .npy or .ndjson)',
  ]);
  expect(problem({ file: 'a.npy', clusters: 3 })).toEqual([
    'source.vectors.clusters: is only for generated vectors, and these come from a file (only file, or no file)',
  ]);
});

test('an index without a mapping gets a field for them', () => {
  expect(vectorsMapping(vectorsSchema.parse({ dimensions: 3 })).properties['embedding']).toEqual({
    type: 'dense_vector',
    dims: 3,
    similarity: 'dot_product',
  });
});
