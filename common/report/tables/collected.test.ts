/** Tests that the report shows the collector's values. */
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

const HINT = 'With the collector (dynobeat)';

/** Builds a report. `change`: receives the collector's metrics of a node, and the number of the trial. */
function build(
  change: (node: CollectedNode, order: number) => CollectedNode | null = (node) => node,
): Report {
  const { run, trials } = refreshRun();
  for (const document of trials)
    document.collected = aCollectedTrial((node) => change(node, document.trial.order));
  return buildReport(run, trials);
}

const metricOf = ({ cluster }: Report, name: string) => cluster.find(({ metric }) => metric === name)!;

test('the busiest machine is the mean over trials, and is named with its busiest disk', () => {
  const report = build((node, order) => ({
    ...node,
    host: aHost({
      name: `vm-of-${node.name}`,
      busyShare: node.name === 'es-2' ? 0.5 + order / 100 : 0.1,
      busiestDisk: { name: 'sda', busyShare: node.name === 'es-3' ? 0.6 : 0.1 },
    }),
  }));
  const orders = report.trials.filter(({ cellIndex }) => cellIndex === 0).map(({ order }) => order);
  const mean = orders.reduce((sum, order) => sum + order, 0) / orders.length;
  expect(report.cells[0]!.collected).toEqual({
    trials: 3,
    covered: 1,
    everyMachine: true,
    someMachine: true,
  });
  const [cpu] = metricOf(report, 'cluster.cpu.busiest').cells;
  expect(cpu).toMatchObject({ on: 'es-2' });
  expect(cpu!.summary.mean).toBeCloseTo(0.5 + mean / 100);
  expect(metricOf(report, 'cluster.disk.busy.busiest').cells[0]).toMatchObject({
    on: 'sda of es-3',
    summary: { mean: 0.6 },
  });
  expect(metricOf(report, 'cluster.indexing-pressure').cells[0]).toMatchObject({ summary: { mean: 0.25 } });
});

test.each([
  ['the terminal', (report: Report) => renderTerminal(report, { width: 120 })],
  ['Markdown', renderMarkdown],
  ['HTML', renderHtml],
])('%s shows the disks once, and no hint at the collector', (_, render) => {
  const output = render(build());
  expect(output.match(/^.*Disks(, means per trial.*)?$/gm)).toHaveLength(1);
  expect(output).toContain('iowait');
  expect(output).not.toContain(HINT);
  expect(output).not.toContain('other processes are not included');
});

test('every metric is one column of the CSV, with its source', () => {
  const [header, first] = renderCsv(build())
    .split('\n')
    .map((line) => line.split(','));
  expect(first![header!.indexOf('cluster.iowait (share) by the collector')]).toBe('0.01');
  expect(header!.filter((name) => name.startsWith('cluster.merges.count'))).toHaveLength(2);
  expect(header!.filter((name) => /^(merges|GC|disk busy|collector: (?!least))/.test(name))).toEqual([]);
});

test('the JSON contains them as numbers', () => {
  const report = JSON.parse(renderJson(build())) as Report;
  expect(metricOf(report, 'cluster.iowait').cells[0]).toMatchObject({ summary: { mean: 0.01 } });
});

test('says which CPU it shows if only some machines have a collector', () => {
  const report = build((node) => (node.name === 'es-3' ? { ...node, host: null } : node));
  expect(report.cells[0]!.collected!.everyMachine).toBe(false);
  expect(renderMarkdown(report)).toContain('CPU is that of the whole machine if a collector runs there');
});

test('says so if the collector covers too little', () => {
  const report = build((node) => ({ ...node, coveredMs: 120_000 }));
  expect(report.cells[0]!.collected!.covered).toBe(0.4);
  expect(renderMarkdown(report)).toContain('the collector covers too little of the measured phase on es-1');
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
    expect(output).not.toContain('iowait');
  });

  test('is reported like a run of a version that had no collector', () => {
    const { run, trials } = refreshRun();
    expect(renderJson(buildReport(run, trials))).toBe(renderJson(report));
    expect(renderCsv(report)).not.toContain('collector');
  });
});

test('warns of the CPU time that other processes used on the machines', () => {
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
