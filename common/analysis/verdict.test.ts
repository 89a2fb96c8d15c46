import type { DefinitionInput } from '../experiment/definition';
import { resolvePlan } from '../experiment/plan';
import { createHistogram, encodeHistogram } from '../measurement/histogram';
import type { Verdict } from '../experiment/run';
import { createRandom } from '../random';
import { makeRun, normal, REFRESH, refreshRun, type MadeTrial } from './testing/made-run';
import { judge } from './verdict';

const REFRESH_PATH = 'index.settings.refresh_interval';
const SHARDS_PATH = 'index.settings.number_of_shards';

/** Returns the verdict on a generated run. `rate`: returns the throughput of a trial from the factor levels of its cell. */
const judged = (
  input: Partial<DefinitionInput>,
  rate: (levels: Record<string, unknown>, order: number) => number,
  more: Partial<MadeTrial> | ((order: number) => Partial<MadeTrial>) = {},
): Verdict => {
  const { run, trials } = makeRun({ ...REFRESH, ...input }, ({ levels }, _, order) => ({
    tasks: { ingest: { rate: rate(levels, order), batch: 3000, cv: 0.01 } },
    ...(typeof more === 'function' ? more(order) : more),
  }));
  return judge(run.definition, resolvePlan(run), trials);
};

const byRefresh =
  (rates: Record<string, number>) =>
  (levels: Record<string, unknown>): number =>
    rates[String(levels[REFRESH_PATH])]!;
const RISING = byRefresh({ '1s': 12_300, '5s': 13_900, '30s': 15_100 });
const FLAT = byRefresh({ '1s': 12_000, '5s': 12_000, '30s': 12_000 });

describe('a claim that a metric rises', () => {
  test('is confirmed with values, interval and levels in one sentence', () => {
    const { run, trials } = refreshRun();
    const { answer, sentence, warnings } = judge(run.definition, resolvePlan(run), trials);
    expect(answer).toBe('confirmed');
    expect(sentence).toMatch(
      /^Confirmed: ingest is \d+% faster \(15,\d{3} against 12,\d{3} docs\/s; 95% interval \d+% to \d+%\) with a refresh interval of 30s than with 1s\.$/,
    );
    expect(warnings).toEqual([]);
  });

  test('is refuted by a fall, and by no difference within the margin', () => {
    expect(judged({}, byRefresh({ '1s': 15_000, '5s': 13_000, '30s': 12_000 }))).toMatchObject({
      answer: 'refuted',
    });
    const same = judged({ trials: 6 }, FLAT);
    expect(same.answer).toBe('refuted');
    expect(same.sentence).toContain('Refuted: ingest is the same within 5% (');
  });

  test('is undecided if a step in between changes in the other direction', () => {
    const { answer, claims } = judged({}, byRefresh({ '1s': 12_000, '5s': 18_000, '30s': 15_000 }));
    expect(answer).toBe('undecided');
    expect(claims[0]!.why).toMatch(
      /; from a refresh interval of 5s to 30s it changes the other way, \d+% slower$/,
    );
  });

  test('is undecided with one trial of each cell', () => {
    const { answer, sentence, warnings } = judged({ trials: 1 }, RISING);
    expect(answer).toBe('undecided');
    expect(sentence).toMatch(
      / in a single trial, which may be chance; at least 3 trials per cell are needed\.$/,
    );
    expect(warnings.join()).toContain('Few trials (1 completed trial per cell)');
  });

  test('with a size is judged by the near end of the interval', () => {
    const by = (percent: number) =>
      judged({ expect: [`ingest.throughput rises with ${REFRESH_PATH} by at least ${percent}%`] }, RISING)
        .answer;
    expect(by(10)).toBe('confirmed');
    expect(by(22)).toBe('undecided');
    expect(by(60)).toBe('refuted');
  });

  test('with `at most` is confirmed by any change within the bound, including no change and a gain', () => {
    const falls = (percent: number, rate: Parameters<typeof judged>[1]): Verdict =>
      judged({ expect: [`ingest.throughput falls with ${REFRESH_PATH} by at most ${percent}%`] }, rate);
    const less = byRefresh({ '1s': 15_000, '5s': 14_500, '30s': 14_000 });
    expect(falls(10, less).answer).toBe('confirmed');
    expect(falls(3, less).answer).toBe('refuted');
    expect(falls(6.5, less).claims[0]).toMatchObject({
      answer: 'undecided',
      why: expect.stringMatching(
        /; at most 6\.5% slower was claimed; about \d+ trials per cell would decide it$/,
      ),
    });
    expect(falls(10, RISING).answer).toBe('confirmed');
    const same = falls(10, FLAT);
    expect(same.answer).toBe('confirmed');
    expect(same.sentence).toMatch(/; at most 10% slower was claimed\.$/);
  });

  test('with `at most` is decided for bytes and for throughput by one run', () => {
    const { run, trials } = makeRun(
      {
        ...REFRESH,
        factors: { 'index.settings.mode': ['standard', 'logsdb'] },
        expect: [
          'index.bytes_per_document falls with index.settings.mode by at least 40%',
          'ingest.throughput falls with index.settings.mode by at most 10%',
        ],
      },
      ({ levels }) => ({
        tasks: { ingest: { rate: levels['index.settings.mode'] === 'logsdb' ? 11_700 : 12_000, cv: 0.005 } },
      }),
    );
    for (const { cell, index, trial } of trials) {
      const bytes = cell.levels['index.settings.mode'] === 'logsdb' ? 95 : 200;
      index!.storeBytes = index!.docs * (bytes + trial.order * 0.1);
    }
    const { claims } = judge(run.definition, resolvePlan(run), trials);
    expect(claims.map(({ answer }) => answer)).toEqual(['confirmed', 'confirmed']);
    expect(claims[0]!.why).toMatch(/^index size per document is 2\.1 times lower \(95\.\d against 200 B;/);
  });

  test('says why a claim with a size is undecided', () => {
    const expect22 = [`ingest.throughput rises with ${REFRESH_PATH} by at least 22%`];
    expect(judged({ expect: expect22 }, RISING).sentence).toMatch(
      /; at least 22% faster was claimed; about \d+ trials per cell would decide it\.$/,
    );
  });

  test('says that trials have too few requests for a percentile', () => {
    const far = [`ingest.latency.p99.99 rises with ${REFRESH_PATH}`];
    const { answer, sentence } = judged({ expect: far }, RISING);
    expect(answer).toBe('undecided');
    expect(sentence).toMatch(
      /^Undecided: p99\.99 response time of ingest is not known with a refresh interval of 1s: only 1,\d{3} requests were measured, and p99\.99 needs at least 100,000; measure for at least \d+h \d+m at this rate, or use p99\./,
    );
  });

  test('may cover a part of the levels, also in reverse order', () => {
    const rates = byRefresh({ '1s': 12_000, '5s': 18_000, '30s': 15_000 });
    const of = (range: string) =>
      judged({ expect: [`ingest.throughput rises with ${REFRESH_PATH} from ${range}`] }, rates);
    expect(of('1s to 5s').answer).toBe('confirmed');
    expect(of('5s to 30s').answer).toBe('refuted');
    expect(of('30s to 5s').answer).toBe('confirmed');
    expect(of('2s to 5s')).toMatchObject({ answer: 'undecided' });
  });
});

test('a claim that a metric falls or stays is judged by the word that fits it', () => {
  const expectation = (relation: string) => ({
    expect: [`ingest.throughput ${relation} with ${REFRESH_PATH}`],
    trials: 6,
  });
  expect(judged(expectation('falls'), RISING).answer).toBe('refuted');
  expect(judged(expectation('stays'), RISING).answer).toBe('refuted');
  expect(judged(expectation('stays'), FLAT).answer).toBe('confirmed');
});

describe('a claim about one of two factors', () => {
  const crossed = { factors: { [REFRESH_PATH]: ['1s', '30s'], [SHARDS_PATH]: [1, 5] } };

  test('must hold for every level of the other', () => {
    const rate = (shardsMatter: number) => (levels: Record<string, unknown>) =>
      levels[REFRESH_PATH] === '1s' ? 10_000 : levels[SHARDS_PATH] === 5 ? 10_000 * shardsMatter : 15_000;
    expect(judged(crossed, rate(1.5)).answer).toBe('confirmed');
    const refuted = judged(crossed, rate(0.7));
    expect(refuted.answer).toBe('refuted');
    expect(refuted.sentence).toMatch(
      /^Refuted: with a refresh interval of 30s against 1s, in 1 of 2 combinations: ingest is 3\d% slower \(.*\) with 5 primary shards; 95% intervals widened for 2 comparisons\./,
    );
  });

  test('compares listed cells in their order, and says what changes along with the factor', () => {
    const factors = [1, 3, 5].map((shards) => ({ [SHARDS_PATH]: shards, [REFRESH_PATH]: `${shards}s` }));
    const { answer, sentence } = judged(
      { factors, expect: [`ingest.throughput rises with ${SHARDS_PATH}`] },
      (levels) => 10_000 + 2000 * Number(levels[SHARDS_PATH]),
    );
    expect(answer).toBe('confirmed');
    expect(sentence).toMatch(/; index\.settings\.refresh_interval changed along with it\.$/);
  });
});

describe('a hypothesis', () => {
  test('without claims has nothing to decide', () => {
    expect(judged({ expect: [] }, RISING)).toMatchObject({
      answer: 'no-claim',
      sentence: expect.stringMatching(
        /^The hypothesis was not tested: this experiment has no `expect`\. Ingest throughput: 12,\d{3} docs\/s \(refresh_interval=1s\) to 15,\d{3} docs\/s \(refresh_interval=30s\)\. Both thresholds hold\.$/,
      ) as string,
    });
  });

  test('with several claims needs all of them', () => {
    const { answer, sentence } = judged(
      {
        expect: [
          `ingest.throughput rises with ${REFRESH_PATH}`,
          `ingest.throughput falls with ${REFRESH_PATH}`,
        ],
      },
      RISING,
    );
    expect(answer).toBe('refuted');
    expect(sentence).toMatch(/^Refuted, 1 of 2 claims: ingest is \d+% faster /);
  });
});

describe('thresholds', () => {
  test('are judged by the worst trial of all cells', () => {
    const { run, trials } = makeRun(REFRESH, ({ index }, repetition) => ({
      tasks: { ingest: { rate: 10_000, batch: 500, rejected: index === 2 && repetition === 1 ? 0.05 : 0 } },
    }));
    const { thresholds } = judge(run.definition, resolvePlan(run), trials);
    expect(thresholds[0]).toMatchObject({
      passed: false,
      cell: 'refresh_interval=30s',
      value: expect.closeTo(0.0476, 3),
    });
    expect(thresholds[1]).toMatchObject({ passed: true });
  });

  test('do not pass without a value, with the reason among the warnings', () => {
    const { thresholds, warnings } = judged({ thresholds: ['ingest.latency.p99.99 < 1m'] }, RISING);
    expect(thresholds[0]).toMatchObject({ passed: false, value: null });
    expect(warnings.join()).toMatch(
      /Only 1,\d{3} requests were measured, and p99\.99 needs at least 100,000/,
    );
  });

  test('do not pass where a cell has no completed trial', () => {
    const { thresholds, warnings } = judged({}, RISING, (order) => ({
      state: order % 3 === 0 ? 'failed' : 'completed',
    }));
    expect(thresholds.every(({ passed }) => !passed || thresholds.length === 0)).toBe(false);
    expect(warnings.join()).toContain('did not complete');
  });
});

describe('a warning about trials', () => {
  test('limits the trust, and does not change the sentence', () => {
    const { sentence, trust, warnings } = judged({}, RISING, (order) => ({ limited: order < 2 }));
    expect(sentence).toMatch(/^Confirmed: ingest is /);
    expect(trust).toMatchObject({
      level: 'limited',
      line: 'Trust: limited. The load generator, not the cluster, was the limit in 2 of 9 trials',
      reasons: [{ cause: 'generator-limited', text: warnings[0] }],
    });
    expect(warnings[0]).toContain('was the limit in 2 of 9 trials (#1, #2): a load thread was busy');
  });

  test('is one sentence with the warnings that it explains', () => {
    const { trust, warnings } = judged({}, RISING, (order) => ({
      limited: order < 2,
      unsettled: order === 1,
    }));
    expect(trust?.reasons.map(({ cause }) => cause)).toEqual(['generator-limited']);
    expect(warnings).toEqual([
      expect.stringMatching(/This also explains why the throughput never settled in 1 of them\.$/),
    ]);
  });

  test('is a separate sentence if it is also about other trials', () => {
    const { trust, warnings } = judged({}, RISING, (order) => ({
      limited: order < 2,
      unsettled: order > 0,
    }));
    expect(trust?.reasons.map(({ cause }) => cause)).toEqual(['generator-limited', 'unsettled']);
    expect(warnings).toHaveLength(2);
  });

  test('limits the trust only if it affects the metrics of the verdict', () => {
    const claim = (text: string): Verdict => {
      const { run, trials } = makeRun({ ...REFRESH, expect: [text], thresholds: [] }, ({ levels }) => ({
        tasks: { ingest: { rate: RISING(levels), batch: 500, cv: 0.01 } },
      }));
      const held = createHistogram();
      held.recordValueWithCount(500_000, 1500);
      const { generator } = trials[0]!;
      trials[0]!.generator = { ...generator!, delays: { held: encodeHistogram(held), noticed: null } };
      return judge(run.definition, resolvePlan(run), trials);
    };
    expect(claim(`ingest.throughput rises with ${REFRESH_PATH}`).trust?.level).toBe('high');
    expect(claim(`ingest.latency.p50 falls with ${REFRESH_PATH}`).trust?.line).toMatch(
      /^Trust: limited\. Dyno itself may have added more than 10% to p50.* of ingest in 1 of 9 trials$/,
    );
  });

  test('is given if a load never settled, and if the cells ran one after the other', () => {
    const { warnings } = judged({ order: 'sequential' }, RISING, (order) => ({ unsettled: order === 4 }));
    expect(warnings).toEqual([
      expect.stringContaining('never settled in 1 of 9 trials (#5)'),
      expect.stringContaining('order: sequential'),
    ]);
  });

  const open = (offered: number): Verdict => {
    const tasks: DefinitionInput['tasks'] = [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' } },
        executor: { 'constant-rate': { rate: 10 } },
      },
    ];
    const { run, trials } = makeRun({ ...REFRESH, tasks }, () => ({
      tasks: { ingest: { rate: 10_000, batch: 1000, offered } },
    }));
    return judge(run.definition, resolvePlan(run), trials);
  };

  test('is given if an offered rate was missed', () => {
    expect(open(12).warnings.join()).toMatch(
      /offered rate of ingest was missed in all 9 trials: .*could not do more/,
    );
  });

  test('is given if a compared throughput was only the offered rate', () => {
    expect(open(9).warnings.join()).toContain('is the rate that it was offered');
  });

  test('is given if accepted documents are missing from the index', () => {
    const { run, trials } = refreshRun();
    trials[0]!.index!.docs -= 1;
    expect(judge(run.definition, resolvePlan(run), trials).warnings.join()).toContain(
      'Accepted documents are missing from the index in 1 of 9 trials (#1)',
    );
  });

  test('is given with the number of unanswered documents in the index', () => {
    const { run, trials } = refreshRun();
    const { tasks, index } = trials[0]!;
    const { accepted } = tasks[0]!.total;
    tasks[0]!.total = { ...tasks[0]!.total, accepted: accepted - 500, unknown: 500 };
    index!.docs = accepted;
    expect(judge(run.definition, resolvePlan(run), trials).warnings.join()).toMatch(
      /The outcome of some documents is unknown in 1 of 9 trials \(#1\): [^.]*, 500 unknown: all of the unknown were stored\./,
    );
  });

  test('is given if many segments were left and no merge ended, but not with few segments or some merges', () => {
    const { run, trials } = refreshRun();
    for (const order of [1, 3, 4]) trials[order]!.server!.merges.count = 0;
    trials[1]!.index!.segments = 72;
    trials[3]!.index!.segments = 29;
    trials[4]!.server!.partial = true;
    expect(judge(run.definition, resolvePlan(run), trials).warnings).toEqual([
      'No merge ended in the measured phase of 1 of 9 trials (#2), and many segments were left: 24 segments a shard. ' +
        'The later cost of small segments is not measured. Longer trials would include it.',
    ]);
  });
});

describe('several claims', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
  const { run, trials } = makeRun(
    {
      ...REFRESH,
      tasks: names.map((name) => ({ ...REFRESH.tasks[0]!, name })),
      factors: { [REFRESH_PATH]: ['1s', '30s'] },
      thresholds: [],
      trials: 5,
    },
    () => ({ tasks: Object.fromEntries(names.map((name) => [name, { rate: 0.1 }])) }),
  );
  const plan = resolvePlan(run);
  /** Judges claims that the throughput of each task stays. `rate`: returns the throughput of a task in a trial. */
  const staying = (rate: (name: string, level: unknown) => number, claimed = names): Verdict =>
    judge(
      { ...run.definition, expect: claimed.map((name) => `${name}.throughput stays with ${REFRESH_PATH}`) },
      plan,
      trials.map((trial) => ({
        ...trial,
        tasks: trial.tasks.map((task) => ({
          ...task,
          throughput: rate(task.task, trial.cell.levels[REFRESH_PATH]),
        })),
      })),
    );

  test('chance refutes a true hypothesis in about 5% of the runs, however many claims it has', () => {
    let [wrong, alone] = [0, 0];
    const runs = 300;
    for (let seed = 1; seed <= runs; seed += 1) {
      const rates = (): ((name: string) => number) => {
        const random = createRandom(seed);
        return () => 1000 * Math.exp(0.15 * normal(random));
      };
      const { answer } = staying(rates());
      if (answer === 'refuted') wrong += 1;
      if (names.some((name) => staying(rates(), [name]).answer === 'refuted')) alone += 1;
    }
    expect(wrong / runs).toBeLessThan(0.08);
    // Claims that are judged one by one refute it far more often.
    expect(alone / runs).toBeGreaterThan(0.2);
  });

  test('a clear difference refutes a claim among many, and an unclear one leaves it undecided', () => {
    const noise = (percent: number): ((name: string, level: unknown) => number) => {
      const random = createRandom(1);
      return (name, level) =>
        1000 * (1 + 0.03 * normal(random)) * (name === 'c' && level === '30s' ? 1 + percent / 100 : 1);
    };
    const refuted = staying(noise(60)).claims.flatMap(({ answer }, at) =>
      answer === 'refuted' ? [names[at]] : [],
    );
    expect(refuted).toEqual(['c']);
    const { claims } = staying(noise(3));
    expect(staying(noise(3), ['c']).answer).toBe('refuted');
    expect(claims[2]!.answer).toBe('undecided');
    expect(claims[2]!.why).toMatch(
      /^c could be .*; 95% interval, widened for 8 claims\) .*; about \d+ trials per cell would decide it$/,
    );
  });
});
