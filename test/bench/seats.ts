/**
 * Measures several machines that generate one load together. Checks whether they send at the requested rate, and start together although
 * their clocks differ. Also measures the CPU time of the main process of the run. Each machine is simulated by a process on this machine.
 * The target records when each process sends requests.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { noCounts } from '../../common/measurement/counts';
import { countedValues, createHistogram, recordMs } from '../../common/measurement/histogram';
import { createRandom, type Random } from '../../common/random';
import type { LoadJob, TaskJob } from '../../server/load/contract';
import type { TaskSecond } from '../../server/load/messages';
import { prepareLoad } from '../../server/load/pool';
import { thisProcess } from '../../server/process-life';
import { openSeats, Seats, type SeatsSetting } from '../../server/seats/coordinator';
import { reports } from '../../server/seats/codec';
import { boxFrom, type FromSeatProcess } from '../../server/seats/protocol';
import { FakeBus } from '../../server/seats/testing/fake-bus';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { Connection } from '../../server/target-cluster/connection';
import { figure, type Row } from './table';
import { searchJob } from '../../common/tasks/search';

declare const DYNO_VERSION: string;

/** Path of the built command. scripts/bench.mjs builds it into the same folder as this bundle. */
const COMMAND = fileURLToPath(new URL('./dyno.js', import.meta.url));

const SEATS = [1, 2, 4, 8];
const LOADS = 4;
const PER_SECOND = 400;
const MEASURE_MS = 5000;
/** Maximum error of the machines' simulated wall clocks, in ms. */
const SHIFTED_MS = 3000;

const MOST_SKEW_MS = 10;
const MOST_RATE_ERROR = 0.001;

const SIMULATED = [8, 50, 200];
const SIMULATED_TASKS = 5;
const SIMULATED_S = 15;
const MOST_CORE = 0.2;
const MOST_MB = 300;

const search: TaskJob = {
  name: 'search',
  operation: searchJob({ name: 'all', body: { size: 0 } }),
  executor: { kind: 'constant-rate', perSecond: PER_SECOND, maxClients: 100 },
};

const jobOn = (node: string, tasks: TaskJob[], measureMs: number | null): LoadJob => ({
  indices: ['trial-1'],
  route: 'in-turn',
  target: { nodes: [node], headers: {}, verifyCertificates: true, requestTimeoutMs: 10_000 },
  tasks,
  seed: 1,
  warmupMs: 0,
  measureMs,
  documents: null,
  drainMs: 2000,
});

const settingOf = (seats: number): SeatsSetting => ({
  run: { id: `bench-${seats}`, experiment: 'seats' },
  coordinator: thisProcess(),
  version: DYNO_VERSION,
  seats,
  workers: 1,
  shareMachine: true,
  onNote: (message) => process.stdout.write(`${message}\n`),
});

/** Arrival times of requests, in ms of `performance.now()`. Key: the `authorization` header, which identifies the simulated machine. */
type Arrivals = Map<string, number[]>;

async function notingTarget(): Promise<{ url: string; arrivals: Arrivals; stop: () => void }> {
  const arrivals: Arrivals = new Map();
  const found =
    '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{}}';
  const server = createServer((request, response) => {
    const key = request.headers.authorization ?? '';
    const own = arrivals.get(key) ?? [];
    if (own.length === 0) arrivals.set(key, own);
    own.push(performance.now());
    request.resume();
    request.once('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end(found));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrivals,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Returns the URL of a module that shifts the wall clock of a process by `ms`. The process must load this module before all others. */
const shifted = (ms: number): string =>
  `data:text/javascript,${encodeURIComponent(`const now = Date.now; Date.now = () => now() + ${ms};`)}`;

const shiftOf = (number: number, of: number): number =>
  Math.round(SHIFTED_MS * (of === 1 ? 0 : (2 * number) / (of - 1) - 1));

const startWorker = (results: string, number: number, of: number): ChildProcess =>
  spawn(process.execPath, ['--import', shifted(shiftOf(number, of)), COMMAND, 'worker', '--join', results], {
    env: { ...process.env, DYNO_TARGET_API_KEY: `seat-${number}` },
    stdio: 'ignore',
  });

const percentile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? NaN;

interface Together {
  rateError: number;
  /**
   * For each simulated machine: arrival time of its first request, relative to the median of all machines, in ms. It includes the duration
   * of the first request.
   */
  skews: number[];
  /**
   * For each simulated machine: maximum error of its start time, in ms. It consists of the error of the calculated clock offset (the true
   * offset is known here) and of the delay with which the threads of the machine began.
   */
  starts: number[];
  coreShare: number;
  preparedMs: number;
}

/** Generates several loads one after the other, with `count` processes that simulate machines. Returns the measured values. */
async function together(results: Connection, resultsUrl: string, count: number): Promise<Together> {
  const target = await notingTarget();
  const workers = Array.from({ length: count }, (_, number) => startWorker(resultsUrl, number, count));
  const seats = await openSeats(results, settingOf(count));
  const measured: Together = { rateError: 0, skews: [], starts: [], coreShare: 0, preparedMs: 0 };
  try {
    await seats.complete({ withinMs: 60_000, onChange: () => undefined }, new AbortController().signal);
    for (let number = 0; number < LOADS; number += 1) {
      target.arrivals.clear();
      const before = performance.now();
      const load = prepareLoad(jobOn(target.url, [search], MEASURE_MS), {
        workerFile: '',
        seating: seats.seating([]),
        onSample: () => undefined,
      });
      const leadMs = await load.ready;
      const startsAt = performance.now() + leadMs;
      load.begin(Date.now() + leadMs);
      measured.preparedMs += (startsAt - before) / LOADS;
      const cpu = process.cpuUsage();
      const { tasks, seats: figures } = await load.done;
      const { user, system } = process.cpuUsage(cpu);
      measured.coreShare += (user + system) / 1000 / MEASURE_MS / LOADS;
      const expected = (PER_SECOND * MEASURE_MS) / 1000;
      measured.rateError = Math.max(measured.rateError, Math.abs(tasks[0]!.sent! - expected) / expected);
      // Machines send requests in turn. Before the first request of a machine, one request of each earlier machine is due.
      const firsts = [...target.arrivals.values()].map(([first]) => first! - startsAt).sort((a, b) => a - b);
      const began = firsts.map((first, place) => first - (place * 1000) / PER_SECOND);
      for (const { seat, pid, clock } of seats.taken) {
        const number = workers.findIndex((worker) => worker.pid === pid);
        measured.starts.push(figures[seat]!.lateMs + Math.abs(clock!.offsetMs - shiftOf(number, count)));
      }
      // The first request of every machine takes a few ms. Only the differences between machines matter.
      measured.skews.push(...began.map((one) => one - percentile(began, 0.5)));
    }
  } finally {
    await seats.close('the bench is over');
    for (const worker of workers) worker.kill('SIGTERM');
    target.stop();
  }
  return measured;
}

/** Creates a load thread's report on one second, in which a task completed 100 requests. */
function madeSecond(task: string, second: number, random: Random): TaskSecond {
  const times = createHistogram();
  for (let request = 0; request < 100; request += 1) recordMs(times, 2 + 20 * random.unit() ** 3);
  const counted = countedValues(times);
  return {
    task,
    second,
    phase: 'measure',
    counts: { ...noCounts(), attempted: 100, accepted: 100 },
    service: counted,
    latency: counted,
    clients: 4,
    offered: 100,
    backlog: 0,
    scheduleLagMs: 1,
    failures: {},
    requests: { all: { count: 100, failed: 0, service: counted, latency: counted } },
  };
}

/**
 * Measures the main process of a run while `count` simulated machines send reports every second. The reports are encoded before the
 * measurement, which therefore contains only the work of receiving them.
 */
async function simulate(count: number): Promise<{ core: number; mb: number; seconds: number }> {
  const bus = new FakeBus();
  const seats = new Seats(settingOf(count), bus);
  const random = createRandom(1);
  const tasks = Array.from({ length: SIMULATED_TASKS }, (_, task) => ({ ...search, name: `search-${task}` }));
  const offers = Array.from({ length: count }, (_, seat) => `offer-${seat}`);
  for (const [seat, offer] of offers.entries())
    await bus.put(`worker-${seat}`, {
      kind: 'worker',
      offer,
      process: { host: `load-${seat}`, pid: seat, instance: offer },
      machine: `load-${seat}`,
      cores: 4,
      version: DYNO_VERSION,
      labels: {},
    });
  await seats.complete({ withinMs: 60_000, onChange: () => undefined }, new AbortController().signal);
  let samples = 0;
  const load = prepareLoad(jobOn('http://127.0.0.1:9', tasks, null), {
    workerFile: '',
    seating: seats.seating([]),
    onSample: () => (samples += 1),
  });
  load.done.catch(() => undefined);
  const numbers = new Map(offers.map((offer) => [offer, 0]));
  const post = async (offer: string, messages: FromSeatProcess[] | string): Promise<void> => {
    const number = numbers.get(offer)!;
    numbers.set(offer, number + 1);
    const text = typeof messages === 'string' ? messages : reports.pack(messages);
    await bus.put(`${boxFrom(offer)}-${number}`, { kind: 'parcel', text });
  };
  const report = (message: Extract<FromSeatProcess, { kind: 'report' }>['message']): FromSeatProcess => ({
    kind: 'report',
    load: 1,
    message,
  });
  const healthy = { cpuMs: 100, utilisation: 0.1, eventLoopDelayMs: 1 };
  const reach = { sinceAnswerMs: 1, silentMs: 0, example: '' };
  /** Encoded reports, by second. All simulated machines send the same reports. */
  const packed = Array.from({ length: SIMULATED_S }, (_, second) =>
    Array.from({ length: 4 }, () =>
      reports.pack([
        report({ kind: 'alive', reach }),
        report({
          kind: 'seconds',
          seconds: tasks.map(({ name }) => madeSecond(name, second, random)),
          health: healthy,
          machine: { busy: 0.5, steal: 0, own: 0.4 },
        }),
      ]),
    ),
  );
  load.begin(Date.now());
  global.gc?.();
  const before = process.memoryUsage().rss;
  let most = before;
  const cpu = process.cpuUsage();
  const began = performance.now();
  for (const kinds of packed) {
    for (const [place, offer] of offers.entries()) await post(offer, kinds[place % kinds.length]!);
    await new Promise((resolve) => setTimeout(resolve, 1000));
    most = Math.max(most, process.memoryUsage().rss);
  }
  const { user, system } = process.cpuUsage(cpu);
  const core = (user + system) / 1000 / (performance.now() - began);
  load.abort();
  await seats.close('the bench is over');
  return { core, mb: most / 2 ** 20, seconds: samples / SIMULATED_TASKS };
}

/**
 * Measures machines that generate load together: first processes that generate real load, then many machines of which only the reports are
 * simulated. `only`: `real` or `simulated`, to measure only one of the two.
 */
export async function benchSeats(
  only?: string,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const failures: string[] = [];
  const cluster = await startElasticsearch({ ephemeral: true, heap: '512m' });
  const url = cluster.nodes[0]!.url;
  const results = new Connection({ hosts: [url] });
  const real: Row[] = [];
  const simulated: Row[] = [];
  try {
    for (const count of only === 'simulated' ? [] : SEATS) {
      const { rateError, skews, starts, coreShare, preparedMs } = await together(results, url, count);
      const skew = percentile(starts, 0.99);
      real.push({
        seats: count,
        loads: LOADS,
        'rate error': `${(rateError * 100).toFixed(2)}%`,
        'start off by, p50': `${figure(percentile(starts, 0.5))} ms`,
        p99: `${figure(skew)} ms`,
        'first requests apart, p50': `${figure(percentile(skews.map(Math.abs), 0.5))} ms`,
        most: `${figure(Math.max(...skews.map(Math.abs)))} ms`,
        'until the start': `${figure(preparedMs / 1000)} s`,
        'of a core, with the target': `${(coreShare * 100).toFixed(1)}%`,
      });
      process.stdout.write(`${JSON.stringify(real.at(-1))}\n`);
      if (rateError > MOST_RATE_ERROR) failures.push(`${count} seats missed the rate by ${rateError * 100}%`);
      if (skew > MOST_SKEW_MS) failures.push(`${count} seats began up to ${figure(skew)} ms apart`);
    }
  } finally {
    await results.close();
    await cluster.stop();
  }
  for (const count of only === 'real' ? [] : SIMULATED) {
    const { core, mb, seconds } = await simulate(count);
    simulated.push({
      seats: count,
      seconds,
      'of a core': `${(core * 100).toFixed(1)}%`,
      'memory of the process': `${Math.round(mb)} MB`,
    });
    process.stdout.write(`${JSON.stringify(simulated.at(-1))}\n`);
    if (core > MOST_CORE || mb > MOST_MB)
      failures.push(`${count} seats use ${(core * 100).toFixed(0)}% of a core and ${Math.round(mb)} MB`);
  }
  return {
    tables: [
      {
        title: `${PER_SECOND} searches per second by seats whose wall clocks are wrong by up to ±3 s`,
        rows: real,
      },
      {
        title: `Simulated seats with ${SIMULATED_TASKS} tasks each: cost for the process that carries the run`,
        rows: simulated,
      },
    ],
    failures,
  };
}
