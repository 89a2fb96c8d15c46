/**
 * Replays a simulated log at its recorded pace. Measures how exactly the replay keeps this pace and what it costs, and checks that every
 * line of the log is accounted for.
 */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { decodeHistogram } from '../../common/measurement/histogram';
import { accountedFor } from '../../common/measurement/replay';
import type { Sample } from '../../common/measurement/sample';
import { REWRITE_NAMES } from '../../common/replay/constructs';
import type { TaskOutcome } from '../../server/load/contract';
import { startLoad } from '../../server/load/pool';
import { makeLog, type MadeLog } from './made-log';
import type { Arrivals } from './sink';
import { figure, type Row } from './table';

/** Time in ms that the load may take longer than the log. */
const SLACK_MS = 20_000;

export interface Size {
  lines: number;
  /**
   * Number of searches that the replay sends per second. The replay is faster than the log by the factor `speed`. The log therefore
   * contains `perSecond / speed` searches per second.
   */
  perSecond: number;
  speed: number;
  workers: number;
}

export interface Replayed {
  made: MadeLog;
  fileBytes: number;
  /** Time from the first to the last search of the log that is sent, divided by the speed, in ms. */
  recordedMs: number;
  task: TaskOutcome;
  arrivals: Arrivals;
  samples: Sample[];
  /** Resident memory of this process, including the load threads, at the end of each second, in bytes. */
  rss: number[];
}

const messageFrom = async <T>(sink: ChildProcess, ask?: string): Promise<T> =>
  new Promise((resolve) => {
    sink.once('message', (message) => {
      resolve(message as T);
    });
    if (ask !== undefined) sink.send(ask);
  });

/**
 * Creates a log, replays it against the server process `sink`, and asks this process which requests arrived. The caller has just started
 * the process, whose first message is its port.
 */
export async function replayMade(
  sink: ChildProcess,
  workerFile: string,
  { lines, perSecond, speed, workers }: Size,
): Promise<Replayed> {
  const port = await messageFrom<number>(sink);
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-bench-'));
  try {
    const file = path.join(folder, 'searches.log');
    const made = await makeLog(file, lines, perSecond / speed);
    const recordedMs = made.times[made.times.length - 1]! / speed;
    const samples: Sample[] = [];
    const rss: number[] = [];
    const { tasks } = await startLoad(
      {
        indices: ['bench'],
        route: 'in-turn',
        target: {
          nodes: [`http://127.0.0.1:${port}`],
          headers: {},
          verifyCertificates: true,
          requestTimeoutMs: 10_000,
        },
        tasks: [
          {
            name: 'replay',
            operation: {
              kind: 'replay',
              source: { kind: 'file', file },
              format: 'query-log',
              types: ['product', 'category'],
              everyShard: false,
              rewrite: [...REWRITE_NAMES],
              accept: [],
              route: null,
              params: '',
              repeat: false,
              timed: true,
            },
            executor: { kind: 'recorded', speed, maxClients: 200 },
          },
        ],
        seed: 1,
        warmupMs: 0,
        measureMs: Math.ceil(recordedMs / 1000) * 1000 + SLACK_MS,
        documents: null,
        drainMs: 5000,
      },
      {
        workerFile,
        workers,
        onSample: (sample) => {
          samples.push(sample);
          rss.push(process.memoryUsage.rss());
        },
      },
    ).done;
    const arrivals = await messageFrom<Arrivals>(sink, 'arrivals');
    return { made, fileBytes: statSync(file).size, recordedMs, task: tasks[0]!, arrivals, samples, rss };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function benchReplay(
  sink: ChildProcess,
  workerFile: string,
  size: Size,
): Promise<{ figures: Row[]; memory: Row[]; account: Row }> {
  const replayed = await replayMade(sink, workerFile, size);
  const { made, fileBytes, recordedMs, task, arrivals, samples, rss } = replayed;
  const lags = samples.map(({ generator }) => generator.scheduleLagMs).sort((a, b) => a - b);
  const ms = (encoded: string, percent: number): string =>
    figure(decodeHistogram(encoded).getValueAtPercentile(percent) / 1000);
  const replay = task.replay!;
  return {
    figures: [
      {
        'log MB': figure(fileBytes / 1024 ** 2),
        'recorded s': figure(recordedMs / 1000),
        'arrived within s': figure(arrivals.spanMs / 1000),
        'off %': figure((arrivals.spanMs / recordedMs - 1) * 100),
        arrived: arrivals.count,
        'worst 10 s off %': figure(worstStretch(made, arrivals, size.speed) * 100),
        'lag p99 ms, median second': figure(lags[Math.floor(lags.length / 2)] ?? 0),
        'worst second ms': figure(lags[lags.length - 1] ?? 0),
        'service p50 ms': ms(task.service, 50),
        'latency p50 ms': ms(task.latency, 50),
        'latency p99 ms': ms(task.latency, 99),
        'CPU, cores': figure(
          samples.reduce((sum, { generator }) => sum + generator.cpuMs, 0) / samples.length / 1000,
        ),
        'load average': figure(loadavg()[0]!),
      },
    ],
    memory: spread(rss.map((bytes, at) => ({ second: at + 1, 'RSS MB': figure(bytes / 1024 ** 2) }))),
    account: {
      lines: replay.lines,
      made: made.lines,
      sent: replay.sent,
      'other types': replay.otherType,
      'made so': made.otherType,
      malformed: replay.malformed,
      'made malformed': made.malformed,
      refused: replay.refused,
      unsent: replay.unsent,
      rewritten: replay.rewritten,
      'made old': made.old,
      'out of order': replay.outOfOrder,
      unaccounted: replay.lines - accountedFor(replay),
    },
  };
}

/**
 * Length of the intervals in which recorded and arrived searches are counted, in s. In shorter intervals, a single search that arrives in
 * the next interval would be too large a difference.
 */
const STRETCH = 10;

/** Counts recorded and arrived searches in each interval. Returns the largest difference, as a fraction of the recorded searches. */
function worstStretch({ times }: MadeLog, { perSecond }: Arrivals, speed: number): number {
  const recorded: number[] = [];
  const arrived: number[] = [];
  for (const time of times) {
    const stretch = Math.floor(time / speed / 1000 / STRETCH);
    recorded[stretch] = (recorded[stretch] ?? 0) + 1;
  }
  perSecond.forEach((count, second) => {
    const stretch = Math.floor(second / STRETCH);
    arrived[stretch] = (arrived[stretch] ?? 0) + count;
  });
  // The last interval is incomplete.
  return recorded
    .slice(0, -1)
    .reduce((worst, count, at) => Math.max(worst, Math.abs((arrived[at] ?? 0) / count - 1)), 0);
}

/** Returns about a dozen elements of `all`, evenly spaced. */
const spread = <T>(all: readonly T[]): T[] =>
  all.filter((_, at) => at % Math.max(1, Math.ceil(all.length / 12)) === 0 || at === all.length - 1);
