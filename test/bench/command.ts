/**
 * Benchmark of the `dyno` command's overhead. Compares the start of the command with that of `node -e 0`. Compares a run of a million
 * documents with sending the same documents without a run.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Report } from '../../common/report/model/report';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { figure, type Row } from './table';

/** Path of the built command. scripts/bench.mjs builds it into the same folder as this bundle. */
const COMMAND = fileURLToPath(new URL('./dyno.js', import.meta.url));
const FROM_CHECKOUT = fileURLToPath(new URL('../scripts/dyno.mjs', import.meta.url));

const DOCUMENTS = 1_000_000;

/**
 * Code that each measured process loads first. When the process exits, the code writes its CPU time and peak memory, including those of its
 * threads, to file descriptor 3.
 */
const PROBE = `if (require('node:worker_threads').isMainThread)
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    require('node:fs').writeSync(3, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, memory: maxRSS * 1024 }));
  });`;

interface Took {
  /** Elapsed time in s. */
  wall: number;
  /** CPU time of the whole process, in s. */
  cpu: number;
  /** Peak resident memory, in bytes. */
  memory: number;
}

/** Runs one process to its end and measures it. Throws if it fails. */
async function timed(folder: string, args: readonly string[]): Promise<Took> {
  const probe = path.join(folder, 'probe.cjs');
  writeFileSync(probe, PROBE);
  const begun = performance.now();
  const child = spawn(process.execPath, ['--require', probe, ...args], {
    cwd: folder,
    env: { ...process.env, DYNO_DATA: path.join(folder, 'data') },
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  });
  let [errors, figures] = ['', ''];
  child.stderr!.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  child.stdio[3]!.on('data', (chunk: Buffer) => (figures += chunk.toString()));
  const ended = new Promise<number>((resolve) => child.once('exit', () => resolve(performance.now())));
  const code = await new Promise<number | null>((closed) => child.once('close', closed));
  if (code !== 0) throw new Error(`${args.join(' ')} ended with ${String(code)}:\n${errors}`);
  return { wall: ((await ended) - begun) / 1000, ...(JSON.parse(figures) as Pick<Took, 'cpu' | 'memory'>) };
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1]!;
const medianOf = (all: readonly Took[], key: keyof Took): number => median(all.map((took) => took[key]));

/**
 * Measures how long commands take to start. The commands run in turn. Therefore, other programs on the machine affect all of them equally.
 */
async function words(folder: string, rounds: number): Promise<Row[]> {
  const asked: Record<string, readonly string[]> = {
    'node -e 0': ['-e', '0'],
    'dyno --help': [COMMAND, '--help'],
    'dyno presets': [COMMAND, 'presets'],
    'dyno validate': [COMMAND, 'validate', 'sematext-refresh'],
    'from a checkout: --help': [FROM_CHECKOUT, '--help'],
  };
  const took = new Map(Object.keys(asked).map((name): [string, Took[]] => [name, []]));
  for (let round = 0; round < rounds; round++)
    for (const [name, args] of Object.entries(asked)) took.get(name)!.push(await timed(folder, args));
  const baseline = took.get('node -e 0')!;
  const ratio = (all: readonly Took[], key: keyof Took): string =>
    figure(median(all.map((one, round) => one[key] / baseline[round]![key])));
  return [...took].map(([command, all]) => ({
    command,
    'wall s': medianOf(all, 'wall').toFixed(3),
    'of Node’s': ratio(all, 'wall'),
    'CPU s': medianOf(all, 'cpu').toFixed(3),
    'CPU relative to Node’s': ratio(all, 'cpu'),
    MB: Math.round(medianOf(all, 'memory') / 1e6),
  }));
}

const DEFINITION = {
  version: 1,
  name: 'the command and its load',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 2000 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  measure: { warmup: '0s', documents: DOCUMENTS },
  trials: 1,
};

/** Measures runs of the command. The first run on a cluster also creates the indices for results, and therefore has a separate row. */
async function runs(folder: string, count: number): Promise<Row[]> {
  const [given, written] = [path.join(folder, 'million.json'), path.join(folder, 'report.json')];
  writeFileSync(given, JSON.stringify(DEFINITION));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  try {
    const rows: Row[] = [];
    for (let number = 1; number <= count; number++) {
      const bare = await timed(folder, ['-e', '0']);
      const place = ['--elasticsearch', cluster.nodes[0]!.url, '--no-collector'];
      const took = await timed(folder, [COMMAND, 'run', given, ...place, '--report', written]);
      const report = JSON.parse(readFileSync(written, 'utf8')) as Report;
      const { warmup, drain } = report.trials[0]!.times;
      const load = (Date.parse(drain!) - Date.parse(warmup!)) / 1000;
      rows.push({
        run: number,
        'wall s': figure(took.wall),
        'load s': figure(load),
        'overhead s': figure(took.wall - load),
        'overhead relative to Node’s start': figure((took.wall - load) / bare.wall),
        'memory MB': Math.round(took.memory / 1e6),
        'more than Node’s MB': Math.round((took.memory - bare.memory) / 1e6),
      });
    }
    return rows;
  } finally {
    await cluster.stop();
  }
}

/**
 * Measures the command, and yields each table as soon as it is complete. `count`: number of runs. `rounds`: number of times that the start
 * of each command is measured; 0 skips this measurement.
 */
export async function* benchCommand(count = 3, rounds = 15): AsyncGenerator<{ title: string; rows: Row[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-command-'));
  try {
    if (rounds > 0)
      yield { title: `The command, median of ${rounds} rounds`, rows: await words(folder, rounds) };
    if (count > 0)
      yield {
        title: '`dyno run` of a million documents, and its overhead beyond the load',
        rows: await runs(folder, count),
      };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
