import { makeRun, REFRESH } from '../../analysis/testing/made-run';
import type { DefinitionInput } from '../../experiment/definition';
import { createHistogram, encodeHistogram, recordMs, summariseHistogram } from '../../measurement/histogram';
import type { KeptTimes } from '../../measurement/censored';
import { buildReport } from '../model/build';
import { renderCsv } from '../render/csv';
import { renderHtml } from '../render/html';
import { renderMarkdown } from '../render/markdown';
import { renderTerminal } from '../render/terminal';
import { latencyTable } from './task';

const kept = (times: readonly (readonly [count: number, ms: number])[]): KeptTimes => {
  const histogram = createHistogram();
  for (const [count, ms] of times) for (let n = 0; n < count; n += 1) recordMs(histogram, ms);
  return { ...summariseHistogram(histogram), histogram: encodeHistogram(histogram) };
};

/**
 * Returns the table of latencies. Each trial has 1,000 requests: 970 were answered in 10 ms, and 10 were lost after 2 s. With `offered` (an
 * open executor), another 20 were never sent.
 */
function shown(executor: DefinitionInput['tasks'][number]['executor'], offered: boolean) {
  const [task] = REFRESH.tasks;
  const { run, trials } = makeRun({ ...REFRESH, tasks: [{ ...task!, executor }] }, () => ({
    tasks: { ingest: { rate: 1000, ...(offered ? { offered: 1000 } : {}) } },
  }));
  const neverSent = kept(offered ? [[20, 300]] : []);
  const { histogram, ...latency } = kept([[970, 10], [10, 2000], ...(offered ? ([[20, 300]] as const) : [])]);
  for (const { tasks } of trials) {
    const [summary] = tasks;
    Object.assign(summary!, { latency, latencyHistogram: histogram });
    summary!.censored = { unanswered: kept([[10, 2000]]), neverSent };
  }
  const report = buildReport(run, trials);
  const table = latencyTable(report, 'ingest');
  const at = (name: string): number => table.columns.findIndex((column) => column.name === name);
  const row = (time: RegExp): string[] =>
    table.rows.find((cells) => time.test(cells[1]!.text))?.map(({ text }) => text) ?? [];
  return { table, at, row, csv: renderCsv(report) };
}

test('requests that were never answered or sent are in the latency, have rows below it, and make lower bounds', () => {
  const { table, at, row, csv } = shown({ 'constant-rate': { rate: 1000 } }, true);
  expect(row(/^latency$/)[at('p90')]).toBe('10 ms');
  expect(row(/^latency$/)[at('p99')]).toBe('≥ 300 ms');
  expect(row(/^latency$/)[at('max')]).toMatch(/^≥ 2,00\d ms$/);
  expect(row(/never answered/)[at('requests')]).toBe('30');
  expect(row(/never sent/)[at('requests')]).toBe('60');
  expect(row(/never sent/)[at('max')]).toBe('300 ms');
  expect(row(/corrected/)).toEqual([]);
  expect(table.title).toBe('Latency and service time of ingest');
  expect(table.note).toContain('≥: a lower bound');
  expect(csv).toContain('p99 max');
});

test('closed executors measure a response time, with the corrected time and its interval below', () => {
  const { table, at, row } = shown({ 'constant-clients': { clients: 2 } }, false);
  expect(table.title).toBe('Response time of ingest');
  expect(table.note).toContain('coordinated omission');
  expect(row(/^latency$|^service/)).toEqual([]);
  expect(row(/^response time$/)[at('p90')]).toBe('10 ms');
  // Ten stalls of 2 s each conceal 200 requests.
  expect(row(/^corrected, each 10 ms$/)[at('requests')]).toBe('8,880');
  expect(row(/^corrected/)[at('p90')]).toMatch(/^1,[67]\d\d ms$/);
  expect(row(/never answered/)[at('requests')]).toBe('30');
});

test('an undecided comparison at p99 has a reason', () => {
  const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 1000 } } }));
  for (const [at, { tasks }] of trials.entries()) {
    const { histogram, ...latency } = kept([[1000, [10, 30, 90][(at * 7 + (at >> 2)) % 3]!]]);
    Object.assign(tasks[0]!, { latency, latencyHistogram: histogram });
  }
  const { note, rows } = latencyTable(buildReport(run, trials), 'ingest');
  expect(rows.some((cells) => cells.at(-1)!.text.includes('undecided'))).toBe(true);
  expect(note).toMatch(/Undecided at p99: the trials vary too much; [^.]+\./);
});

test('every report has one sentence on the time that Dyno itself may have added, even if nothing is flagged', () => {
  const { run, trials } = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 1000 } } }));
  for (const [at, { tasks, generator }] of trials.entries()) {
    const { histogram, ...latency } = kept([[1000, 5]]);
    Object.assign(tasks[0]!, { latency, latencyHistogram: histogram });
    generator!.delays = { held: kept([[1000, at === 0 ? 0.4 : 0.2]]).histogram, noticed: null };
  }
  const report = buildReport(run, trials);
  const sentence =
    'Dyno itself may have added up to 0.4 ms (8%) to p50, 0.4 ms (8%) to p90, 0.4 ms (8%) to p95,';
  expect(latencyTable(report, 'ingest').note.startsWith(sentence)).toBe(true);
  expect(report.warnings.filter((text) => text.includes('instrument'))).toEqual([]);
  for (const render of [renderTerminal, renderMarkdown, renderHtml])
    expect(render(report).replace(/\s+/g, ' ')).toContain('Dyno itself may have added up to 0.4 ms (8');
});
