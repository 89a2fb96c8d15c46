/** Tests the removal of interrupted runs on a real Elasticsearch: nothing of them remains in their target. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunDocument } from '../../common/experiment/run';
import type { Problem } from '../../common/problem';
import { baselineRuns, createAnnotationStore } from '../../server/host/stores/annotation-store';
import { createLeases } from '../../server/results/leases';
import { createResultsReader, type ResultsReader } from '../../server/results/reader';
import { planRetention } from '../../server/results/retention';
import { aRun, aSample, aTrial } from '../../server/results/testing/made-documents';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { discoverCluster } from '../../server/target-cluster/cluster';
import { readClusterSettings, setClusterSettings } from '../../server/target-cluster/cluster-settings';
import { Connection } from '../../server/target-cluster/connection';
import { createIndex, dropIndex, findMarkedIndices } from '../../server/target-cluster/index-lifecycle';
import { retainSamples, type RetentionPass } from '../../server/run/queue/queue';
import { until } from '../support/until';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { ownRuns, type OwnRuns } from './support/runs';

const url = sharedElasticsearch();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-removal-'));
const SETTING = 'indices.recovery.max_bytes_per_sec';

let connection: Connection;
let uuid: string;
let reader: ResultsReader;
let writer: ResultsWriter;
let service: OwnRuns;
let reachable = true;
const problems: Problem[] = [];

beforeAll(async () => {
  connection = new Connection({ hosts: [url()] });
  reader = createResultsReader(connection);
  const onProblem = (problem: Problem): void => void problems.push(problem);
  writer = createResultsWriter({ client: connection, spoolDir: path.join(folder, 'spool'), onProblem });
  uuid = (await discoverCluster(connection)).uuid;
  service = await ownRuns({
    reader,
    writer,
    results: connection,
    connect: () => Promise.resolve(new Connection({ hosts: [reachable ? url() : 'http://127.0.0.1:9'] })),
    folder,
    onProblem,
  });
});
afterAll(async () => {
  await setClusterSettings(connection, { [SETTING]: null });
  await dropIndex(connection, 'dyno-trial-away');
  await service.close('the test is over');
  await writer.close();
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  reachable = true;
  problems.splice(0);
});

/** Stores a run as it looks when its process was killed during a trial and another process marked it as interrupted. */
async function cutOff(id: string): Promise<RunDocument> {
  const index = `dyno-trial-${id}`;
  const before = await readClusterSettings(connection, { [SETTING]: null });
  await setClusterSettings(connection, { [SETTING]: '41mb' });
  await createIndex(connection, {
    index,
    settings: {},
    mapping: {},
    mark: { run: id, trial: `${id}-00`, experiment: 'e1' },
  });
  const run = aRun(id, { state: 'interrupted' });
  Object.assign(run.run, { indices: [index], replaced: { cluster: uuid, settings: before } });
  await writer.saveRun(run);
  // On a busy machine documents may wait on disk until the cluster answers.
  await until('the run is stored', () => writer.flush(5000));
  // Problems so far, such as slow answers, are ignored, because they do not matter here.
  problems.splice(0);
  return run;
}

const setting = async (): Promise<unknown> =>
  (await readClusterSettings(connection, { [SETTING]: null }))[SETTING];

test('its index is removed and the cluster’s settings are restored before the run is removed', async () => {
  await cutOff('cut-off');
  expect(await setting()).toBe('41mb');
  expect((await service.delete('cut-off')).deleted).toBe(1);
  expect(await findMarkedIndices(connection, 'cut-off')).toEqual([]);
  expect(await setting()).toBeNull();
  expect(problems.map(({ message }) => message)).toEqual([
    'removed dyno-trial-cut-off, left behind by run cut-off',
    `restored ${SETTING}, which run cut-off had changed in the cluster`,
  ]);
});

test('if its target is unavailable it is removed nevertheless, with a message about what remains and the old settings', async () => {
  await cutOff('away');
  reachable = false;
  expect((await service.delete('away')).deleted).toBe(1);
  expect(await reader.getRun('away')).toBeUndefined();
  expect(problems).toHaveLength(1);
  expect(problems[0]!.message).toContain(`(dyno-trial-away; the original settings were {"${SETTING}":null})`);
});

describe('samples that exceed their retention', () => {
  const HOUR_MS = 3_600_000;
  const keep = { ms: 24 * HOUR_MS };
  const hoursAgo = (hours: number): string => new Date(Date.now() - hours * HOUR_MS).toISOString();
  const retain = (more: { until?: number } = {}): Promise<RetentionPass> =>
    retainSamples({ results: connection, keep, kept: () => baselineRuns(connection), ...more });

  /** Stores a run that ended the given number of hours ago, with a trial, three samples and an event of the collector. */
  async function measured(id: string, hours: number, state: 'completed' | 'running'): Promise<RunDocument> {
    const run = aRun(id, { state, started: hoursAgo(hours + 1) });
    Object.assign(run.run, {
      indices: [],
      ended: state === 'running' ? null : hoursAgo(hours),
      heartbeat: hoursAgo(hours),
    });
    run.provenance!.cluster.uuid = uuid;
    await writer.saveTrial(aTrial(id, `${id}-t1`));
    for (const second of [0, 1, 2]) writer.addSample(aSample(id, `${id}-t1`, second));
    await writer.saveRun(run);
    const event = { '@timestamp': hoursAgo(hours), run: { id } };
    await ask('POST', `${url()}/dyno-metrics-made/_doc?refresh=true`, event);
    return run;
  }

  const samplesOf = async (run: string): Promise<number> => (await reader.getSamples({ run })).length;

  test('are removed by one process at a time while nothing is measured, but not those of baselines and new runs', async () => {
    await ask('PUT', `${url()}/dyno-metrics-made`, {
      mappings: { properties: { run: { properties: { id: { type: 'keyword' } } } } },
    });
    await measured('old', 100, 'completed');
    await measured('baseline', 90, 'completed');
    await measured('new', 1, 'completed');
    const going = await measured('going', 0, 'running');
    await writer.flush(5000);
    await createAnnotationStore(connection).setBaseline('e1', { run: 'baseline' }, 'somebody');

    const plan = await planRetention(connection, keep, await baselineRuns(connection));
    expect(plan.runs.map(({ id, documents }) => [id, documents])).toEqual([['old', 4]]);
    expect(plan.bytes).toBeGreaterThan(100);

    const leases = createLeases(connection);
    const other = { host: 'elsewhere', pid: 1, instance: 'other' };
    await leases.take('retention', other, () => false);
    expect(await retain()).toMatchObject({
      runs: 0,
      why: expect.stringContaining('another process') as string,
    });
    await leases.release('retention', other);
    expect(await retain()).toMatchObject({
      runs: 0,
      left: 1,
      why: expect.stringContaining('run going') as string,
    });
    going.run.state = 'completed';
    await writer.saveRun(going);
    await writer.flush(5000);
    expect(await retain({ until: 0 })).toMatchObject({ runs: 0, left: 1 });
    expect(await samplesOf('old')).toBe(3);

    expect(await retain()).toEqual({ runs: 1, documents: 4, left: 0, why: '' });
    const found = (await reader.getRun('old'))!;
    expect(found.samples).toEqual({ removed: expect.any(String) as string, keep: '1 day' });
    expect(await reader.getTrials('old')).toHaveLength(1);
    expect(await Promise.all(['old', 'baseline', 'new', 'going'].map(samplesOf))).toEqual([0, 3, 3, 3]);
    expect(await retain()).toEqual({ runs: 0, documents: 0, left: 0, why: '' });
    expect((await leases.read(['old', 'retention'])).size).toBe(0);

    // A later update of the run has a newer version than the removal.
    found.run.reason = 'written later';
    await writer.saveRun(found);
    await writer.flush(5000);
    expect((await reader.getRun('old'))!.run.reason).toBe('written later');
  });
});
