import { resolvePlan } from '../experiment/plan';
import { noAnswers } from '../measurement/same-answers';
import type { Verdict } from '../experiment/run';
import { makeRun, PROVENANCE, REFRESH } from './testing/made-run';
import { shownVerdict, trustOf, type TrustedRun } from './run-trust';
import { trustFrom, worseTrust, type Caution } from './trust';
import { judge } from './verdict';

const REFRESH_PATH = 'index.settings.refresh_interval';
const machine = (others: number) => ({
  busy: 0.9,
  steal: 0,
  own: 0.3,
  others,
  full: 0.05,
  withTarget: false,
});

/** Returns a run. `others`: returns for each trial the share of the load generator's machine that other processes used. */
function shared(
  others: (order: number) => number,
  limited: (order: number) => boolean = () => false,
): Verdict {
  const { run, trials } = makeRun({ ...REFRESH, thresholds: [] }, ({ levels }, _, order) => ({
    tasks: { ingest: { rate: levels[REFRESH_PATH] === '1s' ? 10_000 : 12_000 } },
    limited: limited(order),
  }));
  for (const { trial, generator } of trials) generator!.machine = machine(others(trial.order));
  return judge(run.definition, resolvePlan(run), trials, PROVENANCE);
}

test('a run without cautions is trusted, and says so', () => {
  expect(shared(() => 0.01).trust).toEqual({
    level: 'high',
    line: 'Trust: high. All checks of the trials passed',
    reasons: [],
  });
});

test('one cause is one reason, with its largest share and the number of trials', () => {
  expect(shared((order) => (order === 3 ? 0.02 : 0.1 + order / 20)).trust).toEqual({
    level: 'limited',
    line: 'Trust: limited. Other work used up to 50% of the load generator’s machine in 7 of 9 trials',
    reasons: [
      {
        cause: 'machine-shared',
        text: 'Other work used up to 50% of the load generator’s machine in 7 of 9 trials. Throughput is lower and latency is longer for that reason. Run again on an idle machine.',
      },
    ],
  });
  expect(shared(() => 0.3).trust?.line).toBe(
    'Trust: limited. Other work used 30% of the load generator’s machine in all 9 trials',
  );
});

test('documents that were not stored are more severe than other work, and if half of them were not, the result is invalid', () => {
  const lost = (rejected: number) => {
    const { run, trials } = makeRun({ ...REFRESH, thresholds: [] }, () => ({
      tasks: { ingest: { rate: 10_000, rejected } },
    }));
    for (const { generator } of trials) generator!.machine = machine(0.8);
    return judge(run.definition, resolvePlan(run), trials, PROVENANCE).trust!.line;
  };
  expect(lost(1.5)).toMatch(/^Trust: none\. (?:Up to )?60% of ingest was rejected or failed in all 9 trials/);
  expect(lost(0.1)).toMatch(
    /^Trust: limited\. (?:Up to )?9\.\d+% of ingest was rejected or failed in all 9 trials/,
  );
});

/**
 * Returns the reasons that lower the trust in a run that replayed recorded traffic. `alike`: number of answers out of 1,000 that match the
 * recorded ones; the other answers differ. `timeouts`: number of requests per 1,000 that had a timeout.
 */
function replayed(alike: number, timeouts = 0) {
  const different = 1000 - alike;
  const { run, trials } = makeRun({ ...REFRESH, thresholds: [] }, () => ({
    tasks: { ingest: { rate: 10_000 } },
  }));
  for (const { tasks } of trials)
    for (const task of tasks) {
      task.answers = { ...noAnswers(), alike, different, differences: { hits: different } };
      task.counts.failed = Math.round((task.counts.attempted * (different + timeouts)) / 1000);
      task.failures = {
        'other-answer': { count: Math.round((task.counts.attempted * different) / 1000), example: '' },
        timeout: { count: Math.round((task.counts.attempted * timeouts) / 1000), example: '' },
      };
    }
  return judge(run.definition, resolvePlan(run), trials, PROVENANCE).trust!;
}

test('answers that differ from the recorded ones limit the trust below 95%, and below half of them the result is invalid', () => {
  expect(replayed(950).level).toBe('high');
  const { line, reasons } = replayed(900);
  expect(line).toBe(
    'Trust: limited. 10% of the answers to ingest differed from the recorded ones in all 9 trials',
  );
  expect(reasons.map(({ cause }) => cause)).toEqual(['answers-differ']);
  expect(reasons[0]!.text).toContain(
    'in all 9 trials: mostly hits in the answer. The cluster did other work',
  );
  expect(replayed(500).level).toBe('none');
});

test('other failures of a replay keep their own reason', () => {
  const { reasons } = replayed(980, 30);
  expect(reasons.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^3% of ingest was rejected or failed in all 9 trials: timeout/),
  ]);
});

test('a cause that makes half of the trials invalid makes the result invalid', () => {
  const limitedIn = (trials: number) =>
    shared(
      () => 0,
      (order) => order < trials,
    ).trust!.level;
  expect([1, 4, 5, 9].map(limitedIn)).toEqual(['limited', 'limited', 'none', 'none']);
});

test('the most severe cause is in the line, and the others are in the reasons', () => {
  const { trust } = shared(
    () => 0.3,
    (order) => order < 6,
  );
  expect(trust?.line).toBe(
    'Trust: none. The load generator, not the cluster, was the limit in 6 of 9 trials',
  );
  expect(trust?.reasons.map(({ cause }) => cause)).toEqual(['generator-limited', 'machine-shared']);
});

test('notes do not lower the trust, and several cautions of one cause are one reason', () => {
  const caution = (cause: string, level: Caution['level'], brief: string): Caution => ({
    cause,
    level,
    brief,
    text: `${brief}.`,
  });
  expect(trustFrom([caution('a', 'note', 'A note')]).level).toBe('high');
  expect(
    trustFrom([
      caution('a', 'limited', 'One'),
      caution('b', 'note', 'Two'),
      caution('a', 'limited', 'Three'),
    ]),
  ).toEqual({
    level: 'limited',
    line: 'Trust: limited. One',
    reasons: [{ cause: 'a', text: 'One. Three.' }],
  });
  expect(worseTrust('high', 'none')).toBe('none');
});

describe('the trust in a run', () => {
  const ran = (
    verdict: Verdict | null,
    more: Partial<TrustedRun['run']> = {},
    completed = 9,
  ): TrustedRun => ({
    run: { state: 'completed', reason: '', ...more },
    progress: { trials: 9, completed },
    verdict,
  });

  test('is that of its verdict once it is completed', () => {
    const verdict = shared(() => 0.3);
    expect(trustOf(ran(verdict))).toEqual(verdict.trust);
  });

  test('is limited while trials are missing', () => {
    expect(
      trustOf(
        ran(
          shared(() => 0),
          { state: 'cancelled', reason: 'cancelled by a user' },
          4,
        ),
      ),
    ).toEqual({
      level: 'limited',
      line: 'Trust: limited. The run ended early: cancelled (cancelled by a user), with 4 of 9 trials',
      reasons: [
        {
          cause: 'run-unfinished',
          text: 'The run ended early: cancelled (cancelled by a user), with 4 of 9 trials.',
        },
      ],
    });
  });

  test('does not exist without a verdict or a completed trial', () => {
    expect(trustOf(ran(null))).toBeNull();
    expect(
      trustOf(
        ran(
          shared(() => 0),
          { state: 'failed' },
          0,
        ),
      ),
    ).toBeNull();
  });

  const earlier = (more: Partial<Verdict>): Verdict => ({
    answer: 'confirmed',
    sentence: 'Confirmed: ingest throughput rises.',
    claims: [{ claim: 'ingest.throughput rises with a.b', answer: 'confirmed', why: 'it rises' }],
    thresholds: [],
    warnings: [],
    ...more,
  });

  test('of an earlier version follows from the warnings that it stored', () => {
    const verdict = earlier({
      doubt: 'other work ran on the machine of the load generator in 14 of 14 trials',
      sentence:
        'Confirmed, but other work ran on the machine of the load generator in 14 of 14 trials: ingest throughput rises.',
      warnings: [
        'Other work ran on the machine of the load generator in 14 of 14 trials (#1, #2, #3, #4, #5, #6 and 8 more), 31% of its cores: throughput is lower and latency longer by what it took.',
        'Some latencies of ingest may be the instrument’s own by more than a tenth in 2 of 14 trials (#1, #2), p99 of latency: the cluster may be faster. Throughput is not concerned.',
      ],
    });
    expect(trustOf(ran(verdict))).toMatchObject({
      level: 'limited',
      line: 'Trust: limited. Other work ran on the machine of the load generator in all 14 trials',
      reasons: [{ cause: 'machine-shared' }],
    });
    expect(shownVerdict(verdict).sentence).toBe('Confirmed: ingest throughput rises.');
  });

  test('of an earlier version whose generator was the limit in half of the trials does not exist', () => {
    const warnings = [
      'The load generator, not the cluster, was the limit in 5 of 9 trials (#1, #2, #3, #4, #5), a load thread was busy.',
    ];
    expect(trustOf(ran(earlier({ warnings })))?.level).toBe('none');
    expect(
      trustOf(ran(earlier({ warnings: warnings.map((text) => text.replace('5 of', '4 of')) })))?.level,
    ).toBe('limited');
  });

  test('of an earlier version without warnings is high, and with an unknown one it is limited', () => {
    expect(trustOf(ran(earlier({})))?.level).toBe('high');
    expect(trustOf(ran(earlier({ doubt: 'something was odd in 1 of 9 trials' })))).toMatchObject({
      level: 'limited',
      line: 'Trust: limited. Something was odd in 1 of 9 trials',
    });
  });
});
