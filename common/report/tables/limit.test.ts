import { buildReport } from '../model/build';
import { renderCsv } from '../render/csv';
import { refreshRun, type MadeRun } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import { renderJson } from '../render/json';
import { renderMarkdown } from '../render/markdown';
import type { Report } from '../model/report';
import { renderTerminal } from '../render/terminal';

const BUSY_MS = 300_000 * 8 * 0.93;

/** Returns a report. The CPU of es-2 is the limit in the cell 1s, and in one trial of the cell 5s. The cell 30s has no limit. */
function build(change: (made: MadeRun) => void = () => undefined): Report {
  const made = refreshRun();
  for (const { cell, trial, server } of made.trials) {
    const busy = cell.index === 0 || (cell.index === 1 && trial.repetition === 0);
    if (busy) server!.perNode![1]!.cpuMs = BUSY_MS;
  }
  change(made);
  return buildReport(made.run, made.trials);
}

test('a cell’s limit is that of most of its trials, and each trial keeps its own', () => {
  const { cells, trials } = build();
  expect(cells.map(({ limit }) => [limit!.name, limit!.trials, limit!.of])).toEqual([
    ['cpu', 3, 3],
    ['none found', 2, 3],
    ['none found', 3, 3],
  ]);
  expect(cells[1]!.limit!.otherwise).toEqual([{ name: 'cpu', trials: 1 }]);
  expect(trials.filter(({ limit }) => limit!.name === 'cpu')).toHaveLength(4);
});

test('trials that do not count have no limit, and neither has a cell of such trials', () => {
  const { cells, trials } = build((made) => {
    for (const { cell, trial } of made.trials) if (cell.index === 2) trial.state = 'failed';
  });
  expect(cells[2]!.limit).toBeNull();
  expect(trials.filter(({ limit }) => limit === null)).toHaveLength(3);
});

test('the terminal shows the limit of each cell with its evidence, and once what could not be judged', () => {
  const output = renderTerminal(build(), { width: 120 });
  expect(output).toContain('1s: CPU (93% of 8 cores busy on es-2)');
  expect(output).toMatch(
    /5s: none found, more clients than 2 may bring more: .*; in 2 of 3\s+trials, else CPU/,
  );
  expect(output.match(/Not judged: disk wait \(the nodes do not report/g)).toHaveLength(1);
});

test('the terminal names the full queue and its pool next to the resource that caused it', () => {
  const output = renderTerminal(
    build(({ trials }) => {
      for (const { server } of trials) server!.threadPools.write = { completed: 900, rejected: 100 };
    }),
    { width: 120 },
  );
  expect(output).toMatch(
    /1s: CPU \(93% of 8 cores busy on es-2\); also write queue: 10% of the write pool’s/,
  );
  expect(output).toMatch(/refresh_interval +pool +completed +rejected +ratio\n +1s +write +900 +100 +10%/);
});

test.each([
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
])('%s shows evidence and what could not be judged in a table', (_, render) => {
  const output = render(build());
  expect(output).toContain('Limiting factor');
  expect(output).toContain('93% of 8 cores busy on es-2');
  expect(output).toContain('neither its use nor its capacity is known');
});

test('the JSON contains the evidence as numbers with their thresholds', () => {
  const { cells } = JSON.parse(renderJson(build())) as Report;
  expect(cells[0]!.limit!.evidence).toEqual([
    {
      resource: 'cpu',
      figure: 'busy share of all cores',
      value: 0.93,
      from: 0.85,
      text: '93% of 8 cores busy on es-2',
    },
  ]);
});

test('the CSV has columns for the limit, its evidence and what was not judged', () => {
  const [header, first] = renderCsv(build())
    .split('\n')
    .map((line) => line.split(','));
  const valueOf = (name: string): string => first![header!.indexOf(name)]!;
  expect(valueOf('limit')).toBe('cpu');
  expect(valueOf('limit in trials')).toBe('3');
  expect(valueOf('limit figure (share)')).toBe('0.93');
  expect(valueOf('limit from (share)')).toBe('0.85');
  expect(valueOf('limit not judged')).toBe('disk wait; network');
  expect(Number(valueOf('CPU share (of the busiest node)'))).toBeCloseTo(0.93);
});

test('the report has the shares of the busiest node', () => {
  const { server } = build().cells[0]!;
  expect(server!.busiest).toEqual({
    cpuShare: 0.93,
    gcShare: 0.0024,
    diskBusyShare: null,
    othersCpuShare: null,
    generatorCpuShare: null,
  });
  expect(renderTerminal(build(), { width: 120 })).toMatch(/garbage collection\n.*gc\n +1s +0\.24%/);
});
