import { makeRun, normal, REFRESH } from '../analysis/testing/made-run';
import type { NodeDelta } from '../measurement/server';
import { createRandom } from '../random';
import { buildReport } from './model/build';
import type { Profile } from './model/profile';
import type { Report } from './model/report';
import { renderHtml } from './render/html';
import { renderMarkdown } from './render/markdown';
import { renderTerminal } from './render/terminal';
import { whySentences } from './why';

/** Values of a trial: shares in 0 to 1. */
interface Seen {
  refresh: number;
  gc: number;
  rate: number;
}

const PHASE_MS = 300_000;

/**
 * Returns the report of a run with the cells 1s and 30s. `make`: values of a trial, for its level and a function that varies a value by a
 * few percent.
 */
function reportOf(
  make: (level: '1s' | '30s', vary: (value: number, by?: number) => number) => Seen | null,
  { trials = 5, order }: { trials?: number; order?: 'sequential' } = {},
): Report {
  const random = createRandom(7);
  const vary = (value: number, by = 0.03): number => value * (1 + by * normal(random));
  const made = makeRun(
    {
      ...REFRESH,
      factors: { 'index.settings.refresh_interval': ['1s', '30s'] },
      trials,
      ...(order === undefined ? {} : { order }),
    },
    ({ levels }) => ({
      tasks: { ingest: { rate: make(levels['index.settings.refresh_interval'] as '1s', vary)?.rate ?? 1 } },
    }),
  );
  for (const { cell, server } of made.trials) {
    const seen = make(cell.levels['index.settings.refresh_interval'] as '1s', vary);
    for (const node of server!.perNode!) {
      if (seen === null) continue;
      Object.assign(node, {
        gcPauseMs: seen.gc * PHASE_MS,
        elapsedMs: PHASE_MS,
        counted: {},
        profile: {
          readings: 100,
          cpuMs: 100_000,
          activities: { refresh: seen.refresh * 100_000, indexing: (0.9 - seen.refresh) * 100_000 },
        },
      } satisfies Partial<NodeDelta>);
    }
  }
  return buildReport(made.run, made.trials);
}

const CLEAR = reportOf((level, vary) => ({
  rate: vary(level === '1s' ? 10_000 : 12_000),
  refresh: vary(level === '1s' ? 0.2 : 0.05),
  gc: vary(0.1, 0.3),
}));

const sentence = (sentences: readonly string[], start: string): string =>
  sentences.find((one) => one.startsWith(start)) ?? '';

test('the sentences name the decided changes with their values and intervals', () => {
  const sentences = whySentences(CLEAR);
  expect(sentences).toHaveLength(5);
  expect(sentences[0]).toMatch(
    /^Ingest throughput [\d,]+ docs\/s with 1s, [\d,]+ docs\/s with 30s \(\+\d+%, 95% interval \+\d+% to \+\d+%\)\.$/,
  );
  expect(sentences[1]).toMatch(
    /^CPU time changed: CPU time for refreshes \S+% with 1s, \S+% with 30s \(difference −1\d points, 95% interval −1\d to −1\d\)/,
  );
});

test('a share that fell to 0 has an interval too', () => {
  const gone = reportOf((level, vary) => ({
    rate: vary(10_000),
    refresh: level === '1s' ? vary(0.2) : 0,
    gc: vary(0.1),
  }));
  expect(sentence(whySentences(gone), 'CPU time')).toMatch(
    /CPU time for refreshes \S+% with 1s, 0% with 30s \(difference −\d+ points, 95% interval −\d+ to −\d+\)/,
  );
});

test('a group without a decided change says how many trials would decide it', () => {
  const gc = sentence(whySentences(CLEAR), 'Garbage collection');
  expect(gc).toMatch(
    /^Garbage collection: no change is decided; about [\d,]+ trials of each cell would show a difference in GC pauses as large as this one \(.+ with 1s, .+ with 30s\) in 80% of runs\.$/,
  );
  expect(Number(/about ([\d,]+)/.exec(gc)![1]!.replace(',', ''))).toBeGreaterThan(5);
});

test('a group without values says why', () => {
  expect(sentence(whySentences(CLEAR), 'I/O')).toMatch(/^I\/O: not measured \(.+\)\.$/);
});

test('shares that are negligible in both cells are no change', () => {
  const sentences = whySentences(
    reportOf((level, vary) => ({
      rate: vary(10_000),
      refresh: vary(0.1),
      gc: level === '1s' ? 0.001 : 0.002,
    })),
  );
  expect(sentence(sentences, 'Garbage')).toBe(
    'Garbage collection: no change; less than 0.5% in both cells (GC pauses).',
  );
});

test('equal cells rarely get a change: the metrics of a group are judged together', () => {
  let named = 0;
  for (let seed = 0; seed < 20; seed += 1) {
    const random = createRandom(seed);
    const vary = (value: number): number => value * (1 + 0.2 * normal(random));
    const report = reportOf(() => ({ rate: vary(10_000), refresh: vary(0.1), gc: vary(0.1) }));
    named += whySentences(report).filter((one) => one.includes(' changed: ')).length;
  }
  expect(named).toBeLessThanOrEqual(4);
});

test('cells that ran one after another, and single trials, decide nothing', () => {
  const make = (level: '1s' | '30s', vary: (value: number) => number): Seen => ({
    rate: vary(level === '1s' ? 10_000 : 20_000),
    refresh: vary(level === '1s' ? 0.4 : 0.05),
    gc: vary(0.1),
  });
  const sequential = whySentences(reportOf(make, { order: 'sequential' }));
  expect(sequential).toHaveLength(2);
  expect(sequential[1]).toMatch(/^Nothing is decided about its cause: the cells ran one after another/);
  expect(whySentences(reportOf(make, { trials: 1 }))[1]).toBe(
    'Nothing is decided about its cause: one trial is not enough.',
  );
});

test('the two cells are those of the profile, and its largest change is named', () => {
  const profile = {
    cell: 0,
    against: 1,
    event: 'cpu',
    changes: [
      {
        frame: 1,
        sentence: 'refreshes (Engine.refresh): 5% of CPU with 30s, 20% with 1s (difference +15 points)',
      },
      { frame: 2, sentence: 'second' },
    ],
  } as unknown as Profile;
  const cpu = sentence(whySentences(CLEAR, profile), 'CPU time');
  expect(cpu).toContain('CPU time for refreshes 4');
  expect(cpu).toContain('; refreshes (Engine.refresh): 5% of CPU with 30s, 20% with 1s');
  expect(cpu).not.toContain('second');
  expect(whySentences(CLEAR, { ...profile, against: null })).toEqual([]);
});

test('all reports of a run with a profile contain the sentences', () => {
  const without = reportOf(() => null);
  for (const render of [renderTerminal, renderMarkdown, renderHtml]) {
    expect(render(CLEAR)).toContain('Why 30s differs from 1s');
    expect(render(CLEAR)).toContain('CPU time changed: ');
    expect(render(without)).not.toContain('Why 30s differs');
  }
});

test('equal values are no change', () => {
  const equal = reportOf(() => ({ rate: 10_000, refresh: 0.1, gc: 0.1 }));
  expect(whySentences(equal)[1]).toBe(
    'CPU time: no change beyond the margin of 5% (CPU time for refreshes and CPU time for indexing).',
  );
});
