import { findPreset, PRESETS } from '../../presets';
import { accountsOf, valueWarnings, printedCharts, printedTable } from './printed';

test('every published benchmark has a page of its presets, in their order', () => {
  const accounts = accountsOf(PRESETS);
  expect(accounts.flatMap(({ presets }) => presets)).toHaveLength(PRESETS.length);
  expect(accounts.find(({ seed }) => seed === 'own-experiments')).toMatchObject({ own: true });
});

test('the published table has the clients that each row implies', () => {
  const table = printedTable(findPreset('azure-scale-up')!)!;
  expect(table.columns.map(({ name }) => name)).toContain('throughput, bulks/s');
  const implied = table.columns.findIndex(({ name }) => name === 'clients, implied');
  expect(table.rows.map((row) => row[implied]!.text)).toEqual(['5.91', '11.9', '23']);
});

test('every published value is in the table of its preset', () => {
  for (const preset of PRESETS) {
    const { rows, units, variantOf } = preset.published;
    // The table of the main preset contains the values of its variants.
    if (variantOf !== undefined) continue;
    const table = printedTable(preset);
    expect(table?.rows.length ?? 0).toBe(rows.length);
    // The additional columns are the names of the rows, the implied clients, and the values from which these were calculated.
    expect(table?.columns.length ?? 3).toBe(Object.keys(units).length + 3);
  }
});

test('a flagged value is marked in its cell, with the reason below', () => {
  const preset = findPreset('sematext-refresh')!;
  const marked = printedTable(preset)!.rows.flatMap((row) => row.filter(({ tone }) => tone === 'warning'));
  expect(marked.map(({ text }) => text)).toEqual(['3,400 (flagged)']);
  expect(valueWarnings(preset)).toEqual([expect.stringMatching(/^throughput at 30s: .*25%/)]);
});

test('columns of one unit are in one chart, with their warnings', () => {
  const [chart] = printedCharts(findPreset('sematext-refresh')!);
  expect(chart).toMatchObject({ unit: 'docs/s', rows: ['1s', '5s', '30s'] });
  expect(chart!.series[0]!.bars.map(({ value, warning }) => [value, warning !== undefined])).toEqual([
    [2000, false],
    [2500, false],
    [3400, true],
  ]);
  const queries = printedCharts(findPreset('azure-queries-only-scale-up')!);
  expect(queries.find(({ unit }) => unit === 'ms')!.series.length).toBe(7);
});

test('a published benchmark without values has neither table nor chart', () => {
  const preset = findPreset('azure-clients')!;
  expect(printedTable(preset)).toBeNull();
  expect(printedCharts(preset)).toEqual([]);
});
