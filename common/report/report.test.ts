import { findPreset } from '../presets';
import { formatNumber } from '../units/format';
import { buildReport } from './model/build';
import { renderCsv } from './render/csv';
import { makeRun, PROVENANCE, REFRESH, refreshRun } from '../analysis/testing/made-run';
import { renderHtml } from './render/html';
import { renderJson } from './render/json';
import { renderMarkdown } from './render/markdown';
import type { Report } from './model/report';
import { renderTerminal } from './render/terminal';

const build = (): Report => {
  const { run, trials, samples } = refreshRun({ withSamples: true });
  return buildReport(run, trials, { published: findPreset('sematext-refresh')!.published, samples });
};

const good = build();

/** Returns a run in which everything went wrong that can go wrong. */
const troubled = (): Report => {
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { generator: 'apache-logs' } },
          executor: { 'constant-rate': { rate: 12 } },
        },
        { name: 'find', search: { requests: [{ name: 'all', body: { query: { match_all: {} } } }] } },
      ],
      thresholds: ['ingest.latency.p99.99 < 1s', 'find.latency.p99 < 1s'],
      trials: 2,
    },
    ({ index }, _, order) => ({
      tasks: {
        ingest: { rate: 10_000, batch: 1000, offered: index === 0 ? 20 : 9, rejected: 0.02 },
        find: { rate: 0.01 },
      },
      limited: order === 0,
      unsettled: order === 1,
      state: index === 2 ? 'failed' : order === 4 ? 'interrupted' : 'completed',
    }),
    { provenance: null },
  );
  run.run.state = 'failed';
  run.run.reason = 'the cluster turned red';
  return buildReport(run, trials, { published: findPreset('sematext-refresh')!.published });
};

const RENDERERS: [string, (report: Report) => string][] = [
  ['terminal', (report) => renderTerminal(report, { width: 100 })],
  ['Markdown', renderMarkdown],
  ['CSV', renderCsv],
  ['HTML', renderHtml],
];

describe('a report', () => {
  test('merges the histograms of a cell before it reads percentiles', () => {
    const { run, trials } = refreshRun();
    const { cells } = buildReport(run, trials);
    const own = trials.filter(({ cell }) => cell.index === 0).map(({ tasks }) => tasks[0]!.latency);
    const { latency } = cells[0]!.tasks[0]!;
    expect(latency.count).toBe(own.reduce((sum, { count }) => sum + count, 0));
    expect(latency.max).toBe(Math.max(...own.map(({ max }) => max!)));
    expect(latency.p99).not.toBeNull();
    const { low, high } = cells[0]!.tasks[0]!.intervals.latency.p99!;
    expect([low <= latency.p99!, latency.p99! <= high, low < high]).toEqual([true, true, true]);
  });

  test('does not depend on the order of the stored trials', () => {
    const { run, trials } = refreshRun();
    expect(renderJson(buildReport(run, [...trials].reverse()))).toBe(renderJson(buildReport(run, trials)));
  });

  test('counts completed trials only', () => {
    const { run, trials } = makeRun(REFRESH, (_, __, order) => ({
      tasks: { ingest: { rate: 10_000 } },
      state: order === 0 ? 'failed' : 'completed',
    }));
    const report = buildReport(run, trials);
    expect(report.cells.map(({ completed, planned }) => [completed, planned])).toEqual([
      [2, 3],
      [3, 3],
      [3, 3],
    ]);
    expect(report.run.trials).toEqual({ planned: 9, completed: 8, failed: 1 });
    expect(report.trials[0]).toMatchObject({ state: 'failed', reason: 'the host went away', tasks: [] });
  });

  test('has means per trial for the server side, and ratios of pools over all trials', () => {
    const { run, trials } = refreshRun();
    const { server, state } = buildReport(run, trials).cells[2]!;
    expect(server).toMatchObject({
      trials: 3,
      refresh: { count: 36 },
      gc: { count: 120, timeMs: 1800 },
      diskBusyMs: null,
    });
    expect(server!.threadPools.write).toMatchObject({ rejected: 0, ratio: 0 });
    expect(state).toMatchObject({ primaries: ['1-1-1'], shards: ['2-2-2'] });
  });

  test('keeps the stored verdict', () => {
    const { run, trials } = refreshRun();
    const verdict = {
      answer: 'refuted' as const,
      sentence: 'Refuted: as stored.',
      claims: [],
      thresholds: [],
      warnings: ['as stored'],
    };
    expect(buildReport({ ...run, verdict }, trials)).toMatchObject({ verdict, warnings: ['as stored'] });
  });

  test('has warnings about the place of the measurement', () => {
    const { run, trials } = refreshRun({
      provenance: { ...PROVENANCE, sharedMachine: true, resultsInTarget: true },
    });
    for (const { index } of trials) index!.shards = '3';
    expect(buildReport(run, trials).warnings).toEqual([
      expect.stringContaining('of one machine'),
      expect.stringContaining('stored in the cluster under test'),
      expect.stringContaining('Not all replicas were assigned'),
    ]);
  });

  test.each([
    ['names two', { number_of_replicas: 2 }, true],
    ['names two below index', { index: { number_of_replicas: 2 } }, true],
    ['names none, so that there is one', {}, true],
    ['asks for none', { index: { number_of_replicas: 0 } }, false],
    ['lets their number follow the nodes', { number_of_replicas: 1, auto_expand_replicas: '0-1' }, false],
  ])('warns of replicas without a node where the index %s: %p', (_, settings, warns) => {
    const alone = { ...REFRESH, expect: [], factors: {}, baseline: undefined };
    const { run, trials } = makeRun({ ...alone, index: { settings } }, () => ({
      tasks: { ingest: { rate: 10_000, batch: 1000 } },
    }));
    for (const { index } of trials) index!.shards = index!.primaries;
    const { warnings } = buildReport(run, trials);
    expect(warnings.some((warning) => warning.includes('Not all replicas were assigned'))).toBe(warns);
  });

  test('has tasks of a single cell', () => {
    const [task] = REFRESH.tasks;
    const find = { name: 'find', search: { requests: [{ name: 'all', body: {} }] } };
    const { run, trials } = makeRun(
      { ...REFRESH, expect: [], factors: { tasks: [[task], [task, find]] }, baseline: undefined },
      ({ index }) => ({
        tasks: { ingest: { rate: 10_000, batch: 1000 }, ...(index === 1 ? { find: { rate: 50 } } : {}) },
      }),
    );
    // The fixture contains only the kinds of the tasks in its own definition.
    for (const { tasks } of trials) for (const own of tasks) if (own.task === 'find') own.kind = 'search';
    const report = buildReport(run, trials);
    expect(report.tasks).toEqual(['ingest', 'find']);
    expect(report.cells.map(({ tasks }) => tasks.map(({ task: name, unit }) => `${name} ${unit}`))).toEqual([
      ['ingest docs/s'],
      ['ingest docs/s', 'find searches/s'],
    ]);
  });

  test('has the throughput over time with the measured phase', () => {
    const { series } = build();
    expect(series).toHaveLength(9);
    expect(series[0]).toMatchObject({ order: 0, task: 'ingest', measureFrom: 30, measureTo: 330 });
    expect(series[0]!.points.length).toBeLessThanOrEqual(240);
  });

  test('can be built for a run without trials', () => {
    const { run } = refreshRun();
    const report = buildReport(
      {
        ...run,
        run: { ...run.run, state: 'running', ended: null },
        progress: { ...run.progress, completed: 0 },
      },
      [],
    );
    expect(report.warnings[0]).toContain('has not ended, with 0 of 9 trials');
    for (const [, render] of RENDERERS) expect(render(report)).not.toMatch(/undefined|NaN|Infinity/);
  });
});

describe.each(RENDERERS)('the %s rendering', (name, render) => {
  test.each([
    ['a good run', build],
    ['a troubled run', troubled],
  ])('of %s holds no undefined, null or NaN, and is the same every time', (_, make) => {
    const output = render(make());
    expect(output.replace(/&quot;|"(?:ended|current)": ?null/g, '')).not.toMatch(
      /\b(undefined|NaN|Infinity|\[object)/,
    );
    // The script of the page may contain the word.
    expect(name === 'HTML' ? '' : output).not.toMatch(/\bnull\b/);
    expect(render(make())).toBe(output);
  });

  test('contains the mean of every cell', () => {
    const report = good;
    for (const { tasks } of report.cells) {
      const mean = tasks[0]!.throughput.mean!;
      expect(render(report)).toContain(name === 'CSV' ? String(mean) : formatNumber(mean));
    }
  });

  test('escapes texts from outside', () => {
    const { run, trials } = refreshRun();
    run.experiment.name = `=1+1|<script>alert("x")</script>\u001b[31m\n"quoted", 'it'`;
    const output = render(buildReport(run, trials));
    const escaped: Record<string, (text: string) => boolean> = {
      HTML: (text) => !/<script|<img|"quoted"/.test(text),
      Markdown: (text) => !/<script|[^\\]\|&lt;script/.test(text),
      CSV: (text) => text.includes(`"'=1+1|<script>alert(""x"")</script>`),
      terminal: (text) => !text.includes('\u001b'),
    };
    expect({ output, isEscaped: escaped[name]!(output) }).toEqual({ output, isEscaped: true });
  });
});

describe('the terminal rendering', () => {
  const longest = (text: string): number => Math.max(...text.split('\n').map(({ length }) => length));

  test.each([60, 80, 100, 120])('fits in %i columns', (width) => {
    for (const report of [good, troubled()])
      expect(longest(renderTerminal(report, { width }))).toBeLessThanOrEqual(width);
  });

  test('begins with the answer, and has colours only if requested', () => {
    const lines = renderTerminal(good).split('\n');
    expect(lines.findIndex((line) => line.startsWith('CONFIRMED: ingest throughput rises'))).toBeLessThan(5);
    expect(renderTerminal(good, { colour: true })).toContain('\u001b[32mCONFIRMED\u001b[0m');
  });

  test('shows saturation, rejections and incomplete trials', () => {
    const output = renderTerminal(troubled());
    expect(output).toContain('saturated in');
    expect(output).toContain('the cluster turned red');
    expect(output).toMatch(/not held|no figure/);
  });
});

describe('the HTML rendering', () => {
  test('loads nothing, runs no script, and follows the preferred colour scheme', () => {
    const html = renderHtml(good);
    expect(html).not.toMatch(/<script|<link|<img|@import|url\(|\b(?:src|href)=/);
    expect(html).toContain('prefers-color-scheme: dark');
  });

  test('has an accessible name for every chart', () => {
    const html = renderHtml(good);
    const charts = html.match(/<svg [^>]*>/g)!;
    expect(charts).toHaveLength(4);
    for (const chart of charts) {
      const id = /aria-labelledby="(\S+) /.exec(chart)![1]!;
      expect(html).toContain(`<title id="${id}">`);
    }
  });

  test('draws no chart with invalid coordinates', () => {
    for (const report of [good, troubled()])
      expect(renderHtml(report)).not.toMatch(/="(NaN|Infinity|undefined)/);
  });
});

test('the CSV has a row for each cell and task, and as many fields in each as in its header', () => {
  const [header, ...rows] = renderCsv(good).trimEnd().split('\n');
  expect(rows).toHaveLength(3);
  expect(header).toContain('throughput mean (/s)');
  expect(header).toContain('index.settings.refresh_interval');
  const fields = (row: string): number => row.replace(/"(?:[^"]|"")*"/g, '').split(',').length;
  for (const row of rows) expect(fields(row)).toBe(fields(header!));
});

test('tasks of single cells have their own words and units', () => {
  const tasks = [{ name: 'find', search: { set: 'azure-queries' } }];
  const refresh = 'index.settings.refresh_interval';
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      hypothesis: '',
      expect: [`find.throughput rises with ${refresh}`],
      thresholds: ['find.throughput > 5'],
      factors: ['1s', '30s'].map((level) => ({ [refresh]: level, tasks })),
    },
    () => ({ tasks: { find: { rate: 40 } } }),
  );
  const report = buildReport(run, trials);
  expect(report.verdict.sentence).toContain('searches/s');
  const texts = [renderTerminal(report, { width: 120 }), renderMarkdown(report), renderHtml(report)];
  for (const text of texts) {
    expect(text).toMatch(/searches\/s/);
    expect(text).not.toMatch(/docs\/s|Documents of find|documents were accepted/);
  }
});

test('the JSON is the report', () => {
  const report = good;
  expect(JSON.parse(renderJson(report))).toEqual(JSON.parse(JSON.stringify(report)));
});
