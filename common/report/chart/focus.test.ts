import { makeRun, REFRESH, type MadeRun } from '../../analysis/testing/made-run';
import { buildReport } from '../model/build';
import type { Report } from '../model/report';
import { factorHeading, focusChart } from './focus';

const reportOf = ({ run, trials }: MadeRun): Report => buildReport(run, trials);

const report = (expect: string[], factors: Record<string, unknown[]>): Report =>
  reportOf(
    makeRun({ ...REFRESH, expect, factors }, () => ({ tasks: { ingest: { rate: 12_000, batch: 3000 } } })),
  );

const SHARDS = 'index.settings.number_of_shards';
const INTERVAL = 'index.settings.refresh_interval';
const draw = (of: Report, width = 800): string => focusChart(of, { width, height: 240 });
const count = (svg: string, part: RegExp): number => [...svg.matchAll(part)].length;

test('every trial is a dot, every cell has a mean and an interval, and all cells except one have a ratio', () => {
  const svg = draw(report([`ingest.throughput rises with ${INTERVAL}`], { [INTERVAL]: ['1s', '5s', '30s'] }));
  expect(count(svg, /<circle[^>]*class="trial/g)).toBe(9);
  expect(count(svg, /<rect[^>]*class="mean"/g)).toBe(3);
  expect(count(svg, /<rect[^>]*class="extent/g)).toBe(5);
  expect(count(svg, /<circle[^>]*class="mean"/g)).toBe(2);
  expect(svg).toContain('refresh_interval');
  expect(svg).toContain('every trial, mean, 95% interval');
});

test('of several combinations of factors, the one that decided the claim is drawn', () => {
  const svg = draw(
    report([`ingest.throughput stays with ${INTERVAL}`], { [SHARDS]: [1, 5], [INTERVAL]: ['1s', '30s'] }),
  );
  expect(count(svg, /<circle[^>]*class="trial/g)).toBe(6);
});

test('without a claim every cell is drawn', () => {
  const svg = draw(report([], { [SHARDS]: [1, 5], [INTERVAL]: ['1s', '30s'] }));
  expect(count(svg, /<circle[^>]*class="trial/g)).toBe(12);
});

test('it has the requested width, and nothing is drawn outside', () => {
  for (const width of [300, 500, 800, 1200]) {
    const svg = draw(report([], { [INTERVAL]: ['1s', '5s', '30s'] }), width);
    expect(svg).toMatch(new RegExp(`^<svg viewBox="0 0 ${width} `));
    const places = [...svg.matchAll(/\bc?x="([\d.-]+)"/g)].map(([, x]) => Number(x));
    expect(Math.min(...places)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...places)).toBeLessThanOrEqual(width);
  }
});

test('axes contain every interval of values and of ratios', () => {
  const of = reportOf(
    makeRun({ ...REFRESH, trials: 2 }, () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, cv: 0.2 } } })),
  );
  // This interval is like that of two trials that differ greatly.
  of.effect!.comparisons[1]!.interval = { low: 0.02, high: 90, level: 0.95 };
  const svg = draw(of);
  const bands = [...svg.matchAll(/<rect x="([\d.]+)"[^>]*width="([\d.]+)"[^>]*class="extent/g)];
  const ends = bands.map(([, x, width]) => Number(x) + Number(width));
  expect(ends).toHaveLength(5);
  expect(Math.max(...ends)).toBeLessThan(800);
  // The ends of all intervals are visible, and the widest interval uses almost the whole axis.
  expect(svg).not.toMatch(/<path[^>]*class="extent/);
  expect(svg).toContain('>50×<');
});

test('a percentile that no trial has is drawn from all requests, with its interval', () => {
  const of = reportOf(
    makeRun({ ...REFRESH, expect: [`ingest.latency.p99 falls with ${INTERVAL}`] }, () => ({
      tasks: { ingest: { rate: 4, batch: 1 } },
    })),
  );
  of.focus.cells = [];
  of.effect!.comparisons = [null, null, null];
  for (const { tasks } of of.cells) {
    tasks[0]!.latency.p99 = 300;
    tasks[0]!.intervals.latency.p99 = { low: 250, high: 400 };
  }
  const svg = draw(of);
  expect(count(svg, /<rect[^>]*class="extent/g)).toBe(3);
  expect(svg).toContain('percentile of all requests, 95% interval');
});

test('sizes have ticks that are round numbers of the shown unit', () => {
  const { run, trials } = makeRun(
    { ...REFRESH, expect: [`index.store_bytes stays with ${INTERVAL}`] },
    () => ({
      tasks: { ingest: { rate: 4000, batch: 1000 } },
    }),
  );
  trials.forEach((trial, at) => (trial.index!.storeBytes = (300 + at) * 2 ** 20));
  expect(draw(buildReport(run, trials))).toMatch(/>100 MB<.*>200 MB<.*>300 MB</);
});

test('markup in a name is escaped', () => {
  const svg = draw(report([], { 'index.settings.default_pipeline': ['<b>', '"x"'] }));
  expect(svg).not.toContain('<b>');
  expect(svg).toContain('&lt;b&gt;');
});

test.each([
  ['tasks.ingest.ingest.bulk.docs', 'bulk.docs'],
  ['index.settings.refresh_interval', 'refresh_interval'],
  ['tasks.search.executor.constant-clients.clients', 'clients'],
  ['environment.nodes', 'environment.nodes'],
])('%s is called %s', (path, heading) => {
  expect(factorHeading(path)).toBe(heading);
});
