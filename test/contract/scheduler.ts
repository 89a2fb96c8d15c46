/**
 * Tests that each implementation of schedules must pass: that of Kibana and that of the standalone server. Only the clock is simulated. The
 * tests move it forward.
 */
import type { Definition } from '../../common/experiment/definition';
import { readDefinitionText } from '../../common/experiment/read';
import type { MissedTimes } from '../../common/experiment/missed';
import type { ScheduleSetting } from '../../common/experiment/schedule';
import type { RunState } from '../../common/experiment/run';
import { runError } from '../../common/problem';
import type { ExperimentStore } from '../../server/routes/services';
import { askedEvent, newRun, type RunOrder } from '../../server/run/active-run/active-run';
import type { ResultsWriter } from '../../server/results/writer';
import { parseTime } from '../../common/units/time';

/** The members of a host (Kibana or the standalone server) that schedules need. */
export interface ScheduledHost {
  experiments: ExperimentStore;
  /** Lets the host check its clock. Resolves when all runs that are due have been started. */
  look(): Promise<void>;
  /** Returns the times at which the schedule of an experiment started no run, oldest first. */
  missed(experiment: string): Promise<MissedTimes[]>;
  /** Stops the host as if its process had ended. */
  stop(): void;
}

export interface SchedulerTools {
  /** Called by the tested implementation to start a run. */
  start(order: RunOrder): Promise<void>;
}

const textOf = (name: string, schedule?: ScheduleSetting): string => `version: 1
name: ${name}
tasks: [{ name: ingest, ingest: { source: { generator: systembase } } }]
${schedule === undefined ? '' : `schedule: ${JSON.stringify(schedule)}\n`}`;

const definitionOf = (text: string): Definition => readDefinitionText(text, 'a.yml');

/** Functions that Jest's fake clock does not replace, because Elasticsearch responds in real time. */
export const REAL_TIMERS = [
  'hrtime',
  'nextTick',
  'performance',
  'queueMicrotask',
  'setImmediate',
  'clearImmediate',
  'setInterval',
  'clearInterval',
  'setTimeout',
  'clearTimeout',
] as const;

let number = 0;

/**
 * Registers these tests with Jest. `open` returns an implementation of schedules. All implementations that one test opens share a store and
 * results.
 */
export function describeScheduler(
  open: (tools: SchedulerTools) => Promise<ScheduledHost>,
  writer: () => ResultsWriter,
): void {
  let host: ScheduledHost;
  let orders: RunOrder[];
  let left: RunState;
  let refused: Error | undefined;

  const tools: SchedulerTools = {
    async start(order) {
      if (refused) throw refused;
      orders.push(order);
      const id = `scheduled-${Date.now()}-${number++}`;
      const run = newRun(id, order.definition, { experiment: order.experimentId });
      run.events.push({ at: run['@timestamp'], level: 'info', message: askedEvent(order.asked) });
      run.run.state = left;
      await writer().saveRun(run);
      await writer().flush(5000);
    },
  };

  const at = async (time: string): Promise<void> => {
    jest.setSystemTime(new Date(parseTime(time)));
    await host.look();
  };
  const keep = async (schedule?: ScheduleSetting): Promise<string> => {
    const text = textOf(`Scheduled ${number++}`, schedule);
    return (await host.experiments.create(text, definitionOf(text))).id;
  };
  const startedOf = (id: string): number => orders.filter(({ experimentId }) => experimentId === id).length;

  beforeEach(async () => {
    jest.useFakeTimers({ now: new Date(parseTime('2026-11-20T01:58:30Z')), doNotFake: [...REAL_TIMERS] });
    [orders, left, refused] = [[], 'completed', undefined];
    host = await open(tools);
  });
  afterEach(async () => {
    for (const { id } of await host.experiments.list()) await host.experiments.delete(id);
    host.stop();
    jest.useRealTimers();
  });

  test('a run is started once when it is due, by cron and by interval', async () => {
    const [cron, interval] = [await keep('0 2 * * *'), await keep('every 6h')];
    await keep();
    await at('2026-11-20T01:59:40Z');
    expect(orders).toEqual([]);
    await at('2026-11-20T02:00:01Z');
    await at('2026-11-20T02:00:31Z');
    expect(orders).toMatchObject([{ experimentId: cron, asked: 'by its schedule' }]);
    await at('2026-11-20T06:00:02Z');
    expect(startedOf(interval)).toBe(1);
    await at('2026-11-21T02:00:01Z');
    expect(startedOf(cron)).toBe(2);
  });

  test('a host that restarts within the minute starts nothing twice', async () => {
    const id = await keep('0 2 * * *');
    await at('2026-11-20T02:00:01Z');
    host.stop();
    host = await open(tools);
    await at('2026-11-20T02:00:20Z');
    await at('2026-11-20T02:01:20Z');
    expect(startedOf(id)).toBe(1);
    await at('2026-11-21T02:00:01Z');
    expect(startedOf(id)).toBe(2);
  });

  test('a removed schedule starts nothing, and a new schedule starts runs', async () => {
    const [removed, deleted, added] = [await keep('0 2 * * *'), await keep('0 2 * * *'), await keep()];
    const change = async (id: string, schedule?: ScheduleSetting): Promise<void> => {
      const { version, definition } = await host.experiments.get(id);
      const text = textOf(definition.name, schedule);
      await host.experiments.save(id, text, definitionOf(text), version);
    };
    await change(removed);
    await change(added, '0 2 * * *');
    await host.experiments.delete(deleted);
    await at('2026-11-20T02:00:01Z');
    expect(orders.map(({ experimentId }) => experimentId)).toEqual([added]);
  });

  test('a run that is due is skipped while the previous one is running', async () => {
    left = 'running';
    const id = await keep('0 * * * *');
    await at('2026-11-20T02:00:01Z');
    await at('2026-11-20T03:00:01Z');
    expect(startedOf(id)).toBe(1);
    expect(await host.missed(id)).toEqual([
      {
        first: '2026-11-20T03:00:00.000Z',
        last: '2026-11-20T03:00:00.000Z',
        times: 1,
        reason: 'overlap',
        why: expect.stringMatching(/^its run scheduled-\S+ was still running$/),
        run: expect.stringMatching(/^scheduled-/),
      },
    ]);
  });

  /** Stops the scheduler, sets the clock to this time, and starts the scheduler again. */
  const awayUntil = async (time: string): Promise<void> => {
    host.stop();
    jest.setSystemTime(new Date(parseTime(time)));
    host = await open(tools);
    await at(time);
  };

  test('after a downtime the last missed time is made up for, and the others are reported', async () => {
    const id = await keep('0 2 * * *');
    await at('2026-11-20T01:59:00Z');
    await awayUntil('2026-11-23T09:30:00Z');
    await at('2026-11-23T09:31:00Z');
    expect(startedOf(id)).toBe(1);
    expect(await host.missed(id)).toEqual([
      {
        first: '2026-11-20T02:00:00.000Z',
        last: '2026-11-22T02:00:00.000Z',
        times: 3,
        reason: 'not-running',
        why: expect.stringMatching(/^(the server|Kibana) was not running$/),
      },
    ]);
    await awayUntil('2026-11-23T12:00:00Z');
    await at('2026-11-24T02:00:01Z');
    expect(startedOf(id)).toBe(2);
    expect(await host.missed(id)).toHaveLength(1);
  });

  test('after a downtime missed times are skipped if the schedule says so, but the next time is not', async () => {
    const id = await keep({ cron: '0 2 * * *', 'when-missed': 'skip' });
    await at('2026-11-20T01:59:00Z');
    await awayUntil('2026-11-20T02:30:00Z');
    expect(startedOf(id)).toBe(0);
    expect(await host.missed(id)).toMatchObject([{ last: '2026-11-20T02:00:00.000Z', times: 1 }]);
    await at('2026-11-21T02:00:01Z');
    expect(startedOf(id)).toBe(1);
  });

  test('a schedule for one time starts one run, and none after a restart or another save', async () => {
    const id = await keep('once 2026-11-20 03:00 Europe/Berlin');
    await at('2026-11-20T01:59:59Z');
    expect(orders).toEqual([]);
    await at('2026-11-20T02:00:01Z');
    await at('2026-11-20T02:01:01Z');
    expect(startedOf(id)).toBe(1);
    await awayUntil('2026-11-20T03:00:00Z');
    const { text, definition, version } = await host.experiments.get(id);
    await host.experiments.save(id, `${text}# again\n`, definition, version);
    await at('2026-11-20T03:00:30Z');
    await at('2026-11-22T03:00:00Z');
    await at('2026-11-22T03:00:30Z');
    expect(startedOf(id)).toBe(1);
    expect(await host.missed(id)).toEqual([]);
  });

  test('a schedule for one time that is saved again while it is due still starts its run', async () => {
    const id = await keep('once 2026-11-20 02:00');
    await at('2026-11-20T01:59:59Z');
    jest.setSystemTime(new Date(parseTime('2026-11-20T02:00:01Z')));
    const { text, definition, version } = await host.experiments.get(id);
    await host.experiments.save(id, `${text}# again\n`, definition, version);
    await at('2026-11-20T02:00:02Z');
    expect(startedOf(id)).toBe(1);
  });

  test('a schedule for one time is made up for after a downtime, unless the schedule says otherwise', async () => {
    const late = await keep('once 2026-11-20 02:00');
    const skipped = await keep({ cron: 'once 2026-11-20 02:00', 'when-missed': 'skip' });
    await at('2026-11-20T01:59:00Z');
    await awayUntil('2026-11-20T09:30:00Z');
    expect([startedOf(late), startedOf(skipped)]).toEqual([1, 0]);
    expect(await host.missed(late)).toEqual([]);
    expect(await host.missed(skipped)).toMatchObject([
      { last: '2026-11-20T02:00:00.000Z', times: 1, reason: 'not-running' },
    ]);
  });

  test('a schedule continues after a run that could not be started', async () => {
    const id = await keep('0 2 * * *');
    refused = runError('target.unreachable', '', 'nobody answers');
    await at('2026-11-20T02:00:01Z');
    expect(await host.missed(id)).toMatchObject([{ reason: 'refused', why: 'nobody answers' }]);
    refused = undefined;
    await at('2026-11-21T02:00:01Z');
    expect(startedOf(id)).toBe(1);
  });
}
