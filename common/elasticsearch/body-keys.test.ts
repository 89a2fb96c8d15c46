import { BODY_SHAPES, keysBelow, valuesAt } from './body-keys';

test('every referenced shape exists', () => {
  const named = Object.values(BODY_SHAPES).flatMap(({ keys, field = '', name = '' }) => [
    ...Object.values(keys),
    field,
    name,
  ]);
  expect([...new Set(named)].filter((name) => name !== '' && BODY_SHAPES[name] === undefined)).toEqual([]);
  const used = new Set([...named, 'search', 'query', 'aggs', 'sort', 'fields', 'mapping', 'settings']);
  expect(Object.keys(BODY_SHAPES).filter((name) => !used.has(name))).toEqual([]);
});

test('keys follow from the keys above them, also below user-defined names', () => {
  expect(keysBelow(['body']).words).toContain('track_total_hits');
  expect(keysBelow(['body', 'query', 'bool', 'filter']).words).toContain('match_phrase');
  expect(keysBelow(['body', 'query', 'term'])).toEqual({ words: [], fields: true });
  expect(keysBelow(['body', 'query', 'range', 'size']).words).toContain('gte');
  expect(keysBelow(['body', 'aggs', 'query', 'date_histogram']).words).toContain('fixed_interval');
  expect(keysBelow(['body', 'aggs', 'a', 'aggs', 'b']).words).toContain('percentiles');
  expect(keysBelow(['index', 'mapping', 'properties', 'type']).words).toContain('doc_values');
  expect(keysBelow(['index', 'settings']).words).toContain('refresh_interval');
  expect(keysBelow(['body', 'retriever', 'standard', 'query']).words).toContain('bool');
  expect(keysBelow(['hypothesis'])).toEqual({ words: [], fields: false });
  expect(keysBelow(['constructor', '__proto__'])).toEqual({ words: [], fields: false });
});

test('values are keywords of their key, or names of fields', () => {
  expect(valuesAt(['index', 'mapping', 'properties', 'a', 'type']).words).toContain('keyword');
  expect(valuesAt(['body', 'sort', 'a', 'order']).words).toEqual(['asc', 'desc']);
  expect(valuesAt(['body', 'aggs', 'a', 'terms', 'field']).fields).toBe(true);
  expect(valuesAt(['body', 'sort']).fields).toBe(true);
  expect(valuesAt(['index', 'dimensions']).fields).toBe(true);
  expect(valuesAt(['index', 'settings', 'sort.field']).fields).toBe(true);
  expect(valuesAt(['body', 'query', 'term', 'a'])).toEqual({ words: [], fields: false });
  expect(valuesAt(['index', 'mapping', 'properties', 'a', 'fields']).fields).toBe(false);
});
