/** A run that was cut off and is then forgotten leaves nothing behind in its target, against a real Elasticsearch. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunDocument } from '../../common/experiment/run';
import type { Problem } from '../../common/problem';
import { createResultsReader, type ResultsReader } from '../../server/results/reader';
import { aRun } from '../../server/results/testing/made-documents';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { discoverCluster } from '../../server/target-cluster/cluster';
import { readClusterSettings, setClusterSettings } from '../../server/target-cluster/cluster-settings';
import { Connection } from '../../server/target-cluster/connection';
import { createIndex, dropIndex, findMarkedIndices } from '../../server/target-cluster/index-lifecycle';
import { sharedElasticsearch } from './support/elasticsearch';
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

/** As a process that was killed within a trial leaves it, found and marked. */
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
  return run;
}

const setting = async (): Promise<unknown> =>
  (await readClusterSettings(connection, { [SETTING]: null }))[SETTING];

test('its index is removed and the cluster’s settings are put back before it is forgotten', async () => {
  await cutOff('cut-off');
  expect(await setting()).toBe('41mb');
  expect((await service.delete('cut-off')).deleted).toBe(1);
  expect(await findMarkedIndices(connection, 'cut-off')).toEqual([]);
  expect(await setting()).toBeNull();
  expect(problems.map(({ message }) => message)).toEqual([
    'removed dyno-trial-cut-off, left behind by run cut-off',
    `put back ${SETTING}, which run cut-off had changed in the cluster`,
  ]);
});

test('where its target is away it is forgotten all the same, and what stays is told, with what the settings were', async () => {
  await cutOff('away');
  reachable = false;
  expect((await service.delete('away')).deleted).toBe(1);
  expect(await reader.getRun('away')).toBeUndefined();
  expect(problems).toHaveLength(1);
  expect(problems[0]!.message).toContain(`(dyno-trial-away; its settings were {"${SETTING}":null})`);
});
