/**
 * Runs one benchmark of the load generator in a separate process: `node bench-figures.js NAME URL CORPUS` prints its values as JSON. `npm
 * run bench -- --compare` runs this file with the code of two commits. The file may therefore only import files that exist in both commits.
 */
import { decodeHistogram } from '../../common/measurement/histogram';
import { searchJob } from '../../common/tasks/search';
import { collectGarbageSeldom } from '../../server/load/instrument/garbage';
import type { LoadJob } from '../../server/load/contract';
import { startLoad } from '../../server/load/pool';
import { fileURLToPath } from 'node:url';

/** Values of one benchmark, by name. They are compared with those of another commit. */
export type Measured = Record<string, number>;

type Task = LoadJob['tasks'][number];

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const WARMUP_MS = 1000;

/** Returns a task with two clients that send bulks of 1000 documents. `source`: source of the documents. */
const bulks = (source: unknown): Task => ({
  name: 'ingest',
  operation: {
    kind: 'ingest',
    source: source as never,
    parse: null,
    bulk: { docs: 1000 },
    retries: { attempts: 5, baseMs: 100, maxMs: 10_000 },
  },
  executor: { kind: 'constant-clients', clients: 2, thinkTimeMs: 0 },
});

const searches = (executor: Task['executor']): Task => ({
  name: 'search',
  operation: searchJob({ name: 'all', body: { size: 0 } }),
  executor,
});

const TASKS: Readonly<Record<string, (corpus: string) => Task>> = {
  documents: () => bulks({ kind: 'generator', generator: 'systembase' }),
  corpus: (file) => bulks({ kind: 'file', file, format: 'ndjson', repeat: true }),
  'corpus.gz': (file) => bulks({ kind: 'file', file: `${file}.gz`, format: 'ndjson', repeat: true }),
  lines: (file) => bulks({ kind: 'file', file, format: 'lines', repeat: true }),
  searches: () => searches({ kind: 'constant-clients', clients: 32, thinkTimeMs: 0 }),
  pace: () => searches({ kind: 'constant-rate', perSecond: 10_000, maxClients: 200 }),
};

const [name = '', url = '', corpus = '', seconds = '3'] = process.argv.slice(2);
const task = TASKS[name];
if (task === undefined)
  throw new Error(`unknown figure ${name}; allowed are ${Object.keys(TASKS).join(', ')}`);

// The command `dyno` also delays garbage collection.
collectGarbageSeldom();
const own = process.memoryUsage.rss();
let cpuMs = 0;
let rss = 0;
let seen = 0;
const measureMs = Number(seconds) * 1000;
let cpuBefore = process.cpuUsage();
let cpuAfter = cpuBefore;
const outcome = await startLoad(
  {
    indices: ['bench'],
    route: 'in-turn',
    target: { nodes: [url], headers: {}, verifyCertificates: true, requestTimeoutMs: 10_000 },
    tasks: [task(corpus)],
    seed: 1,
    warmupMs: WARMUP_MS,
    measureMs,
    documents: null,
    drainMs: 1000,
  },
  {
    workerFile: WORKER,
    workers: 1,
    onSample: ({ phase, generator }) => {
      if (phase === 'warm-up') cpuBefore = process.cpuUsage();
      if (phase === 'measure') {
        cpuAfter = process.cpuUsage();
        cpuMs += generator.cpuMs;
        seen += 1;
      }
      rss = Math.max(rss, process.memoryUsage.rss());
    },
  },
).done;
const { measured, elapsedMs, service, latency, lag, sent } = outcome.tasks[0]!;
if (measured.failed + measured.unknown > 0) throw new Error('requests failed');
const percentile = (of: string | undefined, percent: number): number =>
  of === undefined ? 0 : decodeHistogram(of).getValueAtPercentile(percent) / 1000;
const paced = task(corpus).executor.kind === 'constant-rate';
const figures: Measured = paced
  ? {
      'achieved/s': ((sent ?? 0) / measureMs) * 1000,
      'lag p99 ms': percentile(lag, 99),
      'latency p50 ms': percentile(latency, 50),
      'latency p99 ms': percentile(latency, 99),
      'service p99 ms': percentile(service, 99),
    }
  : { '/s': (measured.accepted / elapsedMs) * 1000 };
// CPU time of the load thread alone, then of the whole process with its helper threads.
figures['per thread CPU s'] = seen === 0 ? 0 : measured.accepted / (cpuMs / 1000);
const cpu = cpuAfter.user + cpuAfter.system - cpuBefore.user - cpuBefore.system;
figures['per process CPU s'] = measured.accepted / (cpu / 1e6);
figures['memory MB'] = (rss - own) / 1e6;
process.stdout.write(`${JSON.stringify(figures)}\n`);
process.exit(0);
