import type { PublishedRow } from './published';
import { notesOnFigure, labelsOf, rowOf } from './rows';

const row = (
  levels: PublishedRow['levels'],
  figure: number,
  labels?: PublishedRow['labels'],
): PublishedRow => ({
  levels,
  ...(labels && { labels }),
  figures: { figure },
});
const figureOf = (...given: Parameters<typeof rowOf>): unknown => rowOf(...given)?.figures['figure'];

describe('the published row of a cell', () => {
  const rows = [
    row({ cache: false }, 1, { machine: 'DS4' }),
    row({ cache: true }, 2, { machine: 'DS4' }),
    row({ cache: false }, 3, { machine: 'DS14' }),
    row({ cache: true }, 4, { machine: 'DS14' }),
  ];

  it('is the first one with its levels if the run has no such label', () => {
    expect(figureOf({ rows }, { levels: { cache: true } })).toBe(2);
    expect(figureOf({ rows }, { levels: { cache: true } }, { disk: 'premium' })).toBe(2);
  });

  it('is the one with the label of the run, and no other', () => {
    expect(figureOf({ rows }, { levels: { cache: true } }, { machine: 'DS14' })).toBe(4);
    expect(figureOf({ rows }, { levels: { cache: true } }, { machine: 'mine' })).toBeUndefined();
  });

  it('has only levels of the cell, and the most of them', () => {
    const nested = [row({ a: 5 }, 1), row({ a: 5, b: 'x' }, 2)];
    expect(figureOf({ rows: nested }, { levels: { a: '5', b: 'y' } })).toBe(1);
    expect(figureOf({ rows: nested }, { levels: { a: 5, b: 'x' } })).toBe(2);
    expect(figureOf({ rows: nested }, { levels: { b: 'x' } })).toBeUndefined();
  });

  it('lists its labels, each once', () => {
    expect(labelsOf([...rows, null, row({}, 5)])).toEqual(['machine: DS4', 'machine: DS14']);
  });
});

test('a note concerns the columns and rows that it names, or all of them', () => {
  const ofTwo = { note: 'Two of them.', figures: ['rate'], levels: { shards: [23, '43'] } };
  const ofAll = { note: 'All of them.', figures: [], levels: {} };
  const found = (shards: number, figure: string): string[] =>
    notesOnFigure({ doubts: [ofTwo, ofAll] }, { levels: { shards } }, figure).map(({ note }) => note);
  expect(found(43, 'rate')).toEqual(['Two of them.', 'All of them.']);
  expect(found(43, 'errors')).toEqual(['All of them.']);
  expect(found(7, 'rate')).toEqual(['All of them.']);
});
