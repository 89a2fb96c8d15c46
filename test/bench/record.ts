/**
 * Measures the cost of recording: compares `dyno record` with a plain TCP relay in front of the same target. The two are measured in turn.
 */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createHistogram, recordMs, type Histogram } from '../../common/measurement/histogram';
import { figure, type Row } from './table';

const PER_SECOND = 2000;
const CONNECTIONS = 100;
const ROUND_MS = 2000;
/** Duration of the load before the first measured round, in ms. It lets Node.js compile the code and opens the connections. */
const WARM_MS = 3000;
const LARGE_BYTES = 90_000_000;

/** Maximum median latency that the recorder may add, in ms. */
const MOST_ADDED_P50_MS = 0.3;
/** Maximum p99 of the latency that the recorder may add, in ms. */
const MOST_ADDED_P99_MS = 1;
/** Maximum CPU use of the recorder, in cores. */
const MOST_CORES = 0.5;
/** Maximum resident memory of the recorder, in MB. */
const MOST_RSS_MB = 120;

const QUERY = JSON.stringify({
  size: 10,
  query: { match: { title: 'product with some more words in its name' } },
});
const REQUEST = Buffer.from(
  `POST /shop/_search HTTP/1.1\r\nhost: target\r\ncontent-type: application/json\r\ncontent-length: ${QUERY.length}\r\n\r\n${QUERY}`,
);
const END_OF_ANSWER = ']}}';

/**
 * Sends requests at a constant rate on connections that stay open. A latency begins when the request is due, even if it cannot be sent at
 * that time.
 */
class Load {
  private readonly sockets: Socket[] = [];
  private readonly free: Socket[] = [];
  /** Times at which the waiting requests were due, in ms of `performance.now()`. They wait for a free connection. */
  private readonly waiting: number[] = [];
  private readonly dueAt = new Map<Socket, number>();
  times = createHistogram();
  sent = 0;
  /** Number of requests that had to wait for a connection. */
  late = 0;

  static async open(port: number): Promise<Load> {
    const load = new Load();
    await Promise.all(Array.from({ length: CONNECTIONS }, () => load.add(port)));
    return load;
  }

  private add(port: number): Promise<void> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let tail = '';
    socket.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.toString('latin1', Math.max(0, chunk.length - 3))).slice(-3);
      if (tail !== END_OF_ANSWER) return;
      recordMs(this.times, performance.now() - this.dueAt.get(socket)!);
      const due = this.waiting.shift();
      if (due === undefined) this.free.push(socket);
      else this.send(socket, due);
    });
    this.sockets.push(socket);
    this.free.push(socket);
    return new Promise((resolve, reject) => {
      socket.on('connect', resolve);
      socket.on('error', reject);
    });
  }

  private send(socket: Socket, due: number): void {
    this.dueAt.set(socket, due);
    this.sent += 1;
    socket.write(REQUEST);
  }

  /** Sends requests for `ms` milliseconds, and waits for their responses. */
  async run(ms: number): Promise<void> {
    const began = performance.now();
    const count = (ms * PER_SECOND) / 1000;
    for (let made = 0; made < count;) {
      for (; made < count; made += 1) {
        const due = began + (made * 1000) / PER_SECOND;
        if (due > performance.now()) break;
        const socket = this.free.shift();
        if (socket !== undefined) this.send(socket, due);
        else {
          this.waiting.push(due);
          this.late += 1;
        }
      }
      await pause(1);
    }
    while (this.free.length < this.sockets.length) await pause(1);
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
  }
}

const portOf = (child: ChildProcess): Promise<number> =>
  new Promise((resolve) => child.once('message', (message) => resolve(Number(message))));

interface Recorder {
  child: ChildProcess;
  port: number;
  /** Ends the recorder. Resolves to the numbers of recorded and dropped requests, and to the recorder's mean CPU use in cores. */
  end(): Promise<{ recorded: number; dropped: number; cores: number }>;
}

async function startRecorder(command: string, target: number, file: string): Promise<Recorder> {
  const child = spawn(
    process.execPath,
    [
      ...[command, 'record', '--target', `http://127.0.0.1:${target}`],
      ...['--listen', '127.0.0.1:0', '--to', file, '--json'],
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const port = await new Promise<number>((resolve, reject) => {
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const found = /http:\/\/127\.0\.0\.1:(\d+), and/.exec(said);
      if (found !== null) resolve(Number(found[1]));
    });
    child.once('exit', () => reject(new Error(`the recorder ended: ${said}`)));
  });
  return {
    child,
    port,
    async end() {
      child.kill('SIGINT');
      await new Promise((resolve) => child.once('close', resolve));
      return JSON.parse(out) as { recorded: number; dropped: number; cores: number };
    },
  };
}

const memoryMb = ({ pid }: ChildProcess, field: 'VmRSS' | 'VmHWM'): number =>
  Number(new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Returns the CPU time of a process since its start, in s. */
const cpuSeconds = ({ pid }: ChildProcess): number => {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

function joined(rounds: readonly Histogram[]): Histogram {
  const all = createHistogram();
  for (const times of rounds) all.add(times);
  return all;
}

const rowOf = (name: string, times: Histogram, cores: number): Row => ({
  path: name,
  requests: times.totalCount,
  'p50 ms': figure(times.getValueAtPercentile(50) / 1000),
  'p99 ms': figure(times.getValueAtPercentile(99) / 1000),
  cores: figure(cores),
});

/** Sends one request with a large body. Resolves to its duration in ms. */
async function sendLarge(port: number): Promise<number> {
  const line = `{"index":{}}\n{"title":"${'some text '.repeat(20)}","price":1.5}\n`;
  const body = Buffer.from(line.repeat(Math.ceil(LARGE_BYTES / line.length)));
  const began = performance.now();
  const socket = connect({ port, host: '127.0.0.1' });
  socket.write(`POST /shop/_bulk HTTP/1.1\r\nhost: target\r\ncontent-length: ${body.length}\r\n\r\n`);
  socket.write(body);
  await new Promise((resolve, reject) => {
    socket.once('data', resolve);
    socket.once('error', reject);
  });
  socket.destroy();
  return performance.now() - began;
}

/**
 * Compares the recorder with the relay. `rounds`: number of rounds for each of the two; their rounds alternate. The added latency is the
 * median of the differences between neighbouring rounds. Other load on the machine therefore affects it little.
 */
export async function benchRecord(
  command: string,
  processFile: string,
  rounds = 20,
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-bench-record-'));
  const target = fork(processFile, ['target'], { execArgv: [] });
  const targetPort = await portOf(target);
  const relay = fork(processFile, ['relay', String(targetPort)], { execArgv: [] });
  const recorder = await startRecorder(command, targetPort, path.join(folder, 'a.traffic.gz'));
  try {
    const paths = [
      {
        name: 'plain TCP relay',
        child: relay,
        load: await Load.open(await portOf(relay)),
        cpu: 0,
        rounds: [] as Histogram[],
      },
      {
        name: 'dyno record',
        child: recorder.child,
        load: await Load.open(recorder.port),
        cpu: 0,
        rounds: [] as Histogram[],
      },
    ];
    for (const { load } of paths) {
      await load.run(WARM_MS);
      load.late = 0;
    }
    const memory: number[] = [];
    for (let round = 0; round < rounds; round += 1)
      for (const one of paths) {
        const before = cpuSeconds(one.child);
        one.load.times = createHistogram();
        await one.load.run(ROUND_MS);
        one.rounds.push(one.load.times);
        one.cpu += cpuSeconds(one.child) - before;
        memory.push(memoryMb(recorder.child, 'VmRSS'));
      }
    const underLoadMb = memoryMb(recorder.child, 'VmHWM');
    const [plain, recorded] = paths as [(typeof paths)[0], (typeof paths)[0]];
    const coresOf = ({ cpu }: { cpu: number }): number => cpu / ((rounds * ROUND_MS) / 1000);
    const added = (percentile: number): number => {
      const differences = recorded.rounds.map(
        (times, round) =>
          (times.getValueAtPercentile(percentile) - plain.rounds[round]!.getValueAtPercentile(percentile)) /
          1000,
      );
      return differences.sort((a, b) => a - b)[Math.floor(rounds / 2)]!;
    };
    for (const { load } of paths) load.close();
    const largeMs = await sendLarge(recorder.port);
    await pause(3000);
    const largeMb = memoryMb(recorder.child, 'VmHWM');
    const counts = await recorder.end();
    const checks: [string, number, number][] = [
      ['added p50, ms', added(50), MOST_ADDED_P50_MS],
      ['added p99, ms', added(99), MOST_ADDED_P99_MS],
      ['cores', coresOf(recorded), MOST_CORES],
      ['memory under load, MB', underLoadMb, MOST_RSS_MB],
      ['memory with a body of 90 MB, MB', largeMb, MOST_RSS_MB],
      ['dropped requests', counts.dropped, 0],
      // The request with a body of 90 MB is sent in addition.
      ['sent requests that are not recorded', Math.abs(recorded.load.sent + 1 - counts.recorded), 0],
      ['requests that waited for a connection', plain.load.late + recorded.load.late, 0],
    ];
    return {
      tables: [
        {
          title: `${PER_SECOND} requests per second on ${CONNECTIONS} connections, in turn`,
          rows: paths.map((one) => rowOf(one.name, joined(one.rounds), coresOf(one))),
        },
        {
          title: `Bars (memory in the rounds: ${Math.round(memory[0]!)} to ${Math.round(memory.at(-1)!)} MB; the body of 90 MB took ${Math.round(largeMs)} ms)`,
          rows: checks.map(([name, value, most]) => ({ '': name, measured: figure(value), 'at most': most })),
        },
      ],
      failures: checks
        .filter(([, value, most]) => !(value <= most))
        .map(([name, value, most]) => `${name}: ${figure(value)}, at most ${most}`),
    };
  } finally {
    recorder.child.kill();
    relay.disconnect();
    target.disconnect();
    rmSync(folder, { recursive: true, force: true });
  }
}
