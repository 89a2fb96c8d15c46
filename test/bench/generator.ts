/** Measures how much one load thread can send to a target that accepts everything. */
import type { LoadJob } from '../../server/load/contract';
import { startLoad } from '../../server/load/pool';
import { benchBaseline, type Figures } from './baseline';
import { figure, type Row } from './table';

/**
 * Number of repetitions. Each repetition measures Dyno and then the simple script of `baseline.ts`. Other programs on the machine therefore
 * affect both equally.
 */
const ROUNDS = 5;

/**
 * Published results of Rally for the same documents, bulks and clients, on one machine with 2 cores: documents/s, CPU seconds per million
 * documents, and memory in bytes.
 */
const RALLY: Figures = { rate: 1_080_000, cpu: 1.9, memory: 560e6 };
/** Published results of a simple script on the same machine, in the same units. */
const SCRIPT: Figures = { rate: 370_000, cpu: 2.9, memory: 105e6 };

const job = (url: string): LoadJob => ({
  indices: ['bench'],
  route: 'in-turn',
  target: { nodes: [url], headers: {}, verifyCertificates: true, requestTimeoutMs: 10_000 },
  tasks: [
    {
      name: 'ingest',
      operation: {
        kind: 'ingest',
        source: { kind: 'generator', generator: 'systembase' },
        parse: null,
        bulk: { docs: 1000 },
        retries: { attempts: 5, baseMs: 100, maxMs: 10_000 },
      },
      executor: { kind: 'constant-clients', clients: 2, thinkTimeMs: 0 },
    },
  ],
  seed: 1,
  warmupMs: 2000,
  measureMs: 4000,
  documents: null,
  drainMs: 1000,
});

async function measure(url: string, workerFile: string): Promise<Figures> {
  let cpuMs = 0;
  let documents = 0;
  let memory = 0;
  const { tasks } = await startLoad(job(url), {
    workerFile,
    workers: 1,
    onSample: ({ phase, counts, generator }) => {
      if (phase !== 'measure') return;
      cpuMs += generator.cpuMs;
      documents += counts.accepted;
      memory = Math.max(memory, process.memoryUsage().rss);
    },
  }).done;
  const { measured, elapsedMs } = tasks[0]!;
  return { rate: (measured.accepted / elapsedMs) * 1000, cpu: (cpuMs * 1000) / documents, memory };
}

const row = (driver: string, { rate, cpu, memory }: Figures, baseline: Figures): Row => ({
  driver,
  'M docs/s': figure(rate / 1e6),
  'CPU s/M docs': figure(cpu),
  'memory MB': Math.round(memory / 1e6),
  'rate x': figure(rate / baseline.rate),
  'CPU /': figure(baseline.cpu / cpu),
});

/**
 * Returns one row for each repetition, and rows with published results of others. The last two columns compare Dyno with the simple script
 * that was measured directly after Dyno.
 */
export async function benchGenerator(url: string, workerFile: string): Promise<Row[]> {
  const rows = [
    row('Rally 2.13, 2 processes (published)', RALLY, SCRIPT),
    row('plain undici script (published)', SCRIPT, SCRIPT),
  ];
  for (let round = 1; round <= ROUNDS; round += 1) {
    const own = await measure(url, workerFile);
    const baseline = await benchBaseline(url);
    rows.push(row(`dyno, one thread, round ${round}`, own, baseline));
    rows.push(row(`plain undici script, round ${round}`, baseline, baseline));
  }
  return rows;
}
