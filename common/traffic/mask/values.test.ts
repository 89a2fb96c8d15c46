/** Tests values that look like something else: like points and shapes, vectors or relations. */
import { maskAll, one, search, store, two, type Masked } from './testing/mask-all';

test('a text that only begins like a shape is masked', () => {
  const texts = [
    'POINT (13.4 52.5) of sale in Berlin',
    'POINT of sale in Berlin',
    'LINESTRING (Anna 52.5)',
    'POLYGON ((1 2, 3 4)) Berlin',
    'GEOMETRYCOLLECTION (POINT (1 2), Berlin)',
    'SRID=555123;POINT (13.4 52.5)',
    'POINT (5551234 52.5)',
  ];
  for (const text of texts) {
    const { text: masked } = one(store({ note: text }));
    expect(masked).not.toMatch(/Berlin|Anna|sale|POINT|LINESTRING|555/);
  }
});

test('whole shapes in well-known text move, with all their points', () => {
  const texts = [
    'POINT Z (13.4 52.5 30)',
    'LINESTRING (13.4 52.5, 13.5 52.6)',
    'POLYGON ((13.4 52.5, 13.5 52.6, 13.6 52.7), (13.4 52.5, 13.5 52.6, 13.6 52.7))',
    'MULTIPOINT ((13.4 52.5), (13.5 52.6))',
    'MULTIPOLYGON (((13.4 52.5, 13.5 52.6)), ((13.4 52.5, 13.5 52.6)))',
    'GEOMETRYCOLLECTION (POINT (13.4 52.5), LINESTRING (13.5 52.6, 13.4 52.5))',
    'BBOX (13.4, 13.5, 52.6, 52.5)',
  ];
  for (const text of texts) {
    const masked = one(store({ area: text })).body.area as string;
    expect(masked).not.toMatch(/\b(?:13\.[456]|52\.[567]|30)\b/);
    expect(masked.replaceAll(/-?\d+(?:\.\d+)?/g, '#')).toBe(
      text.replaceAll(/(-?\d+(?:\.\d+)? -?\d+(?:\.\d+)?) \d+/g, '$1').replaceAll(/-?\d+(?:\.\d+)?/g, '#'),
    );
  }
});

test('numbers beyond the limits of degrees are masked like other numbers', () => {
  const { body, text } = one(
    store({
      a: { lat: 5_551_234, lon: 13.4 },
      b: { lat: 52.5, lon: 4711.25 },
      c: { type: 'Point', coordinates: [13.4, 5_551_234] },
      d: '95.5,13.4',
    }),
  );
  expect(text).not.toMatch(/5551234|4711\.25|95\.5/);
  expect(Object.keys(body.a)).toEqual(['lat', 'lon']);
});

test('latitudes near the poles are masked too', () => {
  const { body } = one(store({ a: { lat: 89.99, lon: 13.4 }, b: { lat: -89.25, lon: 13.4 } }));
  expect(body.a.lat).not.toBe(89.99);
  expect(body.b.lat).not.toBe(-89.25);
});

test('texts that look like places are masked as texts if other texts of the field do not', () => {
  const { masked } = maskAll([
    store({ note: 'jumper 12.995,24.995', prices: '12.99,24.99' }),
    store({ note: '12.995,24.995', prices: '12.49,24.99' }),
    search({ term: { note: '12.995,24.995' } }),
  ]) as { masked: Masked[] };
  const { note, prices } = masked[1]!.body;
  for (const text of [note, prices]) expect(text).not.toMatch(/1[23]\./);
  expect(note).toMatch(/^\d\d\.\d{3},\d\d\.\d{3}$/);
  expect(masked[2]!.body.query.term.note).toBe(note);
});

test('a rectangle around the earth keeps only its longitudes', () => {
  const box = (corners: object): Masked => one(search({ geo_bounding_box: { place: corners } }));
  const { body } = box({ top_left: { lat: 53.1, lon: -180 }, bottom_right: { lat: 47.2, lon: 180 } });
  const { top_left: first, bottom_right: last } = body.query.geo_bounding_box.place;
  expect([first.lon, last.lon]).toEqual([-180, 180]);
  expect([first.lat, last.lat]).not.toContain(53.1);
  expect([first.lat, last.lat]).not.toContain(47.2);
  const { text } = box({ top_left: [-180, 53.1], bottom_right: [180, 47.2], note: 'Anna' });
  expect(text).not.toMatch(/Anna|53\.1/);
  expect(box({ top: 53.1, left: -180, bottom: 47.2, right: 180, top_left: 'Anna' }).text).not.toContain(
    'Anna',
  );
});

const NUMBERS = Array.from({ length: 16 }, (_, at) => 4_915_100_000 + 7919 * at);
const BYTES = Array.from({ length: 16 }, (_, at) => 17 * at - 128);
const nearest = (vector: readonly number[]): { path: string; body: object } => ({
  path: '/shop/_search',
  body: { knn: { field: 'v', query_vector: vector, k: 5, num_candidates: 50 } },
});
const common = (one: readonly number[], other: readonly number[]): number[] =>
  one.filter((number) => other.includes(number));

test('each number of a list of integers is masked, also if a search takes the list for a vector', () => {
  const alone = one(store({ v: NUMBERS })).body.v as number[];
  expect(common(alone, NUMBERS)).toEqual([]);
  const [stored, found] = two(store({ v: NUMBERS }), nearest(NUMBERS));
  expect(common(stored.body.v as number[], NUMBERS)).toEqual([]);
  expect(found.body.knn.query_vector).toEqual(stored.body.v);
  const bytes = one(store({ v: BYTES })).body.v as number[];
  expect(bytes.toSorted((a, b) => a - b)).not.toEqual(BYTES);
});

test('a vector of bytes that a search names gets another order, but not a list with other numbers', () => {
  const [stored, found] = two(store({ v: BYTES }), nearest(BYTES));
  const masked = stored.body.v as number[];
  expect(masked).not.toEqual(BYTES);
  expect(masked.toSorted((a, b) => a - b)).toEqual(BYTES);
  expect(found.body.knn.query_vector).toEqual(masked);
  const [, other] = two(store({ v: BYTES }), nearest(NUMBERS));
  expect(common(other.body.knn.query_vector as number[], NUMBERS)).toEqual([]);
});

test('integers in a field of vectors with decimals are rotated, and no element only changes its sign', () => {
  const decimals = Array.from({ length: 17 }, (_, at) => at + 0.5);
  const integers = Array.from({ length: 17 }, (_, at) => 1000 + at);
  const { masked } = maskAll([store({ v: decimals }), store({ v: integers })]) as { masked: Masked[] };
  const [first, second] = masked.map(({ body }) => (body.v as number[]).map(Math.abs));
  expect(common(first!, decimals)).toEqual([]);
  expect(common(second!, integers)).toEqual([]);
  const length = (vector: readonly number[]): number => Math.hypot(...vector);
  expect(length(second!)).toBeCloseTo(length(integers), 1);
});

test('no pair of elements of a rotated vector has the length of an element', () => {
  const sparse = Array.from({ length: 32 }, (_, at) => (at % 8 === 0 ? 1000 + at + 0.25 : 0));
  const masked = one(store({ v: sparse })).body.v as number[];
  const lengths = masked.flatMap((x) => masked.map((y) => Math.hypot(x, y)));
  const known = sparse.filter((number) => number > 0);
  expect(known.filter((number) => lengths.some((length) => Math.abs(length - number) < 0.01))).toEqual([]);
});

test('only a circle keeps its radius', () => {
  const shape = (type: string): unknown => ({ type, coordinates: [13.4, 52.5], radius: '4711km' });
  const { body } = one(store({ a: shape('circle'), b: shape('Point') }));
  expect([body.a.radius, body.b.radius]).toEqual(['4711km', undefined]);
});

test('objects with other keys than name and parent are no relations', () => {
  const { masked } = maskAll([
    store({ owner: { name: 'answer', parent: 'Bob' } }),
    store({ owner: { name: 'Anna', parent: 'Bob', age: 5 } }),
    search({ has_child: { type: 'answer', query: { match_all: {} } } }),
    search({ term: { owner: 'Anna' } }),
  ]) as { masked: Masked[] };
  expect(masked.map(({ text }) => text).join()).not.toMatch(/Anna|Bob/);
  expect(masked[0]!.text).not.toContain('answer');
});

test('a field or query with more than ten names has no relations', () => {
  const names = Array.from({ length: 11 }, (_, at) => `Anna${'abcdefghijk'[at]!}`);
  const { masked } = maskAll([
    ...names.map((name) => store({ owner: { name, parent: '1' } })),
    search({ has_child: { type: names[0], query: { match_all: {} } } }),
  ]) as { masked: Masked[] };
  expect(
    masked
      .slice(0, -1)
      .map(({ text }) => text)
      .join(),
  ).not.toContain('Anna');
  const { masked: queries } = maskAll(
    names.map((type) => search({ has_child: { type, query: { match_all: {} } } })),
  ) as { masked: Masked[] };
  expect(queries.map(({ text }) => text).join()).not.toContain('Anna');
});

test('a value that is no relation is masked in a join field', () => {
  const { masked } = maskAll([
    store({ link: 'question' }),
    store({ link: { name: 'answer', parent: '1' } }),
    search({ has_child: { type: 'answer', query: { term: { link: 'Anna' } } } }),
    { path: '/shop/_search', body: { aggs: { a: { children: { type: 'answer' } } } } },
  ]) as { masked: Masked[] };
  expect(masked[0]!.body.link).toBe('question');
  expect(masked[2]!.text).not.toContain('Anna');
  expect(Object.values(masked[3]!.body.aggs)).toEqual([{ children: { type: 'answer' } }]);
});
