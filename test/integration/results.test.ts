/** Tests stored results with a real Elasticsearch: every document fits its mapping, and none is lost while the cluster is unavailable. */
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, connect, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { makeRun, REFRESH } from '../../common/analysis/testing/made-run';
import { resolvePlan } from '../../common/experiment/plan';
import type { RunDocument, RunState } from '../../common/experiment/run';
import { historyRunOf } from '../../common/history/history-run';
import type { Problem } from '../../common/problem';
import { createHistories } from '../../server/results/histories';
import { listProfiles } from '../../server/results/profiles';
import { createResultsReader } from '../../server/results/reader';
import { packHistoryRun } from '../../server/results/stored-history-run';
import { installTemplates, TEMPLATES, TEMPLATES_VERSION } from '../../server/results/templates';
import { aProfile, aRun, aSample, aTrial } from '../../server/results/testing/made-documents';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { Connection } from '../../server/target-cluster/connection';
import { until } from '../support/until';

jest.setTimeout(60_000);

const url = process.env.DYNO_TEST_ELASTICSEARCH ?? '';
const cluster = new Connection({ hosts: [url] });
const reader = createResultsReader(cluster);
const spoolDir = mkdtempSync(path.join(tmpdir(), 'dyno-spool-'));
const problems: Problem[] = [];
const writers: ResultsWriter[] = [];

function aWriter(client: Connection, more: { spoolBytes?: number } = {}): ResultsWriter {
  const writer = createResultsWriter({
    client,
    spoolDir,
    onProblem: (problem) => problems.push(problem),
    ...more,
  });
  writers.push(writer);
  return writer;
}

/**
 * Waits until all documents are stored in the cluster. Some need more than a second, such as the first document of a new index. The writer
 * keeps these on disk until then.
 */
async function allStored(writer: ResultsWriter): Promise<void> {
  expect(await writer.flush(10_000)).toBe(true);
}

const codes = (): string[] => problems.map(({ code }) => code);
const newId = (): string => randomUUID().slice(0, 8);

/** A TCP proxy to the cluster that can be interrupted and restored. It always uses the same port. */
class Line {
  private readonly target = new URL(url);
  private server: Server | undefined;
  private readonly sockets = new Set<Socket>();
  port = 0;

  async mend(): Promise<void> {
    const server = createServer((socket) => {
      const onward = connect(Number(this.target.port), this.target.hostname);
      for (const end of [socket, onward]) {
        this.sockets.add(end);
        end
          .on('error', () => undefined)
          .on('close', () => {
            this.sockets.delete(end);
            socket.destroy();
            onward.destroy();
          });
      }
      socket.pipe(onward).pipe(socket);
    });
    await new Promise<void>((resolve) => server.listen(this.port, '127.0.0.1', resolve));
    this.port = (server.address() as { port: number }).port;
    this.server = server;
  }

  async cut(): Promise<void> {
    const closed = new Promise((resolve) => this.server?.close(resolve));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}

beforeAll(async () => {
  await installTemplates(cluster);
});

beforeEach(() => problems.splice(0));

afterEach(async () => {
  for (const writer of writers.splice(0)) await writer.close();
});

afterAll(async () => {
  await cluster.close();
  rmSync(spoolDir, { recursive: true, force: true });
});

test('the strict mappings accept complete documents of every kind, which are read back unchanged', async () => {
  const run = newId();
  const writer = aWriter(cluster);
  await writer.saveRun(aRun(run));
  await writer.saveTrial(aTrial(run, `${run}-1`, 1));
  await writer.saveTrial(aTrial(run, `${run}-0`, 0));
  writer.addSample(aSample(run, `${run}-0`, 1));
  writer.addSample(aSample(run, `${run}-0`, 0));
  writer.addSample(aSample(run, `${run}-1`, 0));
  const { stacks, ...head } = { ...aProfile(run, `${run}-0`), stacks: 'A'.repeat(1024 ** 2) };
  writer.addProfile({ ...head, stacks });
  expect(await writer.flush(10_000)).toBe(true);
  expect(writer.stats()).toEqual({ written: 7, spooled: 0, held: 0, dropped: 0, rejected: 0, withheld: 0 });

  expect(await reader.getRun(run)).toEqual(aRun(run));
  expect(await reader.getRun(run.slice(0, 7))).toEqual(aRun(run));
  expect(await reader.getTrials(run)).toEqual([aTrial(run, `${run}-0`, 0), aTrial(run, `${run}-1`, 1)]);
  expect(await reader.getSamples({ trial: `${run}-0` })).toEqual([
    aSample(run, `${run}-0`, 0),
    aSample(run, `${run}-0`, 1),
  ]);
  expect(await reader.getSamples({ run })).toHaveLength(3);
  expect(await listProfiles(cluster, run)).toEqual([head]);
});

test('trials can be grouped by a factor, and levels of every type are stored as text', async () => {
  const run = newId();
  const writer = aWriter(cluster);
  await writer.saveTrial(aTrial(run, `${run}-0`));
  await allStored(writer);
  await reader.getTrials(run);
  const { body } = await cluster.request<{ aggregations: Record<string, { buckets: { key: string }[] }> }>({
    method: 'POST',
    path: '/dyno-trials-*/_search',
    body: {
      size: 0,
      query: { term: { 'run.id': run } },
      aggs: Object.fromEntries(
        ['index.settings.number_of_shards', 'tasks.0.ingest.bulk', 'a.b', 'a.b.c'].map((factor) => [
          factor,
          { terms: { field: `factors.${factor}` } },
        ]),
      ),
    },
  });
  const keys = Object.values(body.aggregations).map(({ buckets }) => buckets.map(({ key }) => key));
  expect(keys).toEqual([['5'], ['{"docs":1000}'], ['1s'], ['null']]);
});

test('a run and a sample that are written again replace the stored ones', async () => {
  const run = newId();
  const writer = aWriter(cluster);
  await writer.saveRun(aRun(run));
  await writer.saveRun(aRun(run, { state: 'completed' }));
  for (const second of [3, 3, 3]) writer.addSample(aSample(run, `${run}-0`, second));
  await writer.flush(10_000);
  expect((await reader.getRun(run))?.run.state).toBe('completed');
  expect(await reader.getSamples({ run })).toHaveLength(1);
});

test('a state of a run is written even if the one before came from a clock that is ahead', async () => {
  const run = newId();
  const query = { version: Date.now() + 3_600_000, version_type: 'external_gte' };
  await cluster.request({ method: 'PUT', path: `/dyno-runs-2026.11/_doc/${run}`, query, body: aRun(run) });
  const writer = aWriter(cluster);
  await writer.saveRun(aRun(run, { state: 'interrupted' }));
  await allStored(writer);
  expect((await reader.getRun(run))?.run.state).toBe('interrupted');
});

test('runs are listed by state, newest first, and unfinished ones are found', async () => {
  const writer = aWriter(cluster);
  const [old, young, done] = [newId(), newId(), newId()];
  await writer.saveRun(aRun(old, { started: '2021-01-01T00:00:00.000Z' }));
  await writer.saveRun(aRun(young, { started: '2021-02-01T00:00:00.000Z' }));
  await writer.saveRun(aRun(done, { started: '2021-03-01T00:00:00.000Z', state: 'completed' }));
  await allStored(writer);
  const mine = async (states?: RunState[]): Promise<string[]> =>
    (await reader.listRuns({ limit: 1000, states }))
      .map(({ run }) => run.id)
      .filter((id) => [old, young, done].includes(id));
  expect(await mine()).toEqual([done, young, old]);
  expect(await mine(['completed'])).toEqual([done]);
  expect(await reader.listRuns({ limit: 2 })).toHaveLength(2);
  const unfinished = (await reader.findActiveRuns()).map(({ run }) => run.id);
  expect(unfinished).toEqual(expect.arrayContaining([old, young]));
  expect(unfinished).not.toContain(done);
});

test('a prefix that two runs share is reported with both runs', async () => {
  const shared = newId();
  const writer = aWriter(cluster);
  await writer.saveRun(aRun(`${shared}-a`));
  await writer.saveRun(aRun(`${shared}-b`));
  await allStored(writer);
  await expect(reader.getRun(shared)).rejects.toMatchObject({ code: 'results.ambiguous-run', kind: 'input' });
  expect(await reader.getRun(`no-${shared}`)).toBeUndefined();
});

test('samples on several pages are read in the order of time', async () => {
  const run = newId();
  const writer = aWriter(cluster);
  for (let second = 2499; second >= 0; second--) writer.addSample(aSample(run, `${run}-0`, second));
  expect(await writer.flush(30_000)).toBe(true);
  const times = (await reader.getSamples({ run })).map((sample) => sample['@timestamp']);
  expect(times).toHaveLength(2500);
  expect(times).toEqual([...times].sort());
});

test('documents that the mapping refuses are reported once with the reason, and do not block others', async () => {
  const run = newId();
  const writer = aWriter(cluster);
  for (let second = 0; second < 3; second++) {
    writer.addSample({ ...aSample(run, `${run}-0`, second), surprise: second } as never);
  }
  writer.addSample(aSample(run, `${run}-0`, 9));
  expect(await writer.flush(10_000)).toBe(true);
  expect(writer.stats()).toMatchObject({ written: 1, rejected: 3, spooled: 0 });
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({
    code: 'results.rejected',
    message: expect.stringContaining('[surprise]'),
  });
});

test('documents wait on disk while the results cluster is unavailable, and none is lost', async () => {
  const run = newId();
  const line = new Line();
  await line.mend();
  const client = new Connection({ hosts: [`http://127.0.0.1:${line.port}`] });
  const writer = aWriter(client);
  await writer.saveRun(aRun(run));
  let second = 0;
  const load = setInterval(() => writer.addSample(aSample(run, `${run}-0`, second++)), 5);
  await until(
    () => `samples are written; ${JSON.stringify(problems)}`,
    () => writer.stats().written > 50,
    20_000,
  );
  await line.cut();
  await until(
    () => `samples wait on disk; ${JSON.stringify(problems)}`,
    () => writer.stats().spooled > 50,
    20_000,
  );
  await writer.saveTrial(aTrial(run, `${run}-0`));
  await writer.saveRun(aRun(run, { state: 'failed' }));
  await writer.saveRun(aRun(run, { state: 'completed' }));
  await line.mend();
  await until(
    () => `the documents are stored; ${JSON.stringify(problems)}`,
    () => codes().includes('results.recovered'),
    20_000,
  );
  clearInterval(load);
  expect(await writer.flush(10_000)).toBe(true);

  expect(await reader.getSamples({ run })).toHaveLength(second);
  expect(await reader.getTrials(run)).toHaveLength(1);
  expect((await reader.getRun(run))?.run.state).toBe('completed');
  expect(writer.stats()).toMatchObject({ spooled: 0, dropped: 0, rejected: 0 });
  expect(codes()).toContain('elasticsearch.unreachable');
  await writer.close();
  expect(readdirSync(spoolDir)).toEqual([]);
  await client.close();
  await line.cut();
});

test('documents that a process could not write before its end are written by the next one', async () => {
  const run = newId();
  const nowhere = new Connection({ hosts: ['http://127.0.0.1:9'] });
  const before = aWriter(nowhere);
  await before.saveRun(aRun(run));
  for (let second = 0; second < 10; second++) before.addSample(aSample(run, `${run}-0`, second));
  expect(await before.flush(300)).toBe(false);
  await before.close();
  expect(codes()).toContain('results.waiting');

  const after = aWriter(cluster);
  expect(await after.drainLeftovers()).toBe(11);
  expect(await after.flush(10_000)).toBe(true);
  expect(await reader.getSamples({ run })).toHaveLength(10);
  expect(await reader.getRun(run)).toBeDefined();
  await nowhere.close();
});

test('a full spool drops the oldest samples, counts and reports them, but keeps runs and trials', async () => {
  const run = newId();
  const line = new Line();
  await line.mend();
  await line.cut();
  const client = new Connection({ hosts: [`http://127.0.0.1:${line.port}`] });
  const writer = aWriter(client, { spoolBytes: 100_000 });
  await writer.saveRun(aRun(run));
  await writer.saveTrial(aTrial(run, `${run}-0`));
  for (let second = 0; second < 200; second++) {
    writer.addSample(aSample(run, `${run}-0`, second));
    if (second % 10 === 9) await writer.flush(0);
  }
  await line.mend();
  expect(await writer.flush(10_000)).toBe(true);
  const { dropped } = writer.stats();
  expect(dropped).toBeGreaterThan(0);
  expect(codes()).toContain('results.dropped');
  const kept = await reader.getSamples({ run });
  expect(kept).toHaveLength(200 - dropped);
  expect(kept.at(-1)).toEqual(aSample(run, `${run}-0`, 199));
  expect(await reader.getRun(run)).toBeDefined();
  expect(await reader.getTrials(run)).toHaveLength(1);
  await writer.close();
  await client.close();
  await line.cut();
});

test('histories use the summary that a run stored, or else its trials', async () => {
  const id = newId();
  const histories = createHistories(cluster);
  const writer = aWriter(cluster);
  for (const [at, keeps] of [true, false, true].entries()) {
    const made = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 1000, cv: 0.01 } } }), {
      id: `${id}-${at}`,
      seed: at,
    });
    const started = `2026-11-2${at}T02:00:00.000Z`;
    const run: RunDocument = {
      ...made.run,
      '@timestamp': started,
      run: { ...made.run.run, started, state: 'completed' },
      experiment: { ...made.run.experiment, id },
    };
    const trials = made.trials.map((trial) => ({ ...trial, experiment: { id, name: run.experiment.name } }));
    const summary = historyRunOf(run, resolvePlan(run), trials);
    await writer.saveRun(keeps ? { ...run, night: packHistoryRun(summary) } : run);
    // Trials are only read for runs without a stored summary.
    if (!keeps) for (const trial of trials) await writer.saveTrial(trial);
  }
  await writer.saveRun({ ...aRun(`${id}-failed`), experiment: { ...aRun(id).experiment, id } });
  await allStored(writer);
  const [experiment] = await histories.find(id);
  expect(experiment).toEqual({ id, name: REFRESH.name });
  const { nights: runs, series } = await histories.history(experiment!, { metrics: ['ingest.throughput'] });
  expect(runs.map(({ run, at }) => `${run} ${at.slice(0, 10)}`)).toEqual(
    [0, 1, 2].map((at) => `${id}-${at} 2026-11-2${at}`),
  );
  expect(series.map(({ trials }) => trials)).toEqual([0, 1, 2].map(() => [3, 3, 3]));
  for (const { means } of series) for (const mean of means) expect(mean).toBeCloseTo(1000, -2);
  const { series: ofCluster } = await histories.history(experiment!, { metrics: ['cluster.gc'] });
  expect(ofCluster[0]!.trials).toEqual([3, 3, 3]);
  expect((await histories.find(REFRESH.name)).map((found) => found.id)).toContain(id);
  expect(await histories.find(newId())).toEqual([]);
});

describe('the templates', () => {
  interface Answer {
    index_templates: { index_template: { version: number; _meta: object } }[];
  }
  const name = TEMPLATES[0]!.name;
  const path = `/_index_template/${name}`;
  const stored = async (): Promise<{ version: number; _meta: object }> =>
    (await cluster.request<Answer>({ method: 'GET', path })).body.index_templates[0]!.index_template;

  afterEach(() => cluster.request({ method: 'PUT', path, body: TEMPLATES[0]!.body }));

  test('are left alone if they are up to date', async () => {
    expect(await installTemplates(cluster)).toEqual([]);
    expect((await stored()).version).toBe(TEMPLATES_VERSION);
  });

  test('are updated if they are older', async () => {
    const old = { ...TEMPLATES[0]!.body, version: 0, _meta: { dyno: { version: 0.5 } } };
    await cluster.request({ method: 'PUT', path, body: old });
    expect(await installTemplates(cluster)).toEqual([]);
    expect((await stored()).version).toBe(TEMPLATES_VERSION);
  });

  test('are kept if they are newer, which is reported', async () => {
    const newer = { ...TEMPLATES[0]!.body, version: 99, _meta: { dyno: { version: 99 } } };
    await cluster.request({ method: 'PUT', path, body: newer });
    expect(await installTemplates(cluster)).toEqual([expect.stringContaining('version 99')]);
    expect((await stored()).version).toBe(99);
  });
});
