/** Tests the replay of a simulated log against a process that counts the arriving requests. */
import { fork, type ChildProcess } from 'node:child_process';
import { availableParallelism, loadavg } from 'node:os';
import path from 'node:path';
import { build } from 'esbuild';
import { accountedFor } from '../../common/measurement/replay';
import { replayMade } from '../bench/replay';

const ROOT = path.resolve(__dirname, '../..');
const BUILT = path.join(ROOT, 'build/load-test');

/** Load average above which the test assumes that other processes use this machine. */
const BUSY = availableParallelism() + 2;

test('a log of 50,000 lines keeps its recorded pace in constant memory, and every line is accounted for', async () => {
  await build({
    entryPoints: [path.join(ROOT, 'test/bench/sink.ts')],
    outfile: path.join(BUILT, 'sink.js'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'warning',
  });
  const sink: ChildProcess = fork(path.join(BUILT, 'sink.js'));
  try {
    const { made, recordedMs, task, arrivals, rss, samples } = await replayMade(
      sink,
      path.join(ROOT, 'build/worker.js'),
      { lines: 50_000, perSecond: 2500, speed: 2, workers: 1 },
    );
    const replay = task.replay!;
    const megabytes = rss.map((bytes) => Math.round(bytes / 1024 ** 2));
    const lags = samples.map(({ generator }) => Math.round(generator.scheduleLagMs));
    process.stdout.write(
      `recorded ${(recordedMs / 1000).toFixed(2)} s, arrived within ${(arrivals.spanMs / 1000).toFixed(2)} s; ` +
        `RSS by second ${megabytes.join(' ')} MB; lag p99 by second ${lags.join(' ')} ms; load average ${loadavg()[0]!.toFixed(1)}\n`,
    );
    expect(replay).toMatchObject({
      lines: made.lines,
      malformed: made.malformed,
      otherType: made.otherType,
      rewritten: made.old,
      refused: 0,
      unsent: 0,
    });
    expect(accountedFor(replay)).toBe(replay.lines);
    expect(arrivals.count).toBe(made.times.length);
    expect([replay.sent, task.total.attempted, task.total.accepted]).toEqual(
      Array.from({ length: 3 }, () => arrivals.count),
    );
    // A busy machine need not keep the pace, but then the load generator must have reported its lag. The load average covers the
    // last minutes, so the machine may be idle by now and the pace may be kept.
    const inTime = Math.abs(arrivals.spanMs / recordedMs - 1) < 0.01;
    const reportsLag = Math.max(...lags) > 20;
    const isExcused = loadavg()[0]! >= BUSY && reportsLag;
    expect({ inTime, reportsLag, isKeptOrReported: inTime || isExcused }).toMatchObject({
      isKeptOrReported: true,
    });
    // Memory for compiled code and the buffers of 200 connections grows in the first seconds. Most of the log, 11 MB, is read later.
    expect(Math.max(...megabytes.slice(10)) - Math.max(...megabytes.slice(0, 10))).toBeLessThan(40);
  } finally {
    sink.disconnect();
  }
});
