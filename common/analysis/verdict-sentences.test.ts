/** Tests all forms of the verdict's sentence. */
import type { DefinitionInput } from '../experiment/definition';
import { resolvePlan } from '../experiment/plan';
import type { Verdict } from '../experiment/run';
import { makeRun, REFRESH } from './testing/made-run';
import { judge } from './verdict';

const BULK = 'tasks.ingest.ingest.bulk.docs';
const SHARDS = 'index.settings.number_of_shards';
const REPLICAS = 'index.settings.number_of_replicas';
const IDLE = 'index.settings.search.idle.after';

type Rates = (levels: Record<string, unknown>) => number;

function judged(input: Partial<DefinitionInput>, rate: Rates, cv = 0.01): Verdict {
  const { run, trials } = makeRun({ ...REFRESH, thresholds: [], ...input }, ({ levels }) => ({
    // A faster task has shorter times.
    tasks: { ingest: { rate: rate(levels), batch: 1000, cv, medianMs: 2_000_000 / rate(levels) } },
  }));
  return judge(run.definition, resolvePlan(run), trials);
}

const byLevel =
  (path: string, rates: Record<string, number>): Rates =>
  (levels) =>
    rates[String(levels[path])]!;

/** Returns a pattern in which `#` matches any number, because numbers depend on the seed of the generated runs. */
const shape = (text: string): RegExp =>
  new RegExp(`^${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('#', String.raw`[\d,.]+`)}$`);

interface Case {
  name: string;
  input: Partial<DefinitionInput>;
  rate: Rates;
  cv?: number;
  sentence: string;
}

const bulks = (expected: string, more: Partial<DefinitionInput> = {}): Partial<DefinitionInput> => ({
  factors: { [BULK]: [10, 1000] },
  expect: [expected],
  ...more,
});
const FASTER = byLevel(BULK, { 10: 2000, 1000: 8500 });
const SLOWER = byLevel(BULK, { 10: 8500, 1000: 2000 });
const BIT_FASTER = byLevel(BULK, { 10: 10_000, 1000: 11_500 });
const SAME = byLevel(BULK, { 10: 10_000, 1000: 10_000 });

const CASES: Case[] = [
  {
    name: 'confirmed, in factors',
    input: bulks(`ingest.throughput rises with ${BULK}`),
    rate: FASTER,
    sentence:
      'Confirmed: ingest is # times faster (# against # docs/s; 95% interval # to # times) with bulks of 1,000 documents than with 10.',
  },
  {
    name: 'confirmed, in percentages',
    input: bulks(`ingest.throughput rises with ${BULK}`),
    rate: BIT_FASTER,
    sentence:
      'Confirmed: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with bulks of 1,000 documents than with 10.',
  },
  {
    name: 'refuted by the opposite',
    input: bulks(`ingest.throughput rises with ${BULK}`),
    rate: SLOWER,
    sentence:
      'Refuted: ingest is # times slower (# against # docs/s; 95% interval # to # times) with bulks of 1,000 documents than with 10.',
  },
  {
    name: 'refuted by no difference',
    input: bulks(`ingest.throughput rises with ${BULK}`, { trials: 8 }),
    rate: SAME,
    sentence:
      'Refuted: ingest is the same within 5% (# against # docs/s; 95% interval #% slower to #% faster) with bulks of 1,000 documents as with 10.',
  },
  {
    name: 'undecided',
    input: bulks(`ingest.throughput rises with ${BULK}`),
    rate: BIT_FASTER,
    cv: 0.08,
    sentence:
      'Undecided: ingest could be #% slower to #% faster (# against # docs/s) with bulks of 1,000 documents than with 10; about # trials per cell would decide it.',
  },
  {
    name: 'undecided with one trial of each cell',
    input: bulks(`ingest.throughput rises with ${BULK}`, { trials: 1 }),
    rate: FASTER,
    sentence:
      'Undecided: ingest was # times faster (# against # docs/s) with bulks of 1,000 documents than with 10 in a single trial, which may be chance; at least 3 trials per cell are needed.',
  },
  {
    name: 'undecided because the cells ran one after another',
    input: bulks(`ingest.throughput rises with ${BULK}`, { order: 'sequential' }),
    rate: BIT_FASTER,
    sentence:
      'Undecided: ingest was #% faster (# against # docs/s) with bulks of 1,000 documents than with 10; the cells ran one after another (order: sequential), so a drift of the cluster looks like a difference between them; order: interleaved avoids that.',
  },
  {
    name: 'confirmed that it stays',
    input: bulks(`ingest.throughput stays with ${BULK}`, { trials: 8 }),
    rate: SAME,
    sentence:
      'Confirmed: ingest is the same within 5% (# against # docs/s; 95% interval #% slower to #% faster) with bulks of 1,000 documents as with 10.',
  },
  {
    name: 'a promise that is kept',
    input: bulks(`ingest.throughput rises with ${BULK} by at least 5%`),
    rate: BIT_FASTER,
    sentence:
      'Confirmed: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with bulks of 1,000 documents than with 10; at least 5% faster was claimed.',
  },
  {
    name: 'a promise in factors that is not kept',
    input: bulks(`ingest.throughput rises with ${BULK} by at least 900%`),
    rate: FASTER,
    sentence:
      'Refuted: ingest is # times faster (# against # docs/s; 95% interval # to # times) with bulks of 1,000 documents than with 10; at least 10 times faster was claimed.',
  },
  {
    name: 'a bound that is kept',
    input: bulks(`ingest.throughput falls with ${BULK} by at most 10%`),
    rate: SAME,
    sentence:
      'Confirmed: ingest is the same within 5% (# against # docs/s; 95% interval #% slower to #% faster) with bulks of 1,000 documents as with 10; at most 10% slower was claimed.',
  },
  {
    name: 'a latency, which is lower and not faster',
    input: bulks(`ingest.latency.p50 falls with ${BULK}`),
    rate: BIT_FASTER,
    sentence:
      'Confirmed: p50 response time of ingest is #% lower (# against # ms; 95% interval #% to #%) with bulks of 1,000 documents than with 10.',
  },
  {
    name: 'a percentile with too few requests',
    input: bulks(`ingest.latency.p99.9 falls with ${BULK}`),
    rate: BIT_FASTER,
    sentence:
      'Undecided: p99.9 response time of ingest is not known with bulks of 10 documents: only # requests were measured, and p99.9 needs at least 10,000; measure for at least #m #s at this rate, or use p99.',
  },
  {
    name: 'several series, all of which confirm',
    input: {
      factors: { [BULK]: [10, 1000], [SHARDS]: [1, 5] },
      expect: [`ingest.throughput rises with ${BULK}`],
    },
    rate: BIT_FASTER,
    sentence:
      'Confirmed: with bulks of 1,000 documents against 10, in all 2 combinations: ingest is #% faster (# against # docs/s; #% to #%) with 1 primary shard; ingest is #% faster (# against # docs/s; #% to #%) with 5 primary shards; 95% intervals widened for 2 comparisons.',
  },
  {
    name: 'one of several series, which refutes',
    input: {
      factors: { [BULK]: [10, 1000], [SHARDS]: [1, 5] },
      expect: [`ingest.throughput rises with ${BULK}`],
    },
    rate: (levels) => (levels[SHARDS] === 5 && levels[BULK] === 1000 ? 7000 : BIT_FASTER(levels)),
    sentence:
      'Refuted: with bulks of 1,000 documents against 10, in 1 of 2 combinations: ingest is #% slower (# against # docs/s; #% to #%) with 5 primary shards; 95% intervals widened for 2 comparisons.',
  },
  {
    name: 'environments',
    input: {
      factors: { 'environment.disk': ['standard', 'premium'] },
      expect: ['ingest.throughput rises with environment.disk'],
    },
    rate: byLevel('environment.disk', { standard: 10_000, premium: 11_500 }),
    sentence:
      'Confirmed: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with disk = premium than with standard.',
  },
  {
    name: 'a factor without its own words',
    input: { factors: { [IDLE]: ['1s', '30s'] }, expect: [`ingest.throughput rises with ${IDLE}`] },
    rate: byLevel(IDLE, { '1s': 10_000, '30s': 11_500 }),
    sentence:
      'Confirmed: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with search.idle.after = 30s than with 1s.',
  },
  {
    name: 'a factor that others change along with',
    input: {
      factors: [
        { [SHARDS]: 1, [REPLICAS]: 0 },
        { [SHARDS]: 5, [REPLICAS]: 1 },
      ],
      expect: [`ingest.throughput rises with ${SHARDS}`],
    },
    rate: byLevel(SHARDS, { 1: 10_000, 5: 11_500 }),
    sentence: `Confirmed: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with 5 primary shards than with 1; ${REPLICAS} changed along with it.`,
  },
  {
    name: 'several claims',
    input: bulks(`ingest.throughput rises with ${BULK}`, {
      expect: [`ingest.throughput rises with ${BULK}`, `ingest.throughput falls with ${BULK}`],
    }),
    rate: BIT_FASTER,
    sentence:
      'Refuted, 1 of 2 claims: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with bulks of 1,000 documents than with 10.',
  },
  {
    name: 'a confirmed claim with thresholds that do not hold',
    input: bulks(`ingest.throughput rises with ${BULK}`, {
      thresholds: ['ingest.throughput > 1000000/s', 'ingest.rejection_rate < 1%'],
    }),
    rate: BIT_FASTER,
    sentence:
      'Confirmed: ingest is #% faster (# against # docs/s; 95% interval #% to #%) with bulks of 1,000 documents than with 10. 1 of 2 thresholds does not hold.',
  },
  {
    name: 'no claim and no hypothesis',
    input: { factors: {}, expect: [], hypothesis: '' },
    rate: () => 10_000,
    sentence:
      'No hypothesis to test: this experiment has no `expect`. Ingest throughput: # docs/s (mean of 3 trials, 95% interval # to #).',
  },
  {
    name: 'no claim, several cells and thresholds',
    input: bulks('', { expect: [], hypothesis: '', thresholds: ['ingest.rejection_rate < 1%'] }),
    rate: FASTER,
    sentence:
      'No hypothesis to test: this experiment has no `expect`. Ingest throughput: # docs/s (docs=10) to # docs/s (docs=1000). The threshold holds.',
  },
  {
    name: 'no claim, and cells with the same mean',
    input: bulks('', { expect: [], hypothesis: '' }),
    rate: () => 10_000,
    cv: 0,
    sentence:
      'No hypothesis to test: this experiment has no `expect`. Ingest throughput: # docs/s in all # cells.',
  },
  {
    name: 'a hypothesis without a claim',
    input: { factors: {}, expect: [] },
    rate: () => 10_000,
    sentence:
      'The hypothesis was not tested: this experiment has no `expect`. Ingest throughput: # docs/s (mean of 3 trials, 95% interval # to #).',
  },
];

test.each(CASES)('the sentence of $name', ({ input, rate, cv, sentence }) => {
  expect(judged(input, rate, cv).sentence).toMatch(shape(sentence));
});

test.each(CASES)(
  'the sentence of $name has one notation, and never a dash for a value',
  ({ input, rate, cv }) => {
    const { sentence } = judged(input, rate, cv);
    expect(sentence).not.toMatch(/–|−|×|goes from|, but |undefined|NaN|null/);
    const hasFactor = / times (faster|slower|higher|lower) \(/.test(sentence);
    expect(hasFactor && /\d%(?! interval)/.test(sentence)).toBe(false);
  },
);

test('the change of the first combination that decided is stored as numbers and in short form', () => {
  const { claims } = judged(bulks(`ingest.throughput rises with ${BULK}`), FASTER);
  expect(claims[0]!.effect).toMatchObject({
    fromLevel: '10',
    toLevel: '1,000',
    from: expect.stringMatching(/^[\d,]+ docs\/s$/),
    size: expect.stringMatching(/^4\.\d×$/),
    interval: expect.stringMatching(/^[\d.]+× to [\d.]+×$/),
    metric: 'throughput of ingest',
  });
  const { ratio, low, high } = claims[0]!.effect!;
  expect(low!).toBeLessThan(ratio!);
  expect(high!).toBeGreaterThan(ratio!);
});

/**
 * Returns a run with two cells and four repetitions. In the first three, the second cell is 1.3 times as fast as the first. In the fourth,
 * it is 1.34 times as fast, and both cells are about five times as fast as before.
 */
const unlikeRepetitions = () =>
  makeRun(
    { ...REFRESH, thresholds: [], trials: 4, ...bulks(`ingest.throughput rises with ${BULK}`) },
    ({ levels }, repetition) => {
      const [base, times] = repetition === 3 ? [5000, 1.34] : [1000, 1.3];
      return {
        tasks: { ingest: { rate: base * (levels[BULK] === 10 ? 1 : times), batch: 1000, cv: 0.0001 } },
      };
    },
  );

test('a change within repetitions is named as such if the two means have another ratio', () => {
  const { run, trials } = unlikeRepetitions();
  const { sentence } = judge(run.definition, resolvePlan(run), trials);
  expect(sentence).toMatch(
    /^Confirmed: ingest is 31% faster within repetitions \(means: 2,65\d against 2,00\d docs\/s; 95% interval \d+% to \d+%\) with/,
  );
});
