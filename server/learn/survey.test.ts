import { Survey } from './survey';

type Document = Record<string, unknown>;

function surveyed(documents: readonly Document[], mapping?: Document) {
  const survey = new Survey('documents.ndjson', mapping);
  for (const document of documents) survey.observe(document);
  return { ...survey.decide(), kept: documents.map((document) => survey.kept(document)) };
}

const nested = (levels: number, value: unknown): unknown =>
  levels === 0 ? value : { l: nested(levels - 1, value) };

test('guesses the mapping that Elasticsearch would guess from all documents', () => {
  const documents = [
    {
      when: '2026-01-31T10:00:00Z',
      count: 1,
      share: 1,
      text: 'a',
      flag: true,
      none: null,
      huge: 2 ** 70,
      list: [[1], [2]],
    },
    { when: '2026-01-31T10:00:00.5+01:00', count: 2, share: 0.5, text: 3, flag: false, list: [] },
  ];
  const text = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };
  expect(surveyed(documents)).toEqual({
    mapping: {
      properties: {
        when: { type: 'date' },
        count: { type: 'long' },
        share: { type: 'double' },
        text,
        flag: { type: 'boolean' },
        huge: { type: 'double' },
        list: { type: 'long' },
      },
    },
    leftOut: [],
    kept: documents,
  });
  expect(surveyed([{ when: '2026-13-45T99:00:00Z' }]).mapping).toEqual({ properties: { when: text } });
});

test('leaves out names that Elasticsearch rejects', () => {
  const { leftOut, kept, mapping } = surveyed([
    {
      ok: 1,
      '': 1,
      ' ': 1,
      '.lead': 1,
      'trail.': 1,
      'a..b': 1,
      _id: 'x',
      inner: { '': 1, _id: 1 },
      ['n'.repeat(2000)]: 1,
    },
  ]);
  expect(kept).toEqual([{ ok: 1, inner: { _id: 1 } }]);
  expect(leftOut).toEqual([
    {
      reason: 'a name must not be empty, blank, or begin or end with a dot',
      fields: ['', ' ', '.lead', 'trail.', 'a..b', 'inner.'],
    },
    { reason: 'Elasticsearch reserves these names', fields: ['_id'] },
    { reason: 'names in a profile have at most 1000 characters', fields: ['n'.repeat(2000)] },
  ]);
  expect(mapping).toEqual({
    properties: { ok: { type: 'long' }, inner: { properties: { _id: { type: 'long' } } } },
  });
});

test('treats a dot in a name as an object, and merges it with the object of that name', () => {
  const documents = [{ 'a.b': 1, a: { c: 2 } }, { a: { b: 1 } }];
  expect(surveyed(documents)).toEqual({
    mapping: { properties: { a: { properties: { b: { type: 'long' }, c: { type: 'long' } } } } },
    leftOut: [],
    kept: documents,
  });
});

test('keeps objects or values of a name, whichever most documents have', () => {
  const { leftOut, kept, mapping } = surveyed([
    { x: { y: 1 }, v: 1, list: [1, { o: 1 }, { o: 2 }] },
    { x: { y: 1 }, v: 2 },
    { x: 'a text', 'v.w': 3 },
  ]);
  expect(kept).toEqual([{ x: { y: 1 }, v: 1, list: [{ o: 1 }, { o: 2 }] }, { x: { y: 1 }, v: 2 }, {}]);
  expect(leftOut.map(({ fields }) => fields)).toEqual([['x', 'list'], ['v']]);
  expect(Object.keys(mapping['properties'] as object)).toEqual(['x', 'v', 'list']);
});

test('leaves out levels beyond the limit of Elasticsearch; an object counts as a level', () => {
  const { leftOut, kept } = surveyed([{ l: nested(29, 1), ok: nested(19, 1), object: nested(19, {}) }]);
  expect(kept).toEqual([{ l: nested(18, {}), ok: nested(19, 1), object: nested(18, {}) }]);
  const path = (name: string): string => [name, ...Array.from({ length: 19 }, () => 'l')].join('.');
  expect(leftOut).toEqual([
    { reason: 'Elasticsearch allows at most 20 levels of objects', fields: [path('l'), path('object')] },
  ]);
});

test('keeps the most frequent fields within the limit of Elasticsearch; a text counts twice', () => {
  const many = (count: number, value: unknown): Document =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, value]));
  expect(surveyed([many(999, 1)]).leftOut).toEqual([]);
  const numbers = surveyed([many(1500, 1), { f1400: 1 }]);
  expect(Object.keys(numbers.kept[0]!)).toHaveLength(999);
  expect(numbers.kept[1]).toEqual({ f1400: 1 });
  expect(numbers.leftOut[0]!.fields).toHaveLength(501);
  expect(Object.keys(surveyed([many(1500, 'a')]).kept[0]!)).toHaveLength(499);
});

test('a given mapping decides what is an object, and objects of other types are accepted', () => {
  const mapping = {
    properties: {
      x: { properties: { y: { type: 'long' } } },
      place: { type: 'geo_point' },
      flat: { type: 'flattened' },
    },
  };
  const { kept, leftOut } = surveyed(
    [
      { x: 'a', place: { lat: 1, lon: 2 }, flat: { '': 1, 'a.': 2 } },
      { x: 'b', place: 'drm3btev3e86' },
    ],
    mapping,
  );
  expect(kept).toEqual([{ place: { lat: 1, lon: 2 }, flat: { '': 1, 'a.': 2 } }, { place: 'drm3btev3e86' }]);
  expect(leftOut).toEqual([{ reason: 'they are values where most documents have an object', fields: ['x'] }]);
});
