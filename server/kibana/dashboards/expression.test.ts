import { average, formulaText, measureColumns, plus, ratio, sum } from './expression';

const format = { id: 'percent', decimals: 1 } as const;

test('a formula reads as people write it', () => {
  expect(formulaText(ratio(sum('a.b'), plus(sum('a.b'), sum('c'))))).toBe('sum(a.b) / (sum(a.b) + sum(c))');
  expect(formulaText(sum('a', 'x: "y"'))).toBe(`sum(a, kql='x: "y"')`);
});

test('a single aggregation is one column', () => {
  expect(Object.keys(measureColumns('f', { label: 'F', is: average('a'), format }))).toEqual(['f']);
});

test('a formula has a column for each part and one for their arithmetic', () => {
  const columns = measureColumns('f', { label: 'F', is: ratio(sum('a'), plus(sum('a'), sum('b'))), format });
  expect(Object.keys(columns)).toEqual(['f', 'fX0', 'fX1', 'fX2', 'fX3']);
  expect(columns['f']).toMatchObject({ operationType: 'formula', references: ['fX3'] });
  expect(columns['fX3']).toMatchObject({
    operationType: 'math',
    references: ['fX0', 'fX1', 'fX2'],
    params: { tinymathAst: { name: 'divide', args: ['fX0', { name: 'add', args: ['fX1', 'fX2'] }] } },
  });
});
