/**
 * Tests a run that needs several environments (labels such as `disk: premium`), between which a person changes the machines. One process
 * measures in the first environment and ends. Another process continues the run when the next environment is ready.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { definitionSchema, type Definition, type DefinitionInput } from '../../common/experiment/definition';
import type { RunDocument } from '../../common/experiment/run';
import type { Report } from '../../common/report/model/report';
import { createResultsReader, type ResultsReader } from '../../server/results/reader';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { recoverRuns } from '../../server/run/queue/queue';
import { Connection } from '../../server/target-cluster/connection';
import { until } from '../support/until';
import { sharedElasticsearch } from './support/elasticsearch';
import { workplace } from './support/dyno';
import { ownRuns, type OwnRuns } from './support/runs';
import { storedBlocks } from '../../common/measurement/stored-names';

const url = sharedElasticsearch();
const place = workplace();
let connection: Connection;
let reader: ResultsReader;
let writer: ResultsWriter;
let service: OwnRuns;

beforeAll(async () => {
  connection = new Connection({ hosts: [url()] });
  reader = createResultsReader(connection);
  writer = createResultsWriter({
    client: connection,
    spoolDir: path.join(place.folder, 'spool'),
    onProblem,
  });
  service = await createService();
});

const onProblem = (): void => undefined;

const createService = (): Promise<OwnRuns> =>
  ownRuns({
    reader,
    writer,
    results: connection,
    connect: (target) =>
      target === 'away'
        ? Promise.reject(new Error('nothing answers there'))
        : Promise.resolve(new Connection({ hosts: [url()] })),
    folder: place.folder,
    onProblem,
  });

afterAll(async () => {
  await service.close('the test is over');
  await writer.close();
  await connection.close();
  place.remove();
});

const DISKS = { 'environment.disk': ['standard', 'premium'] };

const definition = (more: object = {}): DefinitionInput => ({
  version: 1,
  name: 'environments',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 50 } },
      // Leaves CPU time for the test files that run in parallel.
      executor: { 'constant-clients': { clients: 1, 'think-time': '100ms' } },
    },
  ],
  factors: DISKS,
  measure: { documents: 500 },
  trials: 1,
  ...more,
});

const parsed = (more: object = {}): Definition => definitionSchema.parse(definition(more));
const runIdOf = (stderr: string): string => /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
const dyno = (...args: string[]): ReturnType<typeof place.dyno> =>
  place.dyno(...args, '--elasticsearch', url());
const get = async (id: string): Promise<RunDocument> => (await reader.getRun(id))!;

const untilRun = (id: string, holds: (run: RunDocument) => boolean): Promise<RunDocument> =>
  until(`the run ${id}`, async () => {
    const run = await get(id);
    return holds(run) && run;
  });
const inState = (id: string, state: RunDocument['run']['state']): Promise<RunDocument> =>
  untilRun(id, ({ run }) => run.state === state);

test('waits after the first environment, lets other runs proceed, and is finished by another process', async () => {
  const first = await dyno('run', place.write('disks.json', definition()));
  expect(`${first.stderr}\n${first.code}`).toMatch(/\n4$/);
  expect(first.stderr).toContain(
    'environment 1 of 2: disk: standard; afterwards the run waits for disk: premium',
  );
  expect(first.stderr).toContain('The run waits for disk: premium');
  const id = runIdOf(first.stderr);
  expect(first.stderr).toContain(`resume ${id} --elasticsearch`);
  expect(await get(id)).toMatchObject({
    run: { state: 'waiting', ended: null, waiting: { environment: { disk: 'premium' } }, indices: [] },
    progress: { completed: 1, current: null },
    verdict: null,
  });

  const other = await dyno('run', place.write('other.json', definition({ factors: {} })));
  expect(`${other.stderr}\n${other.code}`).toMatch(/\n0$/);
  expect(other.stderr).not.toContain('interrupted');
  expect((await get(id)).run.state).toBe('waiting');

  const file = path.join(place.folder, 'report.json');
  const second = await dyno('resume', id, '--report', file);
  expect(`${second.stderr}\n${second.code}`).toMatch(/\n0$/);
  expect(second.stderr).toContain('environment 2 of 2: disk: premium');
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  expect(report.run).toMatchObject({ state: 'completed', trials: { planned: 2, completed: 2 } });
  expect(report.environments).toEqual([
    { label: 'disk: standard', trials: { planned: 1, completed: 1 } },
    { label: 'disk: premium', trials: { planned: 1, completed: 1 } },
  ]);
  const blocks = storedBlocks(report.provenance);
  expect(blocks.map(({ environment }) => environment)).toEqual([{ disk: 'standard' }, { disk: 'premium' }]);
  expect(Date.parse(blocks[0]!.until!)).toBeLessThan(Date.parse(blocks[1]!.since));
  const { cluster } = report.provenance!;
  for (const trial of await reader.getTrials(id))
    expect(trial.cluster).toEqual({ name: cluster.name, uuid: cluster.uuid, version: cluster.version });
  // The same node has both labels. The report warns about this.
  expect(report.warnings.join('\n')).toMatch(/found the same in disk: standard and in disk: premium/);
  expect(second.stdout).toMatch(
    /\nEnvironments\n *disk: standard · cluster [\s\S]*\n *disk: premium · cluster /,
  );
}, 120_000);

test('a run with a given first environment, killed in its second one, continues there without repeating the first', async () => {
  const more = { trials: 2, measure: { warmup: '0s', duration: '2s' } };
  const file = place.write('killed.json', definition(more));
  const nowhere = await dyno('run', file, '--environment', 'disk=tape');
  expect(nowhere.code).toBe(2);
  expect(nowhere.stderr).toMatch(/disk: tape.*disk: standard; disk: premium/);
  const first = await dyno('run', file, '--environment', 'disk=premium');
  expect(`${first.stderr}\n${first.code}`).toMatch(/\n4$/);
  expect(first.stderr).toContain(
    'environment 1 of 2: disk: premium; afterwards the run waits for disk: standard',
  );
  const id = runIdOf(first.stderr);
  const killed = place.start('resume', id, '--elasticsearch', url());
  await killed.says(/trial 3 of 4.*accepted\/s/);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { code, stderr } = await dyno('resume', id);
  expect(`${stderr}\n${code}`).toMatch(/\n0$/);
  expect(stderr).not.toMatch(/trial [12] of 4/);
  const { run, progress, provenance } = await get(id);
  expect(run).not.toHaveProperty('waiting');
  expect({ state: run.state, completed: progress.completed }).toEqual({ state: 'completed', completed: 4 });
  expect(storedBlocks(provenance).map(({ environment: { disk } }) => disk)).toEqual([
    'premium',
    'standard',
    'standard',
  ]);
  const trials = await reader.getTrials(id);
  expect(trials.map(({ trial, cell }) => [trial.order, cell.levels['environment.disk']])).toEqual([
    [0, 'premium'],
    [1, 'premium'],
    [2, 'standard'],
    [3, 'standard'],
  ]);
  for (const { until: end } of storedBlocks(provenance)) expect(end).not.toBeNull();
}, 120_000);

test('refuses a run whose given environment is unknown, before storing it', async () => {
  const order = { definition: parsed(), experimentId: 'e1', asked: 'manually' } as const;
  await expect(service.start({ ...order, begins: { disk: 'tape' } })).rejects.toMatchObject({
    code: 'run.environment',
  });
});

describe('a waiting run in a host', () => {
  let id: string;

  beforeEach(async () => {
    ({ run: id } = await service.start({ definition: parsed(), experimentId: 'e1', asked: 'manually' }));
    await inState(id, 'waiting');
  });

  test('is not recovered as interrupted, and keeps its results when it is cancelled', async () => {
    expect((await recoverRuns(reader, writer, connection)).interrupted).toEqual([]);
    expect((await get(id)).run.state).toBe('waiting');
    expect(await service.cancel(id, 'cancelled manually')).toEqual({ state: 'cancelled' });
    const { run, progress, verdict } = await get(id);
    expect(run).toMatchObject({ state: 'cancelled', reason: 'cancelled manually' });
    expect(run).not.toHaveProperty('waiting');
    expect(progress.completed).toBe(1);
    expect(verdict).not.toBeNull();
    await expect(service.resume(id)).rejects.toThrow(/only a run that was interrupted, has failed or waits/);
    expect((await service.delete(id)).deleted).toBeGreaterThan(1);
  });

  test('continues on another target, and keeps waiting if that does not answer', async () => {
    await expect(service.resume(id, { target: 'away' })).rejects.toThrow('nothing answers there');
    expect(await get(id)).toMatchObject({ run: { state: 'waiting' }, experiment: { target: 'local' } });
    await service.resume(id, { target: 'elsewhere' });
    const done = await inState(id, 'completed');
    expect(storedBlocks(done.provenance).map(({ target }) => target)).toEqual(['local', 'elsewhere']);
    expect(done.definition.target).toBe('local');
    expect((await reader.getTrials(id)).map(({ experiment }) => experiment.target)).toEqual([
      'local',
      'elsewhere',
    ]);
  });

  test('waits again when its host ends while it is queued', async () => {
    const host = await createService();
    const busy = { factors: {}, measure: { warmup: '0s', duration: '10m' } };
    const long = await host.start({ definition: parsed(busy), experimentId: 'e2', asked: 'manually' });
    expect((await host.resume(id)).state).toBe('queued');
    expect((await get(id)).run).not.toHaveProperty('waiting');
    await host.close('the host ends');
    expect((await get(id)).run).toMatchObject({
      state: 'waiting',
      reason: 'the host ends',
      waiting: { environment: { disk: 'premium' } },
    });
    expect((await get(long.run)).run.state).toBe('interrupted');
    expect(await service.cancel(id, 'enough')).toEqual({ state: 'cancelled' });
  });
});
