import type { DefinitionInput } from '../experiment/definition';
import { makeRun, REFRESH, PROVENANCE, type MadeRun } from '../analysis/testing/made-run';
import { scalingSeries } from './chart/scaling-series';
import { answerCapacity, parseCapacityLimit } from './model/capacity';
import { buildReport } from './model/build';
import type { Report } from './model/report';
import { renderCapacity } from './render/capacity';
import { renderCsv } from './render/csv';
import { renderHtml } from './render/html';
import { renderMarkdown } from './render/markdown';
import { renderTerminal } from './render/terminal';

const CLIENTS = 'tasks.ingest.executor.constant-clients.clients';
const SIGMA = 0.08;
const KAPPA = 0.004;

const rateOf = (n: number): number => (4000 * n) / (1 + SIGMA * (n - 1) + KAPPA * n * (n - 1));

const sweep = (clients: readonly number[], more: Partial<DefinitionInput> = {}): DefinitionInput => ({
  ...REFRESH,
  expect: [],
  thresholds: [],
  hypothesis: '',
  factors: { [CLIENTS]: [...clients] },
  ...more,
});

const run = (input: DefinitionInput, rate: (n: number) => number = rateOf): MadeRun =>
  makeRun(input, ({ levels }) => {
    const n = Number(levels[CLIENTS] ?? 2);
    return { tasks: { ingest: { rate: rate(n), batch: 3000, medianMs: 60 * n } } };
  });

const report = (input: DefinitionInput, rate?: (n: number) => number): Report => {
  const { run: document, trials } = run(input, rate);
  return buildReport(document, trials);
};

const EIGHT = [1, 2, 4, 8, 16];

test('a sweep over clients has a law in the report and in every output format', () => {
  const built = report(sweep(EIGHT));
  expect(built.scaling).toHaveLength(1);
  expect(built.scaling![0]).toMatchObject({ task: 'ingest', name: 'clients', group: '', rate: 'throughput' });
  for (const text of [renderTerminal(built), renderMarkdown(built), renderHtml(built)]) {
    expect(text).toMatch(/How ingest scales with clients/);
    expect(text).toMatch(/peak/);
  }
  expect(renderHtml(built)).toContain('class="law beyond-measured"');
  expect(renderCsv(built).split('\n')[0]).toContain('scaling kappa 95% high');
});

test('the axis of a law contains the whole interval, and begins at zero', () => {
  const built = report(sweep(EIGHT));
  // Beyond the measured range, intervals become wide.
  const { curve } = built.scaling![0]!.law as { curve: { high: number | null }[] };
  curve.at(-1)!.high = 1_000_000;
  const [series] = scalingSeries(built, 'ingest');
  expect(series!.y).toEqual({ min: 0, max: 1_050_000 });
});

test('a run without a count as a factor has no law', () => {
  const { run: document, trials } = makeRun(REFRESH, () => ({
    tasks: { ingest: { rate: 1000, batch: 3000, medianMs: 60 } },
  }));
  const built = buildReport(document, trials);
  expect(built).not.toHaveProperty('scaling');
  expect(renderCsv(built)).not.toContain('scaling');
});

test('with three levels no law is fitted, and the report says why', () => {
  const built = report(sweep([1, 2, 4]));
  expect(renderTerminal(built)).toMatch(/No scalability law over clients: .*at least 4 levels/s);
  const [answer] = answerCapacity(built, { rate: 10_000, limits: [] });
  expect(answer).toMatchObject({ need: null, sentence: expect.stringContaining('No answer') as string });
});

test('each combination of other factors has its own law', () => {
  const built = report(
    sweep([], { factors: { [CLIENTS]: EIGHT, 'index.settings.refresh_interval': ['1s', '30s'] } }),
  );
  expect(built.scaling!.map(({ group }) => group)).toEqual(['refresh_interval=1s', 'refresh_interval=30s']);
});

test('a given rate has no law, because it does not show what the cluster can do', () => {
  const input = sweep([], {
    tasks: [{ ...REFRESH.tasks[0]!, executor: { 'constant-rate': { rate: 5 } } }],
    factors: { 'index.settings.number_of_shards': [1, 2, 3, 4] },
  });
  expect(report(input)).not.toHaveProperty('scaling');
});

describe('the capacity', () => {
  const built = report(sweep(EIGHT));
  const limit = (text: string): ReturnType<typeof parseCapacityLimit> => parseCapacityLimit(text, built);
  const ask = (rate: number, ...limits: string[]) =>
    answerCapacity(built, {
      rate,
      limits: limits.map((text) => {
        const parsed = limit(text);
        if ('message' in parsed) throw new Error(parsed.message);
        return parsed;
      }),
    })[0]!;

  test('is a range that contains the true value', () => {
    const { need } = ask(15_000);
    const truth = [...Array(16).keys()].map((n) => n + 1).find((n) => rateOf(n) >= 15_000)!;
    expect(need!.low).toBeLessThanOrEqual(truth);
    expect(need!.high).toBeGreaterThanOrEqual(truth);
  });

  test('is not given for a rate beyond the drawn law', () => {
    const { need, sentence } = ask(500_000);
    expect(need).toEqual({ best: null, low: null, high: null });
    expect(sentence).toMatch(/1\.5 times what was measured/);
  });

  test('says which measured cells keep a limit, and computes no percentile between them', () => {
    const { limits, assumptions } = ask(15_000, 'ingest.p95 < 10s', 'ingest.p95 < 1ms');
    expect(limits[0]!.cells.map(({ kept }) => kept)).toEqual(EIGHT.map(() => 'kept'));
    expect(limits[1]!.cells.map(({ kept }) => kept)).toEqual(EIGHT.map(() => 'broken'));
    expect(assumptions.join(' ')).toMatch(/percentiles are not computed between or beyond them/);
  });

  test.each([
    ['queries.p95 < 1s', /no such task/],
    ['ingest.throughput < 5', /cannot be a limit/],
    ['ingest.p95 > 1s', /not an upper limit/],
  ])('refuses the limit %s', (text, why) => {
    expect(limit(text)).toMatchObject({ message: expect.stringMatching(why) as string });
  });

  test('is shown in a terminal with its assumptions', () => {
    const text = renderCapacity(built, [ask(15_000, 'ingest.p95 < 10s')]);
    expect(text).toMatch(/15,000 docs\/s needs clients = \d+ \(95% interval/);
    expect(text).toMatch(/Everything except clients is the same as in this run/);
  });
});

describe('a price', () => {
  const priced = report(
    sweep(EIGHT, {
      environment: { price: '0.5 EUR per hour and node, 2026-11-01' },
      expect: [`ingest.per_money rises with ${CLIENTS} from 1 to 4`],
    }),
  );

  test('gives documents per unit of money with the interval of the throughput', () => {
    const { throughput, cost } = priced.cells[0]!.tasks[0]!;
    const factor = 3600 / (0.5 * PROVENANCE.nodes.length);
    expect(cost).toMatchObject({ currency: 'EUR', date: '2026-11-01', hourly: 1.5 });
    expect(cost!.perMoney.mean).toBeCloseTo(throughput.mean! * factor, 3);
    expect(cost!.perMoney.interval!.low).toBeCloseTo(throughput.interval!.low * factor, 3);
  });

  test('can be claimed, and is in every output format', () => {
    expect(priced.verdict.claims[0]).toMatchObject({ answer: 'confirmed' });
    for (const text of [renderTerminal(priced), renderMarkdown(priced), renderHtml(priced)])
      expect(text).toMatch(/Cost of ingest, docs\/EUR/);
    expect(renderCsv(priced).split('\n')[0]).toContain('per money 95% low');
  });
});
