import type { RunDocument } from '../../../common/experiment/run';
import { definitionSchema } from '../../../common/experiment/definition';
import { runError, type Problem } from '../../../common/problem';
import { askedEvent, type RunOrder } from '../active-run/active-run';
import type { MissedTimes } from '../../../common/experiment/missed';
import type { Seen } from '../../results/schedule-log';
import { nextDue, startSchedules, type Schedules } from './schedules';
import { parseTime } from '../../../common/units/time';

describe('the next time that a schedule falls due', () => {
  const after = new Date(parseTime('2026-11-20T10:30:30Z'));

  it.each([
    ['0 2 * * *', '2026-11-21T02:00:00.000Z'],
    ['* * * * *', '2026-11-20T10:31:00.000Z'],
    ['0 6 * * MON', '2026-11-23T06:00:00.000Z'],
  ])('of %s is found in UTC', (schedule, due) => expect(nextDue(schedule, after)).toBe(due));

  it.each(['*/5 * * * * *', '60 * * * *', 'daily', '', '2026-11-20T10:00:00', '0 0 31 2 *'])(
    'of %p is refused',
    (schedule) => {
      expect(() => nextDue(schedule, after)).toThrow(expect.objectContaining({ kind: 'input' }) as Error);
    },
  );
});

describe('schedules', () => {
  let orders: RunOrder[] = [];
  let problems: Problem[] = [];
  let runs: RunDocument[] = [];
  let away = false;
  let refused = false;
  let schedules: Schedules | undefined;
  let kept: { seen: Map<string, Seen>; missed: MissedTimes[] };

  const experiment = (id: string, schedule?: string) => ({
    id,
    definition: definitionSchema.parse({
      version: 1,
      name: id,
      tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
      ...(schedule === undefined ? {} : { schedule }),
    }),
  });
  let experiments = [experiment('nightly', '0 2 * * *'), experiment('manually')];

  /** Returns a run with the fields that schedules read. */
  const aRun = (id: string, at: string, state: string, asked: RunOrder['asked']): RunDocument =>
    ({
      '@timestamp': at,
      run: { id: 'r1', state },
      experiment: { id },
      events: [{ at, level: 'info', message: askedEvent(asked) }],
    }) as RunDocument;

  const begin = (): void => {
    schedules = startSchedules({
      list: () =>
        away ? Promise.reject(runError('results.away', '', 'nobody answers')) : Promise.resolve(experiments),
      start: (order) => {
        if (refused) return Promise.reject(runError('target.unreachable', '', 'nobody answers'));
        orders.push(order);
        runs = [aRun(order.experimentId, new Date().toISOString(), 'completed', order.asked), ...runs];
        return Promise.resolve();
      },
      reader: {
        listRuns: ({ experiment: id }) => Promise.resolve(runs.filter((run) => run.experiment.id === id)),
        findActiveRuns: () => Promise.resolve(runs.filter(({ run }) => run.state === 'running')),
      },
      startsClusters: (target) => target === 'local',
      log: {
        seen: () => Promise.resolve(new Map(kept.seen)),
        see: ({ id }, seen) => Promise.resolve(void kept.seen.set(id, seen)),
        miss: (_, missed) => Promise.resolve(void kept.missed.push(missed)),
      },
      onProblem: (problem) => problems.push(problem),
    });
  };
  const passes = (ms: number): Promise<void> => jest.advanceTimersByTimeAsync(ms);

  beforeEach(() => {
    jest.useFakeTimers({ now: new Date(parseTime('2026-11-20T01:59:50Z')) });
    [orders, problems, runs, away, refused] = [[], [], [], false, false];
    kept = { seen: new Map(), missed: [] };
    experiments = [experiment('nightly', '0 2 * * *'), experiment('manually')];
  });
  afterEach(() => {
    schedules?.stop();
    jest.useRealTimers();
  });

  it('start no run that would wait for a person to change its environment', async () => {
    const saved = experiment('disks', '0 2 * * *');
    saved.definition.factors = { 'environment.disk': ['standard', 'premium'] };
    experiments = [saved];
    begin();
    await passes(15_000);
    expect(orders).toEqual([]);
    expect(problems.map(({ message }) => message)).toEqual([expect.stringMatching(/cannot have a schedule/)]);
  });

  it('start a run over several clusters only if the host starts them', async () => {
    const [here, elsewhere] = [experiment('here', '0 2 * * *'), experiment('elsewhere', '0 2 * * *')];
    for (const { definition } of [here, elsewhere])
      definition.factors = { 'environment.nodes': [1, 3], 'environment.version': ['8.19.4', '9.5.3'] };
    elsewhere.definition.target = 'production';
    experiments = [here, elsewhere];
    begin();
    await passes(15_000);
    expect(orders).toMatchObject([{ experimentId: 'here' }]);
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringMatching(/Dyno starts no clusters for this target/),
    ]);
  });

  it('start a run once when it is due, and again the next day', async () => {
    begin();
    await passes(9_000);
    expect(orders).toEqual([]);
    await passes(2_000);
    expect(orders).toMatchObject([{ experimentId: 'nightly', asked: 'by its schedule' }]);
    await passes(23 * 3_600_000);
    expect(orders).toHaveLength(1);
    await passes(3_600_000);
    expect(orders).toHaveLength(2);
  });

  it('start no run twice if the host restarts within the minute', async () => {
    begin();
    await passes(20_000);
    schedules!.stop();
    begin();
    await passes(60_000);
    expect(orders).toHaveLength(1);
  });

  it('start a run that was due in the minute in which the host died', async () => {
    jest.setSystemTime(new Date(parseTime('2026-11-20T02:00:30Z')));
    begin();
    await passes(1000);
    expect(orders).toHaveLength(1);
  });

  it('start no run twice that was handled before the host died', async () => {
    kept.seen.set('nightly', { to: Date.parse('2026-11-20T02:00:00Z'), schedule: '0 2 * * *' });
    jest.setSystemTime(new Date(parseTime('2026-11-20T02:00:30Z')));
    begin();
    await passes(1000);
    expect(orders).toEqual([]);
  });

  it('report how often and until when a schedule of every minute was missed in a year', async () => {
    experiments = [experiment('busy', '* * * * *')];
    kept.seen.set('busy', { to: Date.parse('2025-11-20T02:00:00Z'), schedule: '* * * * *' });
    begin();
    await passes(5000);
    expect(kept.missed).toMatchObject([
      { first: '2025-11-20T02:01:00.000Z', last: '2026-11-20T01:58:00.000Z', reason: 'not-running' },
    ]);
    expect(kept.missed[0]!.times).toBe(1999);
    expect(orders).toHaveLength(1);
  });

  it('report no missed times before they were changed', async () => {
    const changed = { ...experiment('nightly', '0 1 * * *'), updated: '2026-11-20T01:30:00.000Z' };
    experiments = [changed];
    kept.seen.set('nightly', { to: Date.parse('2026-11-18T02:00:00Z'), schedule: '0 2 * * *' });
    begin();
    await passes(5000);
    expect([orders, kept.missed]).toEqual([[], []]);
  });

  it('report why the results could not be read, if times were missed for that', async () => {
    experiments = [experiment('nightly', '0 2 * * *')];
    experiments[0]!.definition.schedule = { cron: '0 2 * * *', 'when-missed': 'skip' };
    begin();
    await passes(1000);
    away = true;
    await passes(10 * 60_000);
    away = false;
    await passes(40_000);
    expect(orders).toEqual([]);
    expect(kept.missed).toMatchObject([{ reason: 'unread', why: 'nobody answers', times: 1 }]);
  });

  it('start no run in a quiet period, nor one that would extend into it, and report that', async () => {
    const quiet = (id: string, ...periods: string[]) => {
      const own = experiment(id);
      own.definition.schedule = { cron: '0 3 * * *', zone: 'Europe/Berlin', quiet: periods };
      return own;
    };
    // The current time is 02:00 UTC on a Friday in winter.
    experiments = [quiet('in', 'Fri 02:30-03:30'), quiet('into', '03:01-04:00'), quiet('free', 'Sat,Sun')];
    begin();
    await passes(15_000);
    expect(orders).toMatchObject([{ experimentId: 'free' }]);
    expect(kept.missed).toMatchObject([
      { reason: 'quiet', why: 'the quiet period Fri 02:30-03:30 (Europe/Berlin) is in progress' },
      { reason: 'quiet', why: expect.stringMatching(/would extend into the quiet period 03:01-04:00/) },
    ]);
    expect(problems.map(({ code }) => code)).toEqual(['schedule.skipped', 'schedule.skipped']);
  });

  it('report no missed times before they were first seen', async () => {
    jest.setSystemTime(new Date(parseTime('2026-11-20T02:01:00Z')));
    begin();
    await passes(60_000);
    expect(orders).toEqual([]);
  });

  it('skip a time while an earlier run of the experiment is running, and report that', async () => {
    runs = [aRun('nightly', '2026-11-20T01:00:00.000Z', 'running', 'manually')];
    begin();
    await passes(60_000);
    expect(orders).toEqual([]);
    expect(problems).toMatchObject([{ code: 'schedule.skipped' }]);
    expect(problems[0]!.message).toContain('r1 was still running');
  });

  it('follow a changed schedule at once', async () => {
    begin();
    await passes(1000);
    experiments = [experiment('nightly', '1 2 * * *')];
    void schedules!.changed();
    await passes(60_000);
    expect(orders).toEqual([]);
    await passes(12_000);
    expect(orders).toHaveLength(1);
  });

  it('start a run that was due while the experiments could not be read for a moment', async () => {
    begin();
    await passes(1000);
    away = true;
    await passes(60_000);
    expect(problems).toMatchObject([{ code: 'schedule.unread' }]);
    away = false;
    await passes(40_000);
    expect(orders).toHaveLength(1);
  });

  it('report a refused run, and an invalid expression once', async () => {
    refused = true;
    experiments = [experiment('nightly', '0 2 * * *'), experiment('wrong', '99 * * * *')];
    begin();
    await passes(120_000);
    expect(problems.map(({ code }) => code).sort()).toEqual(['definition.schedule', 'schedule.refused']);
  });

  it('start no run after they were stopped', async () => {
    begin();
    schedules!.stop();
    await passes(60_000);
    expect(orders).toEqual([]);
  });
});
