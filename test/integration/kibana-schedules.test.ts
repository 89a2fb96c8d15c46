/**
 * Tests the schedules of the plugin for Kibana. They must pass the same tests as those of the standalone server
 * (test/contract/scheduler.ts). Kibana itself is simulated, and is as strict as the real one.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDefinitionText } from '../../common/experiment/read';
import type { RunDocument } from '../../common/experiment/run';
import type { KibanaActor } from '../../server/kibana/actor';
import { createExperimentStore } from '../../server/kibana/experiments';
import type { KibanaServices } from '../../server/kibana/kibana-services';
import { createRecovery } from '../../server/kibana/recovery';
import { retentionTaskDefinitions, scheduleRetention } from '../../server/kibana/retention';
import { withSchedules } from '../../server/kibana/schedules/schedule-store';
import { scheduledWork } from '../../server/kibana/schedules/scheduled-runs';
import { taskDefinitions, WATCH_TASK } from '../../server/kibana/schedules/tasks';
import type { KibanaRequest } from '../../server/kibana/sdk';
import { createSecrets } from '../../server/kibana/secrets';
import { fakeTaskManager } from '../../server/kibana/testing/fake-task-manager';
import { fakeKibanaServices } from '../../server/kibana/testing/fake-kibana-services';
import { fakeSavedObjects, type FakeSavedObjects } from '../../server/kibana/testing/fake-saved-objects';
import { createResultsReader } from '../../server/results/reader';
import { aRun, aSample } from '../../server/results/testing/made-documents';
import { createScheduleLog, MOST_MISSED, SCHEDULES } from '../../server/results/schedule-log';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import type { Actor, RunQueue } from '../../server/run/queue/queue';
import { askedEvent, newRun, type RunOrder } from '../../server/run/active-run/active-run';
import { Connection } from '../../server/target-cluster/connection';
import { describeScheduler, REAL_TIMERS, type ScheduledHost } from '../contract/scheduler';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-kibana-schedules-'));
const request = { headers: {} } as KibanaRequest;
let client: Connection;
let writer: ResultsWriter;

beforeAll(() => {
  client = new Connection({ hosts: [url()] });
  writer = createResultsWriter({
    client,
    spoolDir: path.join(folder, 'spool'),
    onProblem: () => undefined,
  });
});
afterAll(async () => {
  await writer.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A simulated Kibana whose saved objects outlive its processes. */
class Kibana {
  readonly objects: FakeSavedObjects = fakeSavedObjects();
  readonly tasks = fakeTaskManager();
  readonly granted: string[] = [];
  readonly invalidated: string[] = [];
  readonly actedAs: (string | undefined)[] = [];
  readonly resumed: string[] = [];
  private work: ReturnType<typeof scheduledWork> | undefined;

  constructor(
    private readonly secured: boolean,
    private readonly canEncrypt = true,
  ) {
    this.tasks.registerTaskDefinitions(taskDefinitions(() => Promise.resolve(this.work!)));
  }

  private kibana(): KibanaServices {
    const { objects, tasks, canEncrypt } = this;
    return fakeKibanaServices({
      client,
      objects,
      taskManager: tasks,
      canEncrypt,
      folder,
      apiKeys: {
        grantAsInternalUser: () => {
          if (!this.secured) return Promise.resolve(null);
          const id = `key-${this.granted.length}`;
          this.granted.push(id);
          return Promise.resolve({ id, api_key: 'geheim' });
        },
        invalidateAsInternalUser: ({ ids }) => {
          this.invalidated.push(...ids);
          return Promise.resolve({ error_count: 0 });
        },
      },
    });
  }

  /** Starts a process of Kibana that uses the same saved objects. */
  begin(start: (order: RunOrder) => Promise<void>): ScheduledHost {
    const kibana = this.kibana();
    const carried = async (actor: Actor, begin: () => Promise<unknown>): Promise<unknown> => {
      this.actedAs.push((actor as KibanaActor & Actor).authorization);
      try {
        return await begin();
      } finally {
        await actor.close();
      }
    };
    const queue = {
      start: (order: RunOrder, actor: Actor) => carried(actor, () => start(order)),
      resume: (id: string, actor: Actor) =>
        carried(actor, () => Promise.resolve({ state: 'running', number: this.resumed.push(id) })),
    } as unknown as RunQueue;
    this.work = scheduledWork({
      kibana,
      queue,
      corpora: folder,
      recovery: createRecovery(kibana),
    });
    return {
      experiments: withSchedules(createExperimentStore(this.objects.client), {
        kibana,
        request,
        namespace: undefined,
        secrets: createSecrets(this.objects.client, kibana.encrypted, undefined),
      }),
      look: () => this.tasks.runDue(),
      missed: async (id) =>
        (
          await createScheduleLog(client, { space: 'default' }).missed({ experiment: id, limit: 10 })
        ).reverse(),
      stop: () => (this.work = undefined),
    };
  }

  watch = (): Promise<void> => this.work!.watch();
}

describe.each([
  ['with security', true],
  ['without security', false],
])('the schedules of Kibana, %s', (_, secured) => {
  let kibana: Kibana;
  beforeEach(() => (kibana = new Kibana(secured)));
  describeScheduler(
    ({ start }) => Promise.resolve(kibana.begin(start)),
    () => writer,
  );
});

const TEXT = `version: 1
name: Nightly
tasks: [{ name: ingest, ingest: { source: { generator: systembase } } }]
on-interruption: continue
schedule: '* * * * *'
`;
const definition = readDefinitionText(TEXT, 'a.yml');
const none = (): Promise<void> => Promise.resolve();

/** Sets the clock forward by `ms`, executes `work`, and resets the clock. */
async function later(ms: number, work: () => Promise<void>): Promise<void> {
  jest.useFakeTimers({ now: Date.now() + ms, doNotFake: [...REAL_TIMERS] });
  try {
    await work();
  } finally {
    jest.useRealTimers();
  }
}

describe('the key of a schedule', () => {
  test('is stored encrypted, renewed with every save, and invalidated a minute after the schedule was changed', async () => {
    const kibana = new Kibana(true);
    const { experiments, look } = kibana.begin(none);
    const { id, version } = await experiments.create(TEXT, definition);
    expect(kibana.objects.kept()).not.toContain('geheim');
    expect(JSON.stringify(await kibana.tasks.fetch({ query: { term: {} }, size: 9 }))).not.toContain(
      'geheim',
    );
    const saved = await experiments.save(id, `${TEXT}# again\n`, definition, version);
    expect([kibana.granted, kibana.invalidated]).toEqual([['key-0', 'key-1'], []]);
    await expect(experiments.save(id, TEXT, definition, version)).rejects.toMatchObject({
      code: 'experiment.conflict',
    });
    expect(kibana.invalidated).toEqual(['key-2']);
    const unscheduled = TEXT.replace(/schedule.*/, '');
    await experiments.save(id, unscheduled, readDefinitionText(unscheduled, 'a.yml'), saved.version);
    expect(kibana.invalidated).toEqual(['key-2']);
    await later(61_000, look);
    // The two tasks run at the same time, so their order varies.
    expect([...kibana.invalidated].sort()).toEqual(['key-0', 'key-1', 'key-2']);
    expect(kibana.tasks.ids()).toEqual([]);
    expect(kibana.objects.kept()).not.toContain('dyno-secret');
  });

  test.each(['changed', 'disabled', 'deleted'])(
    'stays valid while a run of the schedule is running, although the experiment is %s',
    async (what) => {
      const kibana = new Kibana(true);
      const { experiments, look } = kibana.begin(none);
      const { id, version } = await experiments.create(TEXT, definition);
      const run: RunDocument = newRun(`under-way-${what}`, definition, { experiment: id });
      run.events.push({ at: run['@timestamp'], level: 'info', message: askedEvent('by its schedule') });
      Object.assign(run.run, { state: 'running', heartbeat: new Date(Date.now() + 150_000).toISOString() });
      await writer.saveRun(run);
      await writer.flush(5000);

      const unscheduled = TEXT.replace(/schedule.*/, '');
      if (what === 'changed') await experiments.save(id, `${TEXT}# again\n`, definition, version);
      else if (what === 'disabled')
        await experiments.save(id, unscheduled, readDefinitionText(unscheduled, 'a.yml'), version);
      else await experiments.delete(id);
      await later(61_000, look);
      expect(kibana.invalidated).not.toContain('key-0');

      run.run.state = 'completed';
      await writer.saveRun(run);
      await writer.flush(5000);
      await later(122_000, look);
      expect(kibana.invalidated).toContain('key-0');
      expect(kibana.objects.kept().includes('dyno-secret')).toBe(what === 'changed');
    },
  );

  test('is refused without an encryption key of Kibana: nothing is saved, and the error names the setting', async () => {
    const kibana = new Kibana(true, false);
    const { experiments } = kibana.begin(none);
    await expect(experiments.create(TEXT, definition)).rejects.toMatchObject({
      problems: [
        {
          code: 'definition.schedule',
          path: 'schedule',
          message: expect.stringContaining('xpack.encryptedSavedObjects.encryptionKey') as string,
        },
      ],
    });
    expect(await experiments.list()).toEqual([]);
    expect(kibana.invalidated).toEqual(kibana.granted);
  });

  test('is used by the runs of the schedule', async () => {
    const kibana = new Kibana(true);
    const { experiments, look } = kibana.begin(none);
    await experiments.create(TEXT, definition);
    await later(61_000, look);
    expect(kibana.actedAs).toEqual([`ApiKey ${Buffer.from('key-0:geheim').toString('base64')}`]);
  });
});

describe('a schedule for one time', () => {
  /** Creates an experiment whose schedule is due in ten minutes. Returns its id and the services of the Kibana process. */
  const start = async (kibana: Kibana, begin: (order: RunOrder) => Promise<void>) => {
    const at = new Date(Date.now() + 10 * 60_000).toISOString().slice(0, 16).replace('T', ' ');
    const text = TEXT.replace(/schedule.*/, `schedule: once ${at}`);
    const host = kibana.begin(begin);
    const { id } = await host.experiments.create(text, readDefinitionText(text, 'a.yml'));
    return { ...host, id };
  };
  const MINUTE = 60_000;
  const DAY = 24 * 60 * MINUTE;

  test('keeps its key for a day, so that an interrupted run continues, and leaves nothing behind', async () => {
    const kibana = new Kibana(true);
    const { look } = await start(kibana, none);
    await later(11 * MINUTE, look);
    expect(kibana.actedAs).toHaveLength(1);
    await later(12 * MINUTE, look);
    expect([kibana.actedAs.length, kibana.invalidated]).toEqual([1, []]);
    expect(kibana.tasks.ids()).toHaveLength(1);
    await later(DAY + 12 * MINUTE, look);
    await later(DAY + 15 * MINUTE, look);
    expect(kibana.actedAs).toHaveLength(1);
    expect(kibana.invalidated).toEqual(['key-0']);
    expect(kibana.tasks.ids()).toEqual([]);
    expect(kibana.objects.kept()).not.toContain('dyno-secret');
  });

  test('is tried again every minute until it is known whether its run has started', async () => {
    const kibana = new Kibana(true);
    let fails = true;
    const started: RunOrder[] = [];
    const { look } = await start(kibana, (order) => {
      if (fails) return Promise.reject(new Error('the results are unavailable'));
      return Promise.resolve(void started.push(order));
    });
    await later(11 * MINUTE, look);
    expect(started).toEqual([]);
    fails = false;
    await later(13 * MINUTE, look);
    expect(started).toHaveLength(1);
  });

  test('in the past is saved without a key and without a task', async () => {
    const kibana = new Kibana(true);
    const text = TEXT.replace(/schedule.*/, 'schedule: once 2001-01-01 00:00');
    const { experiments } = kibana.begin(none);
    await experiments.create(text, readDefinitionText(text, 'a.yml'));
    expect([kibana.granted, kibana.tasks.ids()]).toEqual([[], []]);
  });
});

test('a scheduled run whose Kibana has died is marked, and continues on another node as the same user', async () => {
  const kibana = new Kibana(true);
  const started: RunOrder[] = [];
  const { experiments, look } = kibana.begin((order) => Promise.resolve(void started.push(order)));
  const { id } = await experiments.create(TEXT, definition);
  const orphan: RunDocument = newRun(`orphan-${Date.now()}`, definition, { experiment: id });
  orphan.events.push({ at: orphan['@timestamp'], level: 'info', message: askedEvent('by its schedule') });
  orphan.run.carrier = { host: 'a node that died', pid: 1, instance: '1-1' };
  orphan.run.heartbeat = new Date(Date.now() - 61_000).toISOString();
  await writer.saveRun(orphan);
  await writer.flush(5000);
  await later(61_000, look);
  expect([kibana.resumed, started]).toEqual([[orphan.run.id], []]);
  expect(kibana.actedAs).toEqual([`ApiKey ${Buffer.from('key-0:geheim').toString('base64')}`]);
  expect((await createResultsReader(client).getRun(orphan.run.id))!.run).toMatchObject({
    state: 'interrupted',
    reason: expect.stringContaining('a node that died') as string,
  });
  await kibana.watch();
  expect(kibana.resumed).toEqual([orphan.run.id, orphan.run.id]);
  await experiments.delete(id);
  await kibana.watch();
  expect(kibana.resumed).toHaveLength(2);
  expect(kibana.tasks.ids()).not.toContain(WATCH_TASK);
});

test('a daily task removes old samples if the settings say so, and is removed with the setting', async () => {
  const tasks = fakeTaskManager();
  const kibana = fakeKibanaServices({ client, objects: fakeSavedObjects(), taskManager: tasks, folder });
  tasks.registerTaskDefinitions(retentionTaskDefinitions(() => kibana));
  await writer.saveRun(aRun('kibana-old', { state: 'completed' }));
  writer.addSample(aSample('kibana-old', 'kibana-old-t1', 0));
  await writer.flush(5000);
  const reader = createResultsReader(client);
  const samples = async (): Promise<number> => (await reader.getSamples({ run: 'kibana-old' })).length;

  await scheduleRetention(kibana);
  expect(tasks.ids()).toEqual([]);
  kibana.config.retention.samples = '1ms';
  await scheduleRetention(kibana);
  expect(await samples()).toBe(1);
  await tasks.runDue();
  expect(await samples()).toBe(0);
  expect((await reader.getRun('kibana-old'))!.samples).toBeDefined();
  kibana.config.retention.samples = undefined;
  await scheduleRetention(kibana);
  expect(tasks.ids()).toEqual([]);
});

test('only the newest missed times are kept, and all are removed with their experiment', async () => {
  const log = createScheduleLog(client);
  const experiment = { id: 'forgotten', name: 'Forgotten' };
  const missedAt = (minute: number) => {
    const at = new Date(Date.UTC(2026, 0, 1) + minute * 60_000).toISOString();
    return { first: at, last: at, times: 1, reason: 'not-running' as const, why: 'it was made' };
  };
  await log.see(experiment, { to: Date.UTC(2026, 0, 1), schedule: '* * * * *' });
  await log.miss({ id: 'other', name: 'Other' }, missedAt(0));
  const lines = Array.from({ length: MOST_MISSED + 5 }, (_, minute) => {
    const missed = missedAt(minute);
    return `{"index":{}}\n${JSON.stringify({ '@timestamp': missed.last, kind: 'missed', experiment, ...missed })}\n`;
  });
  await ask('POST', `${url()}/${SCHEDULES}/_bulk?refresh=true`, lines.join(''));
  await log.miss(experiment, missedAt(MOST_MISSED + 5));
  const kept = await log.missed({ experiment: 'forgotten', limit: 2 * MOST_MISSED });
  expect(kept).toHaveLength(MOST_MISSED);
  expect([kept[0], kept.at(-1)]).toEqual([missedAt(MOST_MISSED + 5), missedAt(6)]);
  await log.forget('forgotten');
  expect(await log.missed({ experiment: 'forgotten', limit: 10 })).toEqual([]);
  expect((await log.seen()).has('forgotten')).toBe(false);
  expect(await log.missed({ experiment: 'other', limit: 10 })).toHaveLength(1);
});
