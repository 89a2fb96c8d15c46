/**
 * Measures the cost of an experiment's history with 2,000 runs: the response time of its HTTP route, with runs stored in a real
 * Elasticsearch, and the memory of the server's process.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { makeRun, REFRESH } from '../../common/analysis/testing/made-run';
import type { RunDocument } from '../../common/experiment/run';
import type { HistoryRun, HistoryRunFigures } from '../../common/history/history-run';
import { madeHistoryRuns } from '../../common/history/testing/made-history-runs';
import { NODE_METRICS } from '../../common/measurement/node-metrics';
import { createRandom, deriveSeed } from '../../common/random';
import { createHistories } from '../../server/results/histories';
import { historyMemory } from '../../server/results/history-memory';
import { AnalysisThread } from '../../server/analysis/analysis-thread';
import { analyseHistoryBy } from '../../server/analysis/work';
import { createResultsReader } from '../../server/results/reader';
import { storedRun } from '../../server/results/stored';
import { packHistoryRun } from '../../server/results/stored-history-run';
import { installTemplates } from '../../server/results/templates';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { Connection } from '../../server/target-cluster/connection';
import { hostileServer } from '../fuzz/server';
import { get as getMeasured, MOST_BLOCKED_MS, type Measured as Got } from './server';
import type { StatisticsTable } from './statistics';
import { figure, type Row } from './table';

const CELLS = 20;
/** Names of the tasks. Each task has five metrics, so there are 10 in all. */
const TASKS = ['search', 'ingest'];
const FIGURES = ['throughput', 'latency.p50', 'latency.p95', 'latency.p99', 'rejection_rate'];
const NOISE = { within: 0.02, between: 0.01 };
/** Number of runs after which the version of Elasticsearch changes. */
const VERSION_RUNS = 50;
/** Position of a simulated change: after this share of the runs, the p95 of searches is slower in one combination of factor levels. */
const STEP_AT = 0.9;
const DAY_MS = 86_400_000;
const RECENT = 90;
const BULK = 200;
const EACH = 25;
/** Maximum response time in ms of a request for which the server must first read and analyse the runs. Applies to an idle machine. */
const FIRST_MS = 3000;
const AGAIN_MS = 1000;
const SETTLED_MS = 500;
/** Maximum growth of the server process's memory between the first and the last request, in MB. */
const MOST_GROWTH_MB = 50;

/** Creates the simulated runs of one experiment, the oldest first. */
function made(runs: number): HistoryRun[] {
  const metrics = TASKS.flatMap((task) => FIGURES.map((name) => `${task}.${name}`));
  const step = (metric: string, cell: number, at: number): number =>
    metric === 'search.latency.p95' && cell === 3 && at >= STEP_AT * runs ? 1.1 : 1;
  const columns = metrics.map((metric) =>
    Array.from({ length: CELLS }, (_, cell) =>
      madeHistoryRuns(
        NOISE,
        runs,
        createRandom(deriveSeed(5, metric, cell)),
        (at) => 1000 * step(metric, cell, at),
      ),
    ),
  );
  const first = Date.UTC(2026, 10, 24) - runs * DAY_MS;
  const kept = (value: number): number => Number(value.toPrecision(6));
  const cells = Array.from({ length: CELLS }, (_, cell) => ({
    id: `index.settings.number_of_shards=${cell + 1}`,
    label: `number_of_shards=${cell + 1}`,
    definition: '0123456789abcdef',
  }));
  return Array.from({ length: runs }, (_, at): HistoryRun => {
    const figures = (metric: string, values: HistoryRunFigures['values']): HistoryRunFigures => ({
      metric,
      title: metric.replaceAll('.', ' '),
      unit: metric.startsWith('ingest') ? 'docs/s' : 'searches/s',
      values,
    });
    return {
      run: `history-${at}`,
      at: new Date(first + at * DAY_MS).toISOString(),
      margin: 0.05,
      cells,
      place: {
        Elasticsearch: `9.${Math.floor(at / VERSION_RUNS)}.0`,
        cluster: `uuid-${at}`,
        Dyno: '0.1.0',
      },
      figures: metrics.map((metric, place) =>
        figures(
          metric,
          columns[place]!.flatMap((points) => {
            const { mean, deviation, trials } = points[at]!;
            return [kept(mean), deviation === null ? null : kept(deviation), trials];
          }),
        ),
      ),
      cluster: NODE_METRICS.map(({ name }) =>
        figures(
          `cluster.${name}`,
          cells.flatMap(() => [40, 2, 3]),
        ),
      ),
    };
  });
}

const EXPERIMENT = { id: 'history-bench', name: REFRESH.name };
/** A second experiment with the same runs. It is requested after the first experiment, when Elasticsearch and Dyno are warm. */
const OTHER = { id: 'history-bench-2', name: REFRESH.name };

async function store(
  client: Connection,
  runs: readonly HistoryRun[],
  experiment: typeof EXPERIMENT,
): Promise<void> {
  const template = makeRun(REFRESH, () => ({ tasks: { ingest: { rate: 1000, cv: 0.01 } } })).run;
  for (let from = 0; from < runs.length; from += BULK) {
    const lines = runs.slice(from, from + BULK).map((entry) => {
      const run: RunDocument = {
        ...template,
        '@timestamp': entry.at,
        run: {
          ...template.run,
          id: `${experiment.id}-${entry.run}`,
          started: entry.at,
          ended: entry.at,
          state: 'completed',
        },
        experiment: { ...template.experiment, ...experiment },
        night: packHistoryRun(entry),
      };
      const { index, id, source } = storedRun(run, Date.parse(entry.at));
      return `${JSON.stringify({ index: { _index: index, _id: id } })}\n${JSON.stringify(source)}\n`;
    });
    const { body } = await client.request<{ errors?: boolean }>({
      method: 'POST',
      path: '/_bulk',
      body: lines.join(''),
      timeoutMs: 60_000,
    });
    if (body.errors !== false) throw new Error(`the made runs were not stored: ${JSON.stringify(body)}`);
  }
}

/**
 * Stores simulated runs. Returns the run that follows them, which is not stored yet. The stored runs are not kept in memory, because the
 * benchmark measures the memory of this process.
 */
async function storeHistoryRuns(client: Connection, runs: number): Promise<HistoryRun> {
  const all = made(runs + 1);
  for (const experiment of [EXPERIMENT, OTHER]) await store(client, all.slice(0, runs), experiment);
  // In reality, the runs were stored long before the first request, so they are searchable then. Here a refresh makes them searchable.
  await client.request({ method: 'POST', path: '/_refresh', timeoutMs: 60_000 });
  return all[runs]!;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const megabytes = (bytes: number): number => bytes / 1024 ** 2;

interface Measured extends Got {
  cpuMs: number;
}

/** Returns the tables of measured values, and a sentence for each limit that was exceeded. */
export async function benchHistory(
  analysisFile: string,
  { runs = 2000, requests = 200 }: { runs?: number; requests?: number } = {},
): Promise<{ tables: StatisticsTable[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-history-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  const client = new Connection({ hosts: [...cluster.urls] });
  const thread = new AnalysisThread(analysisFile);
  const failures: string[] = [];
  try {
    await installTemplates(client);
    const later = await storeHistoryRuns(client, runs);
    const read = createHistories(client, { memory: historyMemory(analyseHistoryBy(thread.analyse)) });
    const app = await hostileServer(folder, (text) => failures.push(text), {
      histories: read,
      results: createResultsReader(client),
    });
    await app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.server.address() as AddressInfo;
    const urlOf = ({ id }: typeof EXPERIMENT): string =>
      `http://127.0.0.1:${port}/api/dyno/experiments/${id}/history`;

    const get = async (query = '', experiment = EXPERIMENT): Promise<Measured> => {
      const before = process.cpuUsage();
      const found = await getMeasured(`${urlOf(experiment)}${query}`);
      const { user, system } = process.cpuUsage(before);
      return { ...found, cpuMs: (user + system) / 1000 };
    };
    const rows: Row[] = [];
    const measure = async (
      name: string,
      query: string,
      most: number,
      experiment = EXPERIMENT,
    ): Promise<void> => {
      const { ms, cpuMs, blockedMs, bytes } = await get(query, experiment);
      rows.push({
        request: name,
        ms: figure(ms),
        'CPU ms of this process': figure(cpuMs),
        'blocked ms': figure(blockedMs),
        MB: figure(megabytes(bytes)),
      });
      if (blockedMs > MOST_BLOCKED_MS)
        failures.push(
          `${name}: the loop was blocked for ${figure(blockedMs)} ms, ${MOST_BLOCKED_MS} at most`,
        );
      if (ms > most) failures.push(`${name}: ${figure(ms)} ms, ${most} at most`);
    };
    const since = encodeURIComponent(new Date(Date.parse(later.at) - RECENT * DAY_MS).toISOString());
    const queries = {
      'one metric': '?metric=search.latency.p95',
      'one cell': '?cell=number_of_shards%3D4',
      [`the newest ${RECENT} runs`]: `?from=${since}`,
      'one metric in one cell': '?metric=search.latency.p95&cell=number_of_shards%3D4',
    };
    // Collects garbage that remains from making the runs and starting the server.
    collectGarbage();
    await pause(SETTLED_MS);
    await measure('the page, the first time', '?points=newest', FIRST_MS);
    await measure('all of it', '', AGAIN_MS);
    await measure('all of it again', '', AGAIN_MS);
    for (const [name, query] of Object.entries(queries)) await measure(name, query, AGAIN_MS);
    await measure('the page of another experiment, the first time', '?points=newest', FIRST_MS, OTHER);
    await store(client, [later], EXPERIMENT);
    await measure('all of it, a run later', '', FIRST_MS);
    await measure('merges of the cluster, the first time', '?metric=cluster.merges.count', FIRST_MS);
    await measure('merges of the cluster again', '?metric=cluster.merges.count', AGAIN_MS);

    const asked = ['', ...Object.values(queries)];
    const memory: Row[] = [];
    /** Memory after the first request, in MB; undefined if there are too few requests to see whether the memory grows. */
    let before: number | undefined;
    for (let done = 0; done <= requests; done += 1) {
      if (done % EACH === 0) {
        // Garbage does not count as growth.
        collectGarbage();
        const { rss, heapUsed } = process.memoryUsage();
        if (done === EACH) before = megabytes(rss);
        memory.push({
          requests: done,
          'RSS MB': figure(megabytes(rss)),
          'heap MB': figure(megabytes(heapUsed)),
        });
      }
      await get(asked[done % asked.length]);
    }
    collectGarbage();
    const after = megabytes(process.memoryUsage().rss);
    if (before !== undefined && after - before > MOST_GROWTH_MB)
      failures.push(`memory grew from ${figure(before)} to ${figure(after)} MB over ${requests} requests`);
    await app.close();
    return {
      tables: [
        {
          title: `A history of ${runs} runs, ${CELLS} cells, ${TASKS.length * FIGURES.length} metrics`,
          rows,
        },
        { title: 'Memory of the process that answers', rows: memory },
      ],
      failures,
    };
  } finally {
    await thread.close();
    await client.close();
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
