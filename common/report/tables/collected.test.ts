/** What the collector saw, in the report. */
import type { CollectedNode } from '../../measurement/collected';
import { aCollectedTrial, aHost } from '../../measurement/testing/made-collected';
import { buildReport } from '../model/build';
import { renderCsv } from '../render/csv';
import { refreshRun } from '../../analysis/testing/made-run';
import { renderHtml } from '../render/html';
import { renderJson } from '../render/json';
import { renderMarkdown } from '../render/markdown';
import type { Report } from '../model/report';
import { renderTerminal } from '../render/terminal';

const TITLE = 'Nodes and machines (collector), means per trial';
const HINT = 'With the collector (dynobeat)';

/** `change` is told the number of the trial. */
function build(
  change: (node: CollectedNode, order: number) => CollectedNode | null = (node) => node,
): Report {
  const { run, trials } = refreshRun();
  for (const document of trials)
    document.collected = aCollectedTrial((node) => change(node, document.trial.order));
  return buildReport(run, trials);
}

test('gives means over trials of the node where a figure was highest, and names it', () => {
  const { cells, trials } = build((node, order) => ({
    ...node,
    host: aHost({
      busyShare: node.name === 'es-2' ? 0.5 + order / 100 : 0.1,
      busiestDisk: { name: 'sda', busyShare: node.name === 'es-3' ? 0.6 : 0.1 },
    }),
  }));
  const orders = trials.filter(({ cellIndex }) => cellIndex === 0).map(({ order }) => order);
  const mean = orders.reduce((sum, order) => sum + order, 0) / orders.length;
  const { collected } = cells[0]!;
  expect(collected).toMatchObject({
    trials: 3,
    covered: 1,
    everyMachine: true,
    cpuBusy: { on: 'es-2' },
    diskBusy: { mean: 0.6, on: 'sda of es-3' },
    writeQueueHighest: 0.5,
    pressureHighest: 0.25,
    merges: { timeMs: 90_000, throttledMs: 6000, stoppedMs: 3000 },
  });
  expect(collected!.cpuBusy!.mean).toBeCloseTo(0.5 + mean / 100);
});

test.each([
  ['the terminal', (report: Report) => renderTerminal(report, { width: 120 })],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
])('%s shows what the nodes felt, and no hint at the collector', (_, render) => {
  const output = render(build());
  expect(output).toMatch(/Nodes and machines \\?\(collector\\?\), means per trial/);
  expect(output).toContain('nvme0n1 of es-1');
  expect(output).not.toContain(HINT);
  expect(output).not.toContain('other processes are not included');
});

test('the CSV has the collector’s figures in columns of their own', () => {
  const [header, first] = renderCsv(build())
    .split('\n')
    .map((line) => line.split(','));
  const valueOf = (name: string): string => first![header!.indexOf(name)]!;
  expect(valueOf('collector: iowait share (worst machine)')).toBe('0.01');
  expect(valueOf('collector: merges throttled (ms per trial)')).toBe('6000');
});

test('the JSON holds them as figures', () => {
  const { cells } = JSON.parse(renderJson(build())) as Report;
  expect(cells[0]!.collected!.iowait).toEqual({ mean: 0.01, on: 'es-1' });
});

test('says which CPU it shows where only some machines have a collector', () => {
  const report = build((node) => (node.name === 'es-3' ? { ...node, host: null } : node));
  expect(report.cells[0]!.collected!.everyMachine).toBe(false);
  expect(renderMarkdown(report)).toContain('CPU is that of the whole machine where a collector reads it');
});

test('tells how much of the phase was seen where it was not all of it', () => {
  const report = build((node) => ({ ...node, coveredMs: 120_000 }));
  expect(renderTerminal(report, { width: 120 })).toMatch(/covered\n/);
  expect(renderMarkdown(report)).toMatch(/\| 40% \|/);
});

describe('a run without a collector', () => {
  const report = ((): Report => {
    const { run, trials } = refreshRun();
    for (const document of trials) document.collected = null;
    return buildReport(run, trials);
  })();

  test.each([
    ['the terminal', (of: Report) => renderTerminal(of, { width: 120 })],
    ['Markdown', renderMarkdown],
    ['HTML', renderHtml],
  ])('%s says once how to get its figures', (_, render) => {
    const output = render(report);
    expect(output.split(HINT)).toHaveLength(2);
    expect(output).not.toContain(TITLE);
  });

  test('is reported as one of before there were any', () => {
    const { run, trials } = refreshRun();
    expect(renderJson(buildReport(run, trials))).toBe(renderJson(report));
    expect(renderCsv(report)).not.toContain('collector');
  });
});

test('says before the figures are trusted what other processes took of the machines', () => {
  const disturbed = build((node, order) => ({
    ...node,
    host: aHost({ busyShare: order === 0 ? 0.97 : 0.2 }),
  }));
  expect(disturbed.warnings).toContainEqual(
    expect.stringMatching(
      /^Other processes used up to \d+% of the CPU of a node’s machine in 1 of 9 trials\. /,
    ),
  );
  const quiet = build((node) => ({ ...node, host: aHost({ busyShare: 0.2 }) }));
  expect(quiet.warnings.filter((warning) => warning.startsWith('Other processes'))).toEqual([]);
});
