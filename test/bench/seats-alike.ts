/**
 * Checks that the results do not depend on how load threads are distributed over processes. Compares one process with two threads with two
 * processes with one thread each, in turn, on this machine. Both generate the same load against a target of known behaviour.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compareCells, type Comparison } from '../../common/analysis/comparison';
import { decodeHistogram } from '../../common/measurement/histogram';
import { createRandom, shuffled } from '../../common/random';
import type { LoadJob } from '../../server/load/contract';
import { prepareLoad } from '../../server/load/pool';
import { thisProcess } from '../../server/process-life';
import { openSeats, type Seats } from '../../server/seats/coordinator';
import { TargetHandle } from '../../server/certify/target-handle';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { Connection } from '../../server/target-cluster/connection';
import { figure, type Row } from './table';
import { searchJob } from '../../common/tasks/search';

declare const DYNO_VERSION: string;

/** Path of the built command. scripts/bench.mjs builds it into the same folder as this bundle. */
const COMMAND = fileURLToPath(new URL('./dyno.js', import.meta.url));

const TRIALS = 20;
const MARGIN = 0.05;
const WARMUP_MS = 2000;
const MEASURE_MS = 5000;
const CLIENTS = 16;
/**
 * Behaviour of the target. At about 1,400 searches per second, its median response time is 8 ms. The overhead of the load generator is
 * small compared with this time, as in a real run.
 */
const BEHAVIOUR = 'log-normal';

const ARRANGEMENTS = [
  { name: '1 seat of 2 threads', seats: 1, threads: 2 },
  { name: '2 seats of 1 thread', seats: 2, threads: 1 },
] as const;
type Arrangement = (typeof ARRANGEMENTS)[number];

const METRICS = ['throughput', 'latency p50', 'latency p99'] as const;
type Figures = Record<(typeof METRICS)[number], number>;

const jobOn = (node: string, seed: number): LoadJob => ({
  indices: ['bench'],
  route: 'in-turn',
  target: { nodes: [node], headers: {}, verifyCertificates: true, requestTimeoutMs: 10_000 },
  tasks: [
    {
      name: 'search',
      operation: searchJob({ name: 'all', body: { size: 0 } }),
      executor: { kind: 'constant-clients', clients: CLIENTS, thinkTimeMs: 0 },
    },
  ],
  seed,
  warmupMs: WARMUP_MS,
  measureMs: MEASURE_MS,
  documents: null,
  drainMs: 1000,
});

/** Processes that generate load together. They are started once, and run during all trials. */
interface Taken {
  seats: Seats;
  workers: ChildProcess[];
}

async function take(
  results: Connection,
  resultsUrl: string,
  { seats: count, threads }: Arrangement,
): Promise<Taken> {
  const id = `alike-${count}`;
  const workers = Array.from({ length: count }, () =>
    spawn(process.execPath, [COMMAND, 'worker', '--join', resultsUrl, '--run', id], { stdio: 'ignore' }),
  );
  const seats = await openSeats(results, {
    run: { id, experiment: 'seats-alike' },
    coordinator: thisProcess(),
    version: DYNO_VERSION,
    seats: count,
    workers: threads,
    shareMachine: true,
    onNote: (message) => process.stdout.write(`${message}\n`),
  });
  await seats.complete({ withinMs: 60_000, onChange: () => undefined }, new AbortController().signal);
  return { seats, workers };
}

async function measure({ seats }: Taken, target: TargetHandle, seed: number): Promise<Figures> {
  await target.behave(BEHAVIOUR, seed);
  await seats.complete({ withinMs: 60_000, onChange: () => undefined }, new AbortController().signal);
  const load = prepareLoad(jobOn(target.url, seed), {
    workerFile: '',
    seating: seats.seating([]),
    onSample: () => undefined,
  });
  load.begin(Date.now() + (await load.ready));
  const [task] = (await load.done).tasks;
  const { measured, elapsedMs, latency } = task!;
  const times = decodeHistogram(latency);
  return {
    throughput: (measured.accepted / elapsedMs) * 1000,
    'latency p50': times.getValueAtPercentile(50) / 1000,
    'latency p99': times.getValueAtPercentile(99) / 1000,
  };
}

const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)}%`;

function row(metric: string, { ratio, interval, spread, word }: Comparison, means: readonly number[]): Row {
  return {
    metric,
    ...Object.fromEntries(ARRANGEMENTS.map(({ name }, place) => [name, figure(means[place]!)])),
    differs: ratio === null ? '–' : percent(ratio),
    '95% interval': interval === null ? '–' : `${percent(interval.low)} to ${percent(interval.high)}`,
    'spread of a trial': spread === null ? '–' : `${(spread * 100).toFixed(1)}%`,
    word,
  };
}

/**
 * Runs `trials` pairs of trials: one trial with one process, one with two processes, in random order. `targetFile`: path of the built
 * server of known behaviour.
 */
export async function benchSeatsAlike(
  targetFile: string,
  trials = TRIALS,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const target = await TargetHandle.start(targetFile);
  const cluster = await startElasticsearch({ ephemeral: true, heap: '512m' });
  const results = new Connection({ hosts: [cluster.url] });
  const random = createRandom(1);
  const taken: Taken[] = [];
  const found: (Figures & { repetition: number; order: number })[][] = ARRANGEMENTS.map(() => []);
  let order = 0;
  try {
    for (const arrangement of ARRANGEMENTS) taken.push(await take(results, cluster.url, arrangement));
    // The first load of a process is not measured, because it includes the compilation of the code.
    for (const one of taken) await measure(one, target, 0);
    for (let repetition = 1; repetition <= trials; repetition += 1) {
      for (const place of shuffled([0, 1], random)) {
        const figures = await measure(taken[place]!, target, repetition);
        found[place]!.push({ ...figures, repetition, order: order++ });
        const shown = METRICS.map((metric) => `${metric} ${figure(figures[metric])}`).join(', ');
        process.stdout.write(`${repetition} of ${trials}, ${ARRANGEMENTS[place]!.name}: ${shown}\n`);
      }
    }
  } finally {
    for (const { seats, workers } of taken) {
      await seats.close('the bench is over');
      for (const worker of workers) worker.kill('SIGTERM');
    }
    await results.close();
    await cluster.stop();
    await target.stop();
  }
  const compared = METRICS.map((metric) => {
    const cells = found.map((own) => ({
      environment: '',
      trials: own.map(({ repetition, order: at, ...figures }) => ({
        value: figures[metric],
        repetition,
        order: at,
      })),
    }));
    const design = { margin: MARGIN, order: 'randomised', trials } as const;
    const { comparisons } = compareCells(cells, [[1, 0]], design);
    const means = found.map((own) => own.reduce((sum, one) => sum + one[metric], 0) / own.length);
    return { metric, comparison: comparisons[0]!, means };
  });
  return {
    tables: [
      {
        title: `${ARRANGEMENTS[1].name} against ${ARRANGEMENTS[0].name}, ${trials} trials each: searches/s and ms, margin ${MARGIN * 100}%`,
        rows: compared.map(({ metric, comparison, means }) => row(metric, comparison, means)),
      },
    ],
    failures: compared
      .filter(({ comparison }) => comparison.word !== 'no difference within the margin')
      .map(({ metric, comparison }) => `${metric} is ${comparison.word} ${comparison.reason}`.trim()),
  };
}
