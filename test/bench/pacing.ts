/** Measures how exactly Dyno sends requests at a constant rate, against a server that responds immediately. */
import { decodeHistogram } from '../../common/measurement/histogram';
import type { GeneratorHealth } from '../../common/measurement/sample';
import { startLoad } from '../../server/load/pool';
import { figure, type Row } from './table';
import { searchJob } from '../../common/tasks/search';

const RATE = 2000;
const LENGTH_MS = 20_000;

export async function benchPacing(url: string, workerFile: string): Promise<Row[]> {
  const healths: GeneratorHealth[] = [];
  const { tasks } = await startLoad(
    {
      indices: ['bench'],
      route: 'in-turn',
      target: { nodes: [url], headers: {}, verifyCertificates: true, requestTimeoutMs: 10_000 },
      tasks: [
        {
          name: 'search',
          operation: searchJob({ name: 'all', body: { size: 0 } }),
          executor: { kind: 'constant-rate', perSecond: RATE, maxClients: 100 },
        },
      ],
      seed: 1,
      warmupMs: 2000,
      measureMs: LENGTH_MS,
      documents: null,
      drainMs: 1000,
    },
    {
      workerFile,
      workers: 1,
      onSample: ({ phase, generator }) => {
        if (phase === 'measure') healths.push(generator);
      },
    },
  ).done;
  const { offered, sent, service, latency } = tasks[0]!;
  const lags = healths.map(({ scheduleLagMs }) => scheduleLagMs).sort((a, b) => a - b);
  const ms = (encoded: string, percent: number): string =>
    figure(decodeHistogram(encoded).getValueAtPercentile(percent) / 1000);
  return [
    {
      'offered/s': figure(((offered ?? 0) / LENGTH_MS) * 1000),
      'achieved/s': figure(((sent ?? 0) / LENGTH_MS) * 1000),
      'lag p99 ms, median second': figure(lags[Math.floor(lags.length / 2)] ?? 0),
      'worst second': figure(lags[lags.length - 1] ?? 0),
      'service p50 ms': ms(service, 50),
      'p99 ms': ms(service, 99),
      'latency p50 ms': ms(latency, 50),
      'latency p99 ms': ms(latency, 99),
      'CPU, cores': figure(healths.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / healths.length / 1000),
    },
  ];
}
