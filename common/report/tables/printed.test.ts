import { findPreset, PRESETS } from '../../presets';
import { accountsOf, figureDoubts, printedCharts, printedTable } from './printed';

test('every account has a page of its presets, in their order', () => {
  const accounts = accountsOf(PRESETS);
  expect(accounts.flatMap(({ presets }) => presets)).toHaveLength(PRESETS.length);
  expect(accounts.find(({ seed }) => seed === 'own-experiments')).toMatchObject({ own: true });
});

test('a table stands as it was printed, with the clients that each row implies', () => {
  const table = printedTable(findPreset('azure-scale-up')!)!;
  expect(table.columns.map(({ name }) => name)).toContain('throughput, bulks/s');
  const implied = table.columns.findIndex(({ name }) => name === 'clients, implied');
  expect(table.rows.map((row) => row[implied]!.text)).toEqual(['5.91', '11.9', '23']);
});

test('every printed figure is in the table of its preset', () => {
  for (const preset of PRESETS) {
    const { rows, units, variantOf } = preset.published;
    // A variant's figures stand with the preset that it is one of.
    if (variantOf !== undefined) continue;
    const table = printedTable(preset);
    expect(table?.rows.length ?? 0).toBe(rows.length);
    // The rows' names, the clients that are implied and what they are reckoned from.
    expect(table?.columns.length ?? 3).toBe(Object.keys(units).length + 3);
  }
});

test('a doubtful figure is marked where it stands, with the reason below', () => {
  const preset = findPreset('sematext-refresh')!;
  const marked = printedTable(preset)!.rows.flatMap((row) => row.filter(({ tone }) => tone === 'doubt'));
  expect(marked.map(({ text }) => text)).toEqual(['3,400 (doubtful)']);
  expect(figureDoubts(preset)).toEqual([expect.stringMatching(/^throughput at 30s: .*25%/)]);
});

test('columns of one unit stand in one chart, with their doubts', () => {
  const [chart] = printedCharts(findPreset('sematext-refresh')!);
  expect(chart).toMatchObject({ unit: 'docs/s', rows: ['1s', '5s', '30s'] });
  expect(chart!.series[0]!.bars.map(({ value, doubt }) => [value, doubt !== undefined])).toEqual([
    [2000, false],
    [2500, false],
    [3400, true],
  ]);
  const queries = printedCharts(findPreset('azure-queries-only-scale-up')!);
  expect(queries.find(({ unit }) => unit === 'ms')!.series.length).toBe(7);
});

test('an account without figures has neither table nor chart', () => {
  const preset = findPreset('azure-clients')!;
  expect(printedTable(preset)).toBeNull();
  expect(printedCharts(preset)).toEqual([]);
});
