/** Tests how a server executes runs, and the metrics over time that its pages show, with a real Elasticsearch. */
import { isWholeSecond, loadEnd } from '../../common/measurement/sample';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definitionSchema, type Definition, type DefinitionInput } from '../../common/experiment/definition';
import type { RunDocument } from '../../common/experiment/run';
import type { Problem } from '../../common/problem';
import { createTimelineReader, type TimelineReader } from '../../server/results/timeline/timeline';
import { createResultsReader, type ResultsReader } from '../../server/results/reader';
import { listCollectors } from '../../server/results/collector-list';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { thisProcess } from '../../server/process-life';
import { createLeases } from '../../server/results/leases';
import { askOthersToEnd } from '../../server/run/queue/leases';
import { resumeInterrupted } from '../../server/run/queue/queue';
import type { RunOrder } from '../../server/run/active-run/active-run';
import { Connection } from '../../server/target-cluster/connection';
import { until } from '../support/until';
import { sharedElasticsearch } from './support/elasticsearch';
import { ownRuns, type OwnRuns } from './support/runs';

const url = sharedElasticsearch();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-service-'));

let connection: Connection;
let reader: ResultsReader;
let writer: ResultsWriter;
let timelineReader: TimelineReader;
let service: OwnRuns;
const problems: Problem[] = [];

const createService = (): Promise<OwnRuns> =>
  ownRuns({
    reader,
    writer,
    results: connection,
    connect: () => Promise.resolve(new Connection({ hosts: [url()] })),
    folder,
    onProblem: (problem) => problems.push(problem),
  });

beforeAll(async () => {
  connection = new Connection({ hosts: [url()] });
  reader = createResultsReader(connection);
  const onProblem = (problem: Problem): void => void problems.push(problem);
  writer = createResultsWriter({ client: connection, spoolDir: path.join(folder, 'spool'), onProblem });
  timelineReader = createTimelineReader(connection);
  service = await createService();
});

afterAll(async () => {
  await service.close('the test is over');
  await writer.close();
  await connection.close();
  rmSync(folder, { recursive: true, force: true });
});

const definition = (more: Partial<DefinitionInput> = {}): Definition =>
  definitionSchema.parse({
    version: 1,
    name: 'service',
    index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'systembase' }, bulk: { docs: 100 } },
        executor: { 'constant-rate': { rate: 10 } },
      },
    ],
    measure: { warmup: '1s', duration: '2s' },
    trials: 1,
    ...more,
  });

const LONG = definition({ measure: { duration: '10m' } });

const order = (of: Definition, experimentId = 'e1'): RunOrder => ({
  definition: of,
  experimentId,
  asked: 'manually',
});

/** Resolves to the run's document as soon as `holds` returns true for it. Checks whenever the run changes. */
function untilRun(id: string, holds: (run: RunDocument) => boolean): Promise<RunDocument> {
  return new Promise((resolve, reject) => {
    const look = (): void => {
      reader
        .getRun(id)
        .then((run) => {
          if (!run || !holds(run)) return;
          unfollow();
          resolve(run);
        })
        .catch(reject);
    };
    const unfollow = service.follow(id, look);
    look();
  });
}

const ended = (id: string): Promise<RunDocument> => untilRun(id, ({ run }) => run.ended !== null);
const running = (id: string): Promise<RunDocument> =>
  untilRun(id, ({ progress }) => progress.current !== null);

/** Returns the number of documents of a run in all indices. */
async function documentsOf(id: string): Promise<number> {
  await connection.request({ method: 'POST', path: '/dyno-*/_refresh' });
  const { body } = await connection.request<{ hits: { total: { value: number } } }>({
    method: 'POST',
    path: '/dyno-runs-*,dyno-trials-*,dyno-samples-*,dyno-metrics-*/_search',
    query: { ignore_unavailable: true },
    body: { size: 0, track_total_hits: true, query: { term: { 'run.id': id } } },
  });
  return body.hits.total.value;
}

describe('the run service', () => {
  it('executes two orders on one target one after the other, and returns their timelines', async () => {
    const first = await service.start(order(definition()));
    const second = await service.start(order(definition(), 'e2'));
    expect(first.state).toBe('running');
    expect(second.state).toBe('queued');
    expect(service.queuedBehind(second.run)).toBe(1);
    expect(service.queuedBehind(first.run)).toBeNull();
    expect(await reader.getRun(second.run)).toMatchObject({
      run: { state: 'queued' },
      experiment: { id: 'e2' },
    });

    const changes: string[] = [];
    const phases = new Set<string>();
    const unfollow = service.follow(first.run, (change) => {
      changes.push(change);
      phases.add(service.progress(first.run)?.phase ?? 'none');
    });
    const [one, two] = [await ended(first.run), await ended(second.run)];
    unfollow();
    expect([one.run.state, two.run.state]).toEqual(['completed', 'completed']);
    expect(two.run.started >= one.run.ended!).toBe(true);
    expect(two['@timestamp'] < one.run.ended!).toBe(true);
    expect(one.events[0]!.message).toBe('asked for manually');
    expect(changes.filter((change) => change === 'progress').length).toBeGreaterThanOrEqual(2);
    expect([...phases]).toEqual(expect.arrayContaining(['measure']));
    expect(service.progress(first.run)).toBeNull();

    await writer.flush(5000);
    const [trial] = await reader.getTrials(first.run);
    const [task] = trial!.tasks;
    const timeline = await timelineReader.timeline(first.run, { points: 400 });
    expect(timeline.bucketMs).toBe(1000);
    expect(timeline.phases.map(({ phase }) => phase)).toEqual(['prepare', 'warm-up', 'measure', 'drain']);
    const [line] = timeline.tasks;
    const sum = (of: (point: NonNullable<typeof line>['points'][number]) => number): number =>
      line!.points.reduce((total, point) => total + of(point), 0);
    expect(sum(({ attempted }) => attempted)).toBeCloseTo(task!.total.attempted, 6);
    expect(line!.points[0]!.at).toBe(Date.parse(trial!.times.warmup!));
    const worst = Math.max(...line!.points.map(({ max }) => max ?? 0));
    expect(worst).toBeGreaterThanOrEqual(task!.latency.max!);

    const seconds = await reader.getSamples({ trial: trial!.trial.id });
    const end = loadEnd(trial!.times);
    const whole = seconds.filter((second) =>
      isWholeSecond(Date.parse(second['@timestamp']), second.phase, end),
    );
    expect(whole.length).toBeLessThan(seconds.length);
    expect(sum(({ throughput }) => throughput ?? 0)).toBeCloseTo(
      whole.reduce((total, { counts }) => total + counts.accepted, 0),
      6,
    );
    const answers = seconds.reduce((total, { latency }) => total + latency.count, 0);
    const heatmap = await timelineReader.heatmap(first.run, {
      trial: trial!.trial.id,
      task: 'ingest',
      columns: 100,
    });
    expect(heatmap.counts.flat().reduce((a, b) => a + b, 0)).toBe(answers);
    expect(heatmap.rows[0]!.from).toBeLessThanOrEqual(
      Math.min(...seconds.map(({ latency }) => latency.min ?? Infinity)),
    );

    const [distribution] = await timelineReader.distributions(first.run);
    const [cell] = distribution!.cells;
    expect(cell).toMatchObject({ cell: 0, count: task!.latency.count });
    expect(cell!.buckets.reduce((total, { share }) => total + share, 0)).toBeCloseTo(1, 9);
    expect(cell!.percentiles.find(({ percentile }) => percentile === 50)!.ms).toBe(task!.latency.p50);
  });

  it('cancels a queued run at once and a running one within seconds, and removes all documents of a run', async () => {
    const first = await service.start(order(LONG));
    const second = await service.start(order(LONG));
    expect(await service.cancel(second.run, 'not needed')).toEqual({ state: 'cancelled' });
    expect(await reader.getRun(second.run)).toMatchObject({
      run: { state: 'cancelled', reason: 'not needed' },
    });
    await expect(service.cancel(second.run, 'again')).rejects.toMatchObject({ code: 'run.not-running' });
    await expect(service.delete(first.run)).rejects.toMatchObject({ code: 'run.unfinished' });

    await untilRun(first.run, () => service.progress(first.run)?.phase === 'warm-up');
    const during = await timelineReader.timeline(first.run, { points: 400 });
    expect(during.phases.at(-1)!.to).toBeNull();
    const asked = Date.now();
    await service.cancel(first.run, 'enough');
    const { run } = await ended(first.run);
    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(run).toMatchObject({ state: 'cancelled', reason: 'enough', indices: [] });

    await untilRun(first.run, () => service.progress(first.run) === null);
    await writer.flush(5000);
    const kept = await documentsOf(first.run);
    expect(kept).toBeGreaterThan(2);
    // The service keeps the run until its last results are stored.
    const { deleted } = await removed(first.run);
    expect(deleted).toBe(kept);
    expect(await documentsOf(first.run)).toBe(0);
    await expect(service.delete(first.run)).rejects.toMatchObject({ code: 'run.not-found' });
    await expect(timelineReader.timeline(first.run, { points: 100 })).rejects.toMatchObject({
      code: 'run.not-found',
    });
    expect(await documentsOf(second.run)).toBe(1);
  });

  it('stores a run that the preflight refuses as failed, and starts the next one', async () => {
    const wrong = definition({ index: { settings: { number_of_shards: -1 } } });
    const first = await service.start(order(wrong));
    const second = await service.start(order(LONG));
    const { run } = await ended(first.run);
    expect(run.state).toBe('failed');
    expect(run.reason).toContain('number_of_shards');
    await running(second.run);
    await service.cancel(second.run, 'enough');
    await ended(second.run);
  });

  it('interrupts its runs when it closes, and the next service continues them', async () => {
    const continued = definition({ trials: 2, 'on-interruption': 'continue' });
    const first = await service.start(order(continued));
    const second = await service.start(order(definition()));
    await untilRun(first.run, ({ progress }) => progress.completed === 1);
    await service.close('stopped by SIGTERM');
    const stopped = await Promise.all([first, second].map(async ({ run }) => (await reader.getRun(run))!));
    expect(stopped.map(({ run }) => [run.state, run.reason])).toEqual([
      ['interrupted', 'stopped by SIGTERM'],
      ['interrupted', 'stopped by SIGTERM'],
    ]);
    await expect(service.start(order(definition()))).rejects.toMatchObject({ code: 'run.closed' });

    service = await createService();
    const notes = await resumeInterrupted(service, stopped);
    expect(notes).toEqual([expect.stringContaining(`run ${first.run} (service) continues`)]);
    await expect(service.resume(first.run)).rejects.toMatchObject({ code: 'run.not-interrupted' });
    const whole = await ended(first.run);
    expect(whole.run).toMatchObject({ state: 'completed', reason: '' });
    expect(whole.progress).toMatchObject({ completed: 2, trials: 2 });
    expect((await reader.getTrials(first.run)).map(({ trial }) => trial.state)).toEqual([
      'completed',
      'completed',
    ]);
  });

  it('ends a run on request of another process, and reports to that process if no process carries the run', async () => {
    const { run: id } = await service.start(order(LONG));
    await running(id);
    const elsewhere = createLeases(connection);
    expect((await elsewhere.read([id])).get(id)).toMatchObject({ carrier: thisProcess() });
    expect(await askOthersToEnd(elsewhere, (await reader.getRun(id))!, 'no longer wanted')).toEqual({
      state: 'running',
    });
    const { run } = await ended(id);
    expect(run).toMatchObject({ state: 'cancelled', reason: 'no longer wanted' });
    await expect(askOthersToEnd(elsewhere, (await reader.getRun(id))!, 'again')).rejects.toMatchObject({
      code: 'run.not-running',
    });
  });

  it('stops carrying a run that another process has taken over, and writes nothing more of it', async () => {
    const { run: id } = await service.start(order(LONG));
    await untilRun(id, () => service.progress(id)?.phase === 'warm-up');
    const other = { host: 'elsewhere', pid: 7, instance: '7-7' };
    const leases = createLeases(connection);
    await leases.take(id, other, () => true);
    await untilRun(id, () => service.progress(id) === null);
    await writer.flush(5000);
    const left = (await reader.getRun(id))!;
    expect(left.run).toMatchObject({ state: 'running', ended: null });
    const { index } = (await reader.getTrials(id))[0]!.trial;
    expect((await connection.request({ method: 'HEAD', path: `/${index}` })).status).toBe(200);
    expect((await leases.read([id])).get(id)).toMatchObject({ carrier: other });
    expect(problems.splice(0)).toEqual([expect.objectContaining({ code: 'run.lost' })]);
    // The other process, which took the run over, would clean up in this way. Here the test does it.
    await connection.request({ method: 'DELETE', path: `/${index}` });
    await writer.saveRun({ ...left, run: { ...left.run, state: 'interrupted' } });
    await leases.release(id, other);
  });

  it('grants the lease of a run to one of several processes, and takes it away only from dead ones', async () => {
    const leases = createLeases(connection);
    const carrier = (pid: number) => ({ host: 'elsewhere', pid, instance: `${pid}` });
    const won = async (isGone: boolean): Promise<number> => {
      const tries = [1, 2, 3, 4].map((pid) => leases.take('contested', carrier(pid), () => isGone));
      return (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
    };
    expect(await won(false)).toBe(1);
    await expect(leases.take('contested', carrier(9), () => false)).rejects.toMatchObject({
      code: 'run.claimed',
    });
    await leases.take('contested', carrier(9), () => true);
    await leases.release('contested', carrier(1));
    expect((await leases.read(['contested', 'nobody’s'])).get('contested')?.carrier.pid).toBe(9);
    await leases.release('contested', carrier(9));
    expect((await leases.read(['contested'])).size).toBe(0);
    expect(await leases.askToEnd('contested', 'why')).toBe(false);
  });

  it('reports no collector if none has shipped events', async () => {
    expect(await listCollectors(connection)).toEqual([]);
  });

  it('had no problems in these tests', () => {
    expect(problems).toEqual([]);
  });
});

/** Deletes a run as soon as the server allows it, which is after the end of the run. */
const removed = (id: string): Promise<{ deleted: number }> =>
  until('the end of its run', () =>
    service.delete(id).catch((error: unknown) => {
      if ((error as { code?: string }).code !== 'run.unfinished') throw error;
      return undefined;
    }),
  );
