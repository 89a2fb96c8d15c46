import { cell, isIdle, left, right, withoutIdleColumns, type Table } from './table';

test.each(['', '–', '0', '0%', '0 ms', '0 B', '0 B/s', '0 docs/s', '0/s', '±0%', '0.0'])(
  '%j is nothing to show',
  (text) => expect(isIdle(text)).toBe(true),
);

test.each(['1', '0.1%', 'under 0.001%', '10', 'none found', '0 to 1', '−3', 'no'])(
  '%j is something to show',
  (text) => expect(isIdle(text)).toBe(false),
);

test('columns of numbers that are zero or empty in every row are left out, and the zero ones are named', () => {
  const table: Table = {
    title: 'Documents',
    note: '',
    columns: [left('cell'), right('accepted'), right('rejected'), right('skew'), left('found')],
    rows: [
      [cell('1s'), cell('12'), cell('0'), cell('–'), cell('')],
      [cell('30s'), cell('0'), cell('0'), cell(''), cell('')],
    ],
  };
  const { table: rest, idle } = withoutIdleColumns(table);
  expect(rest.columns.map(({ name }) => name)).toEqual(['cell', 'accepted', 'found']);
  expect(rest.rows[1]!.map(({ text }) => text)).toEqual(['30s', '0', '']);
  expect(idle).toEqual(['rejected']);
});
