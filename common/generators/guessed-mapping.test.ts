import { guessedMapping } from './guessed-mapping';

const TEXT = { type: 'text', fields: { keyword: { type: 'keyword', ignore_above: 256 } } };

test('a mapping is guessed as Elasticsearch does', () => {
  expect(
    guessedMapping([
      {
        at: '2026-11-26T10:00:00.000Z',
        day: '2026-11-26',
        n: 1,
        share: 0.5,
        ok: true,
        word: 'a',
        none: null,
      },
      { n: 2, host: { name: 'b', ports: [80, 443] }, tags: ['x'], empty: [] },
      { host: { name: 'c', up: false }, more: [{ a: 1 }, { b: 'z' }] },
    ]),
  ).toEqual({
    properties: {
      at: { type: 'date' },
      day: { type: 'date' },
      n: { type: 'long' },
      share: { type: 'float' },
      ok: { type: 'boolean' },
      word: TEXT,
      host: { properties: { name: TEXT, ports: { type: 'long' }, up: { type: 'boolean' } } },
      tags: TEXT,
      more: { properties: { a: { type: 'long' }, b: TEXT } },
    },
  });
});

test('a later document widens the type where the first one was too narrow', () => {
  expect(
    guessedMapping([
      { n: 1, when: '2026-01-01' },
      { n: 1.5, when: 'soon' },
    ]),
  ).toEqual({
    properties: { n: { type: 'float' }, when: TEXT },
  });
});
