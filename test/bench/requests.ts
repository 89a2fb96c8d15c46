/**
 * Measures the cost of drawing random parameter values for each request. The same search is sent to a server that discards everything: in
 * turn as a constant request, and with three parameters in its body and path. Compares the rates and the requests per CPU second of the two
 * variants.
 */
import type { ChildProcess } from 'node:child_process';
import { loadavg } from 'node:os';
import { parametersSchema } from '../../common/parameters/registry';
import type { GeneratorHealth } from '../../common/measurement/sample';
import type { OperationJob } from '../../common/tasks/registry';
import { requestJob } from '../../common/tasks/request-list';
import { startLoad } from '../../server/load/pool';
import { geometricInterval } from './interval';
import { figure, type Row } from './table';

const CLIENTS = 8;
const WARMUP_MS = 1000;
const MEASURE_MS = 5000;

const search = (status: unknown, since: string, size: unknown) =>
  ({
    name: 'search',
    search: {
      body: {
        size,
        query: {
          bool: {
            filter: [
              { term: { 'http.response.status_code': status } },
              { range: { '@timestamp': { gte: since, lte: 'now' } } },
              { match: { message: 'a search of some length, as applications send them' } },
            ],
          },
        },
      },
      params: {},
    },
  }) as const;

const job = (request: ReturnType<typeof search>, parameters: object = {}): OperationJob => ({
  kind: 'requests',
  requests: [{ ...requestJob(request), weight: 1 }],
  parameters: parametersSchema.parse(parameters),
});

const CONSTANT = job(search(200, '2026-11-20T12:00:00.000Z', 10));
const DRAWN = job(search('{{status}}', '{{since}}', '{{size}}'), {
  status: { values: [200, 301, 404, 500] },
  since: { date: { from: 'now-7d' } },
  size: { zipf: { from: 1, to: 1000, exponent: 1.1 } },
});

interface Carried {
  perSecond: number;
  /** Requests per second of CPU time. */
  perCpuSecond: number;
  rss: number[];
  requests: number;
}

async function carry(
  url: string,
  workerFile: string,
  operation: OperationJob,
  measureMs: number,
): Promise<Carried> {
  const healths: GeneratorHealth[] = [];
  const rss: number[] = [];
  const { tasks } = await startLoad(
    {
      indices: ['bench'],
      route: 'in-turn',
      target: { nodes: [url], headers: {}, verifyCertificates: true, requestTimeoutMs: 10_000 },
      tasks: [
        {
          name: 'reads',
          operation,
          executor: { kind: 'constant-clients', clients: CLIENTS, thinkTimeMs: 0 },
        },
      ],
      seed: 1,
      warmupMs: WARMUP_MS,
      measureMs,
      documents: null,
      drainMs: 1000,
    },
    {
      workerFile,
      workers: 1,
      onSample: ({ phase, generator }) => {
        if (phase !== 'measure') return;
        healths.push(generator);
        rss.push(process.memoryUsage.rss());
      },
    },
  ).done;
  const { measured, total, elapsedMs } = tasks[0]!;
  if (measured.failed + measured.unknown > 0) throw new Error('requests failed');
  const cpuMs = healths.reduce((sum, health) => sum + health.cpuMs, 0);
  return {
    perSecond: (measured.attempted / elapsedMs) * 1000,
    perCpuSecond: (measured.attempted / cpuMs) * 1000,
    rss,
    requests: total.attempted,
  };
}

const MB = 1024 ** 2;

/**
 * Compares constant requests with requests that have random values, `pairs` times. Then measures the memory while requests with random
 * values are sent for `minutes` minutes. If `minutes` is 0, skips the second measurement.
 */
export async function benchRequests(
  sink: ChildProcess,
  workerFile: string,
  { pairs = 10, minutes = 0 }: { pairs?: number; minutes?: number },
): Promise<{ title: string; rows: Row[] }[]> {
  const port = await new Promise<number>((resolve) => {
    sink.once('message', (message) => {
      resolve(Number(message));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const ratios: { rate: number[]; cpu: number[] } = { rate: [], cpu: [] };
  const rows: Row[] = [];
  await carry(url, workerFile, DRAWN, MEASURE_MS);
  for (let pair = 0; pair < pairs; pair += 1) {
    const order = pair % 2 === 0 ? [CONSTANT, DRAWN] : [DRAWN, CONSTANT];
    const carried: Carried[] = [];
    for (const one of order) carried.push(await carry(url, workerFile, one, MEASURE_MS));
    const [constant, drawn] = (pair % 2 === 0 ? carried : carried.reverse()) as [Carried, Carried];
    ratios.rate.push(drawn.perSecond / constant.perSecond);
    ratios.cpu.push(drawn.perCpuSecond / constant.perCpuSecond);
    rows.push({
      pair: pair + 1,
      'constant/s': Math.round(constant.perSecond),
      'drawn/s': Math.round(drawn.perSecond),
      'constant per CPU s': Math.round(constant.perCpuSecond),
      'drawn per CPU s': Math.round(drawn.perCpuSecond),
      'load average': figure(loadavg()[0]!),
    });
  }
  const summary = Object.entries(ratios).map(([what, all]): Row => {
    const { mean, low, high } = geometricInterval(all);
    return { ratio: what, mean: figure(mean), low: figure(low), high: figure(high) };
  });
  const tables = [
    { title: 'Requests against a sink, 8 clients, one load thread', rows },
    { title: 'Drawn against constant, the geometric mean of the pairs and its 95% interval', rows: summary },
  ];
  if (minutes === 0) return tables;
  const { rss, requests } = await carry(url, workerFile, DRAWN, minutes * 60_000);
  const tenth = Math.ceil(rss.length / 10);
  tables.push({
    title: `Memory of the process over ${requests} drawn requests, RSS MB`,
    rows: [
      Object.fromEntries(
        Array.from({ length: 10 }, (_, at) => rss[Math.min(rss.length - 1, (at + 1) * tenth - 1)]!).map(
          (bytes, at) => [`${(at + 1) * 10}%`, figure(bytes / MB)],
        ),
      ),
    ],
  });
  return tables;
}
