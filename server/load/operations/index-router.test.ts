import { createRandom } from '../../../common/random';
import { routeOf } from '../../../common/replay/route';
import { Batch } from '../sources/batch';
import { IndexRouter } from './index-router';

type Route = ConstructorParameters<typeof IndexRouter>[1];

/** Returns the names of a trial's indices. */
const indexNames = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `trial-1-${String(i + 1).padStart(String(count).length, '0')}`);

/** Returns the index of each document, read from the action lines as Elasticsearch reads them. */
function routed(lines: readonly string[], route: Route, count = 2): string[] {
  const router = new IndexRouter(indexNames(count), route);
  const batch = new Batch();
  for (const line of lines) {
    const bytes = Buffer.from(`${router.actionLine}${line}\n`);
    batch.reserve(bytes.length);
    batch.begin();
    batch.append(bytes);
  }
  router.write(batch, 0);
  const written = batch.body().toString().split('\n');
  expect(written.filter((_, i) => i % 2 === 1)).toEqual(lines);
  return lines.map((_, i) => (JSON.parse(written[i * 2]!) as { index: { _index: string } }).index._index);
}

const byRemainder: Route = { field: 'store_id', by: 'remainder' };
const byHash: Route = { field: 'host', by: 'hash' };

describe('documents that go to one of several indices', () => {
  it('by the remainder of a whole number, however it is written', () => {
    expect(
      routed(
        [
          '{"store_id":4}',
          '{"store_id":5,"x":1}',
          '{"a":{"store_id": 7 }}',
          '{"store_id":"12"}',
          '{"store_id":-3}',
          '{"note":"store_id","store_id":1}',
          '{"note":"\\"store_id\\":2","store_id":3}',
          '{"store_id":90071992547409931}',
        ],
        byRemainder,
      ),
    ).toEqual(['1', '2', '2', '1', '2', '2', '2', '2'].map((digit) => `trial-1-${digit}`));
  });

  it('into names of two digits', () => {
    expect(routed(['{"store_id":0}', '{"store_id":9}', '{"store_id":21}'], byRemainder, 12)).toEqual([
      'trial-1-01',
      'trial-1-10',
      'trial-1-10',
    ]);
  });

  it('by the hash of a text: the same text to the same index, and about as many to each', () => {
    const texts = Array.from({ length: 3000 }, (_, i) => `{"host":"host-${i % 1000}","n":${i}}`);
    const indices = routed(texts, byHash, 3);
    expect(indices.slice(0, 1000)).toEqual(indices.slice(1000, 2000));
    for (const name of indexNames(3)) {
      const share = indices.filter((index) => index === name).length / indices.length;
      expect(share).toBeGreaterThan(0.28);
      expect(share).toBeLessThan(0.39);
    }
  });

  it('a text ends with its quote, not with an escaped one, a comma or a brace', () => {
    const [a, b, c] = routed(
      ['{"host":"a,\\"b}"}', '{"z":1,"host":"a,\\"b}","y":2}', '{"host": "a,\\"b}" }'],
      byHash,
      20,
    );
    expect(a).toBe(b);
    expect(a).toBe(c);
  });

  it.each([
    ['{"store":1}', 'has no such field'],
    ['{"note":"store_id"}', 'has no such field'],
    ['{"store_id":1.5}', 'is no whole number'],
    ['{"store_id":"one"}', 'is no whole number'],
    ['{"store_id":null}', 'is no whole number'],
    ['{"store_id":""}', 'is no whole number'],
  ])('refuses %s, which %s', (line, message) => {
    // The next document has the field, but its value must not be used for this document.
    expect(() => routed([line, '{"store_id":1}'], byRemainder)).toThrow(message);
  });
});

test.each([
  ['remainder', [0, 7, -4, 90, '12', '-5']],
  ['hash', [0, -4, 1.5, 'a', 'größe', 'with "quotes"', 'back\\slash']],
] as const)('a search for a value goes where the documents with it are, by %s', (by, values) => {
  const rule = { field: 'key', by } as const;
  const lines = values.map((key) => JSON.stringify({ key }));
  const places = values.map((key) => routeOf({ query: { term: { key } } }, { ...rule, modulo: 3 }));
  expect(places).toEqual(routed(lines, rule, 3).map((name) => ({ place: Number(name.slice(-1)) - 1 })));
});

describe('thousands of values', () => {
  const { unit: random } = createRandom(7);
  const whole = (most: number): number => Math.floor(random() * most);
  const LETTERS = [...'ab01 ,:{}[]"\\/\b\n\t\u0001é€', '😀', '\\"', '\\\\'];
  const word = (): string => Array.from({ length: whole(6) }, () => LETTERS[whole(LETTERS.length)]).join('');
  const sign = (): number => (random() < 0.3 ? -1 : 1);
  const integer = (): number => sign() * whole(10 ** whole(16)) || 0;
  const values = {
    remainder: (): unknown => (random() < 0.5 ? integer() : String(integer())),
    hash: (): unknown => [word, integer, () => sign() * random() * 10 ** (whole(40) - 20)][whole(3)]!(),
  };

  it.each([
    ['remainder', 2],
    ['remainder', 13],
    ['hash', 2],
    ['hash', 20],
  ] as const)('lead documents and searches to the same index, by %s among %i', (by, count) => {
    const rule = { field: 'key', by };
    const keys = Array.from({ length: 4000 }, values[by]);
    // The key is in the middle or at the end of a document.
    const lines = keys.map((key, i) => JSON.stringify(i % 2 === 0 ? { key } : { a: 1, key, z: 'end"' }));
    const documents = routed(lines, rule, count).map((name) => Number(name.slice(-2).replace('-', '')) - 1);
    const searches = keys.map((key) => routeOf({ query: { term: { key } } }, { ...rule, modulo: count }));
    const apart = keys.flatMap((key, i) => {
      const search = searches[i]!;
      return 'place' in search && search.place === documents[i]
        ? []
        : [{ key, search, document: documents[i] }];
    });
    expect(apart).toEqual([]);
    expect(new Set(documents).size).toBe(count);
  });
});
