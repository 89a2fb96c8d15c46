/** A made log at its recorded pace: how well the pace is held, what it takes, and whether every line is accounted for. */
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { decodeHistogram } from '../../common/measurement/histogram';
import { accountedFor } from '../../common/measurement/replay';
import type { Sample } from '../../common/measurement/sample';
import { REWRITE_NAMES } from '../../common/replay/constructs';
import { startLoad } from '../../server/load/pool';
import { makeLog, type MadeLog } from './made-log';
import type { Arrivals } from './sink';
import { figure, type Row } from './table';

/** Seconds behind the log's last line that the load may still take. */
const SLACK_MS = 20_000;

interface Size {
  lines: number;
  perSecond: number;
  workers: number;
}

const told = async <T>(sink: ChildProcess, ask?: string): Promise<T> =>
  new Promise((resolve) => {
    sink.once('message', (message) => {
      resolve(message as T);
    });
    if (ask !== undefined) sink.send(ask);
  });

export async function benchReplay(
  sink: ChildProcess,
  workerFile: string,
  { lines, perSecond, workers }: Size,
): Promise<{ figures: Row[]; memory: Row[]; account: Row }> {
  const port = await told<number>(sink);
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-bench-'));
  try {
    const file = path.join(folder, 'searches.log');
    const made = await makeLog(file, lines, perSecond);
    const recordedMs = made.times[made.times.length - 1]!;
    const samples: Sample[] = [];
    const memory: { second: number; rss: number }[] = [];
    const [task] = (
      await startLoad(
        {
          index: 'bench',
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
                file,
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
              executor: { kind: 'recorded', speed: 1, maxClients: 200 },
            },
          ],
          seed: 1,
          startAt: Date.now() + 1000,
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
            memory.push({ second: samples.length, rss: process.memoryUsage.rss() });
          },
        },
      ).done
    ).tasks;
    const arrivals = await told<Arrivals>(sink, 'arrivals');
    const lags = samples.map(({ generator }) => generator.scheduleLagMs).sort((a, b) => a - b);
    const ms = (encoded: string, percent: number): string =>
      figure(decodeHistogram(encoded).getValueAtPercentile(percent) / 1000);
    const { replay, service, latency, sent } = task!;
    return {
      figures: [
        {
          'log MB': figure(statSync(file).size / 1024 ** 2),
          'recorded s': figure(recordedMs / 1000),
          'arrived within s': figure(arrivals.spanMs / 1000),
          'off %': figure((arrivals.spanMs / recordedMs - 1) * 100),
          arrived: arrivals.count,
          'sent in the phase': sent ?? 0,
          'worst second off %': figure(worstSecond(made, arrivals) * 100),
          'lag p99 ms, median second': figure(lags[Math.floor(lags.length / 2)] ?? 0),
          'worst second ms': figure(lags[lags.length - 1] ?? 0),
          'service p50 ms': ms(service, 50),
          'latency p50 ms': ms(latency, 50),
          'latency p99 ms': ms(latency, 99),
          'CPU, cores': figure(
            samples.reduce((sum, { generator }) => sum + generator.cpuMs, 0) / samples.length / 1000,
          ),
          'load average': figure(loadavg()[0]!),
        },
      ],
      memory: spread(memory).map(({ second, rss }) => ({ second, 'RSS MB': figure(rss / 1024 ** 2) })),
      account: {
        lines: replay!.lines,
        made: made.lines,
        sent: replay!.sent,
        'other types': replay!.otherType,
        'made so': made.otherType,
        malformed: replay!.malformed,
        'made malformed': made.malformed,
        refused: replay!.refused,
        unsent: replay!.unsent,
        rewritten: replay!.rewritten,
        'made old': made.old,
        'out of order': replay!.outOfOrder,
        unaccounted: replay!.lines - accountedFor(replay!),
      },
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The full second whose arrivals differ most from what was recorded for it, as a share; it takes in single requests that cross a border. */
function worstSecond({ times }: MadeLog, { perSecond }: Arrivals): number {
  const recorded: number[] = [];
  for (const time of times) {
    const second = Math.floor(time / 1000);
    recorded[second] = (recorded[second] ?? 0) + 1;
  }
  // The last one is not full.
  return recorded
    .slice(0, -1)
    .reduce((worst, count, at) => Math.max(worst, Math.abs((perSecond[at] ?? 0) / count - 1)), 0);
}

/** A dozen of them, evenly. */
const spread = <T>(all: readonly T[]): T[] =>
  all.filter((_, at) => at % Math.max(1, Math.ceil(all.length / 12)) === 0 || at === all.length - 1);
