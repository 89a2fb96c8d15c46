import { colourRamp, countBands, heatCells, labelledEvery } from './heatmap-cells';

describe('a heat map of latencies', () => {
  const rows = [
    { from: 1, to: 2 },
    { from: 2, to: 4 },
    { from: 4, to: 8 },
    { from: 8, to: 16 },
  ];

  it('has rows between the fastest and the slowest response, the slowest on top', () => {
    const {
      cells,
      rows: shown,
      most,
    } = heatCells({
      task: 'ingest',
      columnMs: 1000,
      columns: [0, 1000],
      rows,
      counts: [
        [0, 5, 0, 0],
        [0, 0, 3, 0],
      ],
    });
    expect(shown.map(({ from }) => from)).toEqual([4, 2]);
    expect(cells).toEqual([
      { x: 0, y: 1, count: 5 },
      { x: 1000, y: 0, count: 3 },
    ]);
    expect(most).toBe(5);
  });

  it('has columns at multiples of their length, and reports the offset', () => {
    const late = { task: 'ingest', columnMs: 1000, columns: [5300, 6300], rows, counts: [[1], [1]] };
    const { cells, shift } = heatCells(late);
    expect(cells.map(({ x }) => x)).toEqual([5000, 6000]);
    expect(shift).toBe(300);
  });

  it('is empty without responses', () => {
    const none = heatCells({ task: 'ingest', columnMs: 1000, columns: [0], rows, counts: [[0, 0, 0, 0]] });
    expect(none).toMatchObject({ cells: [], rows: [], most: 0 });
  });
});

describe('bands of counts', () => {
  it.each([1, 2, 7, 100, 12_345])('hold every count up to %i, without gaps', (most) => {
    const bands = countBands(most, 6);
    expect(bands[0]!.start).toBe(1);
    expect(bands.at(-1)!.end).toBeGreaterThan(most);
    bands.slice(1).forEach((band, index) => expect(band.start).toBe(bands[index]!.end));
  });
});

it('a ramp of colours begins and ends with its stops', () => {
  expect(colourRamp(['#000000', '#ffffff'], 3)).toEqual(['#000000', '#808080', '#ffffff']);
  expect(colourRamp(['#000000', '#102030'], 1)).toEqual(['#102030']);
});

test('rows have labels if there is space', () => {
  expect(labelledEvery(10, 200)).toBe(1);
  expect(labelledEvery(38, 196)).toBe(3);
  expect(labelledEvery(0, 196)).toBe(1);
});
