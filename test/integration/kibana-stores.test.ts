/**
 * Tests the stores of the plugin for Kibana. They must pass the same tests as those of the standalone server (test/contract/). Kibana
 * itself is simulated.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { START } from '../../common/tuning/testing/simulated-target';
import { tuningOptionsSchema } from '../../common/tuning/tuning';
import { readDefinition } from '../../common/experiment/read';
import type { KibanaActor } from '../../server/kibana/actor';
import { createRecovery } from '../../server/kibana/recovery';
import { createSecrets } from '../../server/kibana/secrets';
import type { ElasticsearchConfig, KibanaRequest } from '../../server/kibana/sdk';
import { createTargetStore, type KibanaTargetStore } from '../../server/kibana/targets';
import { fakeSavedObjects, type FakeSavedObjects } from '../../server/kibana/testing/fake-saved-objects';
import { fakeKibanaServices } from '../../server/kibana/testing/fake-kibana-services';
import { fakeTaskManager } from '../../server/kibana/testing/fake-task-manager';
import { CarriedTunings } from '../../server/kibana/tunings/carried-tunings';
import { sharedSamples, type SharedSamples } from '../../server/kibana/tunings/samples';
import { tuningTaskDefinitions, type TuningParams } from '../../server/kibana/tunings/tasks';
import { createTuningStore } from '../../server/kibana/tunings/tuning-store';
import type { Actor, RunQueue } from '../../server/run/queue/queue';
import type { RunOrder } from '../../server/run/active-run/active-run';
import { Connection } from '../../server/target-cluster/connection';
import { describeTargetStore } from '../contract/target-store';
import { until } from '../support/until';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
let client: Connection;

beforeAll(() => (client = new Connection({ hosts: [url()] })));
afterAll(() => client.close());

function targets({ client: objects, encrypted }: FakeSavedObjects): KibanaTargetStore {
  const local: ElasticsearchConfig = { hosts: [url()], ssl: { verificationMode: 'full' } };
  return createTargetStore({
    objects,
    secrets: createSecrets(objects, encrypted, undefined),
    client,
    local,
    allowedHosts: ['127.0.0.1', 'h', 'a*'],
  });
}

describe('the store of targets in Kibana', () => {
  describeTargetStore(() => {
    const kibana = fakeSavedObjects();
    return {
      store: targets(kibana),
      another: targets(kibana),
      kept: () => Promise.resolve(kibana.kept()),
      forbiddenHost: 'http://forbidden.example:9200',
    };
  });

  test('removes a secret with its target', async () => {
    const kibana = fakeSavedObjects();
    const store = targets(kibana);
    const credentials = { kind: 'api-key', key: 'abc' } as const;
    const settings = { title: 'A', hosts: ['http://127.0.0.1:9'], ca: null, verifyCertificates: true };
    const { version } = await store.create({ id: 'a', ...settings, credentials });
    const connection = await store.connect('a', undefined);
    expect(connection.headers['authorization']).toBe('ApiKey abc');
    await connection.close();
    await store.save('a', { ...settings, credentials: { kind: 'none' }, version: version! });
    expect(kibana.kept()).not.toContain('dyno-secret');
    await store.create({ id: 'b', ...settings, credentials });
    await store.delete('b');
    expect(kibana.kept()).not.toContain('dyno-secret');
  });

  test('connects to Kibana’s own cluster with the credentials of the run', async () => {
    const connection = await targets(fakeSavedObjects()).connect('local', 'ApiKey of-the-run');
    expect(connection.headers['authorization']).toBe('ApiKey of-the-run');
    await connection.close();
  });
});

describe('samples of documents in Kibana', () => {
  const folders: string[] = [];
  const node = (): { folder: string; samples: SharedSamples } => {
    const folder = mkdtempSync(path.join(tmpdir(), 'dyno-kibana-samples-'));
    folders.push(folder);
    return { folder, samples: sharedSamples(client, folder) };
  };
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));

  const FILE = 'tuning-shop-mibq2x1k.ndjson';
  const definition = readDefinition({
    ...START,
    index: { name: 'shop', mapping: {} },
    tasks: [{ name: 'ingest', ingest: { source: { file: FILE, repeat: true } } }],
  });

  test('are available unchanged on another node until they are removed', async () => {
    const [one, another] = [node(), node()];
    const text = `{"message":"${'ä\\n'.repeat(800_000)}"}\n`;
    await one.samples.keep(FILE, text);
    await another.samples.fetch(definition);
    expect(readFileSync(path.join(another.folder, FILE), 'utf8') === text).toBe(true);
    writeFileSync(path.join(another.folder, 'tuning-own-mibq2x1k.ndjson'), '{}\n');
    await another.samples.sweep();
    expect(readdirSync(another.folder).sort()).toEqual(['tuning-own-mibq2x1k.ndjson', FILE]);
    await one.samples.remove(FILE);
    expect(readdirSync(one.folder)).toEqual([]);
    await another.samples.sweep();
    expect(readdirSync(another.folder)).toEqual(['tuning-own-mibq2x1k.ndjson']);
    await one.samples.fetch(definition);
    expect(readdirSync(one.folder)).toEqual([]);
  });

  test('are listed as drafts on every node until a tuning uses them', async () => {
    const [one, another] = [node(), node()];
    const [draft, other] = ['tuning-shop-mibq2x1l.ndjson', 'tuning-shop-mibq2x1m.ndjson'] as const;
    for (const file of [draft, other]) await one.samples.keep(file, '{}\n');
    await another.samples.take(other);
    expect(await another.samples.drafts(Date.now() - 60_000)).toEqual([]);
    expect(await another.samples.drafts(Date.now() + 60_000)).toEqual([draft]);
    await another.samples.remove(draft);
    expect(await one.samples.drafts(Date.now() + 60_000)).toEqual([]);
  });
});

describe('the tunings of Kibana', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-kibana-tunings-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const definition = readDefinition({ ...START, target: 'local' });
  const options = tuningOptionsSchema.parse({ goal: 'throughput', time: '15m' });

  /** Returns a simulated Kibana that can start several nodes. Runs in it begin but never end. */
  function startKibana({ canEncrypt = true } = {}) {
    const objects = fakeSavedObjects();
    const tasks = fakeTaskManager();
    const invalidated: string[] = [];
    const actedAs: (string | undefined)[] = [];
    const kibana = fakeKibanaServices({
      ...{ client, objects, taskManager: tasks, canEncrypt, folder },
      apiKeys: {
        grantAsInternalUser: () => Promise.resolve({ id: 'key-1', api_key: 'geheim' }),
        invalidateAsInternalUser: ({ ids }) => {
          invalidated.push(...ids);
          return Promise.resolve({ error_count: 0 });
        },
      },
    });
    const queue = {
      start: async (_order: RunOrder, actor: Actor) => {
        actedAs.push((actor as KibanaActor & Actor).authorization);
        await actor.close();
        return { run: `run-${actedAs.length}`, state: 'queued' };
      },
      progress: () => null,
    } as unknown as RunQueue;
    const node = () =>
      new CarriedTunings({ kibana, queue, corpora: folder, recovery: createRecovery(kibana) });
    const first = node();
    tasks.registerTaskDefinitions(tuningTaskDefinitions(() => first));
    const request = { headers: {} } as KibanaRequest;
    const secrets = createSecrets(objects.client, kibana.encrypted, undefined);
    return {
      ...{ tasks, objects, invalidated, actedAs, node, first },
      asker: { request, namespace: undefined, secrets },
      store: createTuningStore(objects.client),
    };
  }

  test('continue on another node with their own key when their node stops, and invalidate the key at the end', async () => {
    const { tasks, objects, invalidated, actedAs, node, first, asker, store } = startKibana();
    const { id } = await first.start(asker, definition, options);
    const params = (await tasks.get(`dyno:tuning:${id}`)).params as unknown as TuningParams;
    await until(
      'the first run begins',
      async () => (await store.get(id))!.tuning.stages.at(-1)?.run === 'run-1',
    );
    expect(actedAs).toEqual([`ApiKey ${Buffer.from('key-1:geheim').toString('base64')}`]);
    expect(objects.kept()).not.toContain('geheim');

    const second = node();
    expect(await second.look(params)).not.toBeNull();
    expect(second.carries(id)).toBe(false);
    await first.close();
    await second.look(params);
    expect(second.carries(id)).toBe(true);
    expect(actedAs).toHaveLength(1);

    const ended = new Date(Date.now() - 3_600_000).toISOString();
    await store.update(id, ({ tuning, ...more }) => ({
      ...more,
      tuning: { ...tuning, state: 'cancelled', ended },
    }));
    expect(invalidated).toEqual([]);
    await second.close();
    expect(await node().look(params)).toBeNull();
    expect(invalidated).toEqual(['key-1']);
    expect(objects.kept()).not.toContain('dyno-secret');
  });

  test('are refused, and leave nothing behind, if their key cannot be stored or they cannot begin', async () => {
    const unable = startKibana({ canEncrypt: false });
    await expect(unable.first.start(unable.asker, definition, options)).rejects.toMatchObject({
      code: 'tuning.key',
    });
    expect(unable.invalidated).toEqual(['key-1']);
    const { first, asker, invalidated, tasks, objects, store } = startKibana();
    const elsewhere = { ...definition, target: 'nowhere' };
    await expect(first.start(asker, elsewhere, options)).rejects.toMatchObject({ code: 'target.not-found' });
    expect(invalidated).toEqual(['key-1']);
    expect(tasks.ids()).toEqual([]);
    expect(objects.kept()).toBe('[]');
    expect(await store.list()).toEqual([]);
  });

  test('end with a reason when their key is no longer stored', async () => {
    const { first, asker, store, tasks, objects, node } = startKibana();
    const { id } = await first.start(asker, definition, options);
    const params = (await tasks.get(`dyno:tuning:${id}`)).params as unknown as TuningParams;
    await first.close();
    await objects.client.delete('dyno-secret', params.key!.at.secret);
    expect(await node().look(params)).toBeNull();
    expect((await store.get(id))!.tuning).toMatchObject({
      state: 'failed',
      reason: 'it cannot continue: its API key is no longer stored',
    });
  });
});
