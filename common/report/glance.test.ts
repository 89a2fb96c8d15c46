import { makeRun, REFRESH, refreshRun, type MadeRun } from '../analysis/testing/made-run';
import type { DefinitionInput } from '../experiment/definition';
import { glanceOf, meaningOfState, type Glance } from './glance';
import { buildReport } from './model/build';
import type { Report } from './model/report';

const reportOf = ({ run, trials }: MadeRun): Report => buildReport(run, trials);
const glance = (made: MadeRun): Glance => glanceOf(reportOf(made));
const fact = ({ facts }: Glance, id: string): { value: string; label: string } =>
  facts.find((one) => one.id === id)!;

const BULK = 'tasks.ingest.ingest.bulk.docs';
const BULKS: DefinitionInput = {
  ...REFRESH,
  expect: [`ingest.throughput rises with ${BULK}`],
  factors: { [BULK]: [10, 1000] },
  thresholds: [],
};

/** Returns a run with two bulk sizes. Bulks of 10 documents have a quarter of the throughput of bulks of 1,000 documents. */
const bulks = (input: DefinitionInput = BULKS): MadeRun =>
  makeRun(input, ({ levels }) => ({
    tasks: {
      ingest:
        levels[BULK] === 1000
          ? { rate: 12_000, batch: 1000, medianMs: 80 }
          : { rate: 3000, batch: 10, medianMs: 3 },
    },
  }));

test('a confirmed claim has its factor, its interval and the latency that it cost', () => {
  const found = glance(bulks());
  expect(found.state).toBe('confirmed');
  expect(found.effect).toMatchObject({ value: '4×', of: 'higher ingest throughput', isClear: true });
  expect(found.effect!.interval).toMatch(/^95% interval (3\.\d|4)× to 4(\.\d)?×$/);
  expect(found.sentence).not.toMatch(/confirmed/i);
  expect(found.claim).toBe(`ingest.throughput rises with ${BULK}`);
  expect(found.facts.map(({ id }) => id)).toEqual(['latency', 'losses', 'limit', 'notes', 'next']);
  expect(fact(found, 'latency').value).toMatch(/^[\d.]+ → \d+ ms$/);
  expect(fact(found, 'latency').label).toBe('response time p99 of ingest, 10 → 1,000');
  expect(fact(found, 'losses')).toMatchObject({ value: '0%', label: 'rejected, failed or unknown' });
});

test('the effect is that of the claim: from its first to its last level', () => {
  const backwards = `ingest.throughput falls with ${BULK} from 1000 to 10`;
  const report = reportOf(bulks({ ...BULKS, expect: [backwards] }));
  expect(report.effect).toMatchObject({ from: 1, to: 0, factor: BULK });
  expect(report.effect!.comparisons[1]).toBeNull();
  expect(glanceOf(report).effect).toMatchObject({ value: '4×', of: 'lower ingest throughput' });
});

test('with several combinations of other factors, the effect names its own', () => {
  const found = glance(
    bulks({ ...BULKS, factors: { 'index.settings.number_of_shards': [1, 5], [BULK]: [10, 1000] } }),
  );
  expect(found.effect!.of).toBe('higher ingest throughput with 1 primary shard');
});

test('an effect whose interval includes no change is not clear', () => {
  const found = glance(
    makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, cv: 0.15 } } })),
  );
  expect(found.state).toBe('undecided');
  expect(found.effect).toMatchObject({ isClear: false });
  expect(found.effect!.value).toMatch(/^[+−±]/);
  expect(fact(found, 'next').value).toBe('Next: more trials');
  expect(found.step).toEqual({ kind: 'edit' });
});

test('a claim about a time shows that time, and the throughput as a fact', () => {
  const found = glance(bulks({ ...BULKS, expect: [`ingest.latency.p50 falls with ${BULK}`] }));
  expect(found.state).toBe('refuted');
  expect(found.effect!.of).toBe('higher ingest response time p50');
  expect(fact(found, 'latency')).toEqual({
    id: 'latency',
    value: expect.stringMatching(/^[\d,]+ → [\d,]+$/),
    label: 'docs/s of ingest, 10 → 1,000',
  });
});

test('the first of several claims is shown, the others are counted', () => {
  const found = glance(
    bulks({
      ...BULKS,
      expect: [
        `ingest.throughput rises with ${BULK}`,
        `ingest.latency.p50 falls with ${BULK}`,
        `ingest.latency.p50 rises with ${BULK}`,
      ],
    }),
  );
  expect(found.state).toBe('confirmed');
  expect(found.others).toBe('2 other claims: 1 refuted, 1 confirmed; overall refuted');
  expect(found.claims.map(({ answer }) => answer)).toEqual(['confirmed', 'refuted', 'confirmed']);
});

test('without a claim the best cell is compared with the baseline', () => {
  const found = glance(
    makeRun({ ...REFRESH, expect: [] }, ({ levels }) => {
      const rate = levels['index.settings.refresh_interval'] === '5s' ? 15_000 : 12_000;
      return { tasks: { ingest: { rate, batch: 3000 } } };
    }),
  );
  expect(found.state).toBe('no-claim');
  expect(found.effect!.value).toMatch(/^\+2\d%$/);
});

test('a single cell shows its value', () => {
  const found = glance(
    makeRun({ ...REFRESH, expect: [], factors: {} }, () => ({
      tasks: { ingest: { rate: 12_000, batch: 3000 } },
    })),
  );
  expect(found.effect).toMatchObject({
    value: expect.stringMatching(/^1[12],\d+ docs\/s$/),
    of: 'ingest throughput',
  });
  expect(found.effect!.interval).toMatch(/^95% interval 1[12],\d+ to 1[12],\d+ docs\/s$/);
});

test('a result that cannot be trusted is neither good nor bad, and its effect is not clear', () => {
  const found = glance(
    makeRun(BULKS, ({ levels }) => ({
      tasks: { ingest: { rate: levels[BULK] === 1000 ? 12_000 : 3000, batch: 10 } },
      limited: true,
    })),
  );
  expect(found.trust!.level).toBe('none');
  expect(found.effect!.isClear).toBe(false);
  expect(meaningOfState(found.state, found.trust!.level)).toBe('plain');
  expect(meaningOfState('confirmed', 'limited')).toBe('good');
  expect(fact(found, 'next').value).toBe('Next: more load');
});

test('losses are counted over all cells, with their kinds', () => {
  const found = glance(
    makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 12_000, batch: 3000, rejected: 0.02 } } })),
  );
  expect(fact(found, 'losses')).toMatchObject({
    tone: 'bad',
    label: expect.stringMatching(/^[\d,]+ rejected, of [\d,]+ documents and requests$/),
  });
});

test('a running run shows its answer so far', () => {
  const made = refreshRun();
  made.run.run.state = 'running';
  made.run.run.ended = null;
  made.run.progress.completed = 6;
  const found = glance({ ...made, trials: made.trials.slice(0, 6) });
  expect(found.progress).toBe('6 of 9 trials so far');
  expect(found.effect).not.toBeNull();
  expect(fact(found, 'next')).toMatchObject({ value: 'Next: wait', label: '3 trials to go' });
  expect(found.step).toEqual({ kind: 'watch' });
});

test.each([
  ['failed', 'failed'],
  ['cancelled', 'cancelled'],
  ['interrupted', 'interrupted'],
  ['completed', 'no-trials'],
  ['running', 'running'],
] as const)('a run that is %s without a trial says so, without numbers', (state, shown) => {
  const made = makeRun(REFRESH, () => ({ tasks: {}, state: 'failed' }));
  made.run.run.state = state;
  made.run.run.reason = 'the disk is full';
  made.run.progress.completed = 0;
  const found = glance(made);
  expect(found).toMatchObject({ state: shown, effect: null, trust: null, progress: '' });
  expect(found.sentence).toContain('The disk is full.');
  expect(found.facts.map(({ id }) => id)).toEqual(['next']);
});

test('a run that was cancelled after some trials shows their answer and their number', () => {
  const made = refreshRun();
  made.run.run.state = 'cancelled';
  made.run.progress.completed = 6;
  const found = glance({ ...made, trials: made.trials.slice(0, 6) });
  expect(found.progress).toBe('cancelled after 6 of 9 trials');
  expect(found.trust!.level).toBe('limited');
});

test('one trial of each level gives an effect without an interval, and a reason', () => {
  const found = glance(bulks({ ...BULKS, trials: 1 }));
  expect(found.effect).toMatchObject({ value: expect.stringMatching(/×$/), isClear: false });
  expect(found.effect!.interval).toMatch(/^No interval: .*one trial/);
});
