/** Tests the stores of the standalone server. They must pass the same tests as those of the plugin for Kibana (test/contract/). */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createResultsReader } from '../../server/results/reader';
import { createScheduleLog } from '../../server/results/schedule-log';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { startSchedules } from '../../server/run/queue/queue';
import { createExperimentStore } from '../../server/standalone/store/experiments';
import type { SecretKey } from '../../server/standalone/store/secret-key';
import { createTargetStore, type StandaloneTargetStore } from '../../server/standalone/store/targets';
import { createTuningStore } from '../../server/standalone/store/tunings';
import { Connection } from '../../server/target-cluster/connection';
import { describeExperimentStore } from '../contract/experiment-store';
import { describeScheduler } from '../contract/scheduler';
import { describeTargetStore } from '../contract/target-store';
import { describeTuningStore } from '../contract/tuning-store';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const key: SecretKey = { id: 'first', bytes: randomBytes(32), source: 'a test' };
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-stores-'));
let client: Connection;
let writer: ResultsWriter;

beforeAll(() => {
  client = new Connection({ hosts: [url()] });
  writer = createResultsWriter({ client, spoolDir: folder, onProblem: () => undefined });
});
afterAll(async () => {
  await writer.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

const targets = (own: SecretKey = key): StandaloneTargetStore =>
  createTargetStore({ client, local: client, allowedHosts: ['127.0.0.1', 'h', 'a*'], key: own });

describe('the schedules', () => {
  describeScheduler(
    ({ start }) => {
      const experiments = createExperimentStore(client);
      const schedules = startSchedules({
        list: () => experiments.list(),
        start,
        startsClusters: () => false,
        reader: createResultsReader(client),
        log: createScheduleLog(client),
        onProblem: () => undefined,
      });
      return Promise.resolve({
        experiments,
        look: () => schedules.changed(),
        missed: async (id) =>
          (await createScheduleLog(client).missed({ experiment: id, limit: 10 })).reverse(),
        stop: () => schedules.stop(),
      });
    },
    () => writer,
  );
});

describe('the store of experiments', () => {
  describeExperimentStore(() => ({
    store: createExperimentStore(client),
    another: createExperimentStore(client),
  }));
});

describe('the store of tunings', () => {
  describeTuningStore(() => ({ store: createTuningStore(client), another: createTuningStore(client) }));
});

describe('the store of targets', () => {
  describeTargetStore(() => ({
    store: targets(),
    another: targets(),
    kept: async () => JSON.stringify((await ask('GET', `${url()}/dyno-targets/_search?size=100`)).body),
    forbiddenHost: 'http://forbidden.example:9200',
  }));

  test('decrypts nothing with another key, and the error says what to do', async () => {
    await targets().create({
      id: 'locked',
      title: 'Locked',
      hosts: ['http://127.0.0.1:9'],
      credentials: { kind: 'api-key', key: 'abc' },
      ca: null,
      verifyCertificates: true,
    });
    const other = targets({ ...key, id: 'other', bytes: randomBytes(32) });
    expect(await other.get('locked')).toMatchObject({ credentials: { kind: 'api-key' } });
    await expect(other.connect('locked')).rejects.toThrow(
      'bring back the old key, or enter the credentials again',
    );
    const connection = await targets().connect('locked');
    expect(connection.headers['authorization']).toBe('ApiKey abc');
    await connection.close();
  });

  test('does not decrypt ciphertext that was moved to another target', async () => {
    const stored = await ask<{ _source: object }>('GET', `${url()}/dyno-targets/_doc/locked`);
    await ask('PUT', `${url()}/dyno-targets/_doc/thief?refresh=true`, {
      ...stored.body._source,
      id: 'thief',
      hosts: ['http://127.0.0.1:19'],
    });
    await expect(targets().connect('thief')).rejects.toMatchObject({ code: 'secrets.damaged' });
  });
});
