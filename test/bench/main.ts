/**
 * Runs a benchmark. `npm run bench` measures the capacity and accuracy of the load generator on this machine. It compares them with wrk and
 * k6 if they are installed. `npm run bench -- NAME` runs one of these benchmarks instead:
 * - `peers [ROUNDS]`: only the comparison with wrk and k6, with at least two rounds.
 * - `--compare REV [--pairs N] [--only FIGURES] [--seconds S]`: the load generator against that of another commit, in turn.
 * - `replay [LINES] [PER_SECOND] [WORKERS]`: replay of a generated log, by default a million searches at 5,000 per second.
 * - `replay-day [SECONDS] [PER_SECOND] [SPEEDS]`: traffic of a simulated shop, recorded on a real Elasticsearch and replayed at each speed
 *   (1,4).
 * - `truth [SECONDS] [BEHAVIOURS]`: Dyno's latencies of targets with known behaviour, against the targets' own logs.
 * - `steady`: accuracy of the test for a steady state, on simulated series.
 * - `highest-rate [SEARCHES]`: searches for the highest rate of simulated targets with a known capacity.
 * - `command [RUNS] [ROUNDS]`: overhead of the command compared with Node.js alone, and of a run compared with sending only.
 * - `event-loop`: how long a run blocks Kibana's event loop.
 * - `until-decided`: accuracy and number of trials of `trials: until-decided`.
 * - `known-difference [SAME] [SLOWED]`: real runs with equal variants, and runs with one slowed variant.
 * - `planted-cause [RUNS]`: real runs with a slow analyzer or a slow script: whether the profile names it, and nothing in equal cells.
 * - `engines-alike [RUNS]`: real runs that compare OpenSearch with itself, on clusters that Dyno starts.
 * - `seats`: several machines that generate one load, and the cost for the run's main process.
 * - `seats-alike [TRIALS]`: two load threads in one process against one load thread in each of two processes.
 * - `requests [PAIRS] [MINUTES]`: requests with random values against constant ones, and the memory over MINUTES.
 * - `rally FOLDER [TRACKS]`: the result of `dyno import rally` against Rally itself; needs esrally (DYNO_RALLY_PYTHON).
 * - `osb FOLDER [WORKLOADS]`: the same with OpenSearch Benchmark; needs opensearch-benchmark (DYNO_OSB_PYTHON).
 * - `record [ROUNDS]`: cost of `dyno record` compared with a plain TCP relay, and its memory.
 * - `recall`: reported recall against that of numpy; needs an interpreter with numpy (DYNO_PYTHON).
 * - `scaling`: accuracy of the intervals of fitted scaling curves, on simulated measurements.
 * - `advice [TUNINGS]`: how often an automatic tuning recommends a useless setting, and how often it finds a useful one.
 * - `collector-io [SECONDS] [DISK]`: the collector's disk and network metrics against the kernel's counters.
 * - `change-points`: false alarms and missed changes in simulated histories, also of Otava (DYNO_PYTHON, DYNO_OTAVA).
 * - `history [RUNS] [REQUESTS]`: cost of a history of 2,000 runs over HTTP on a real Elasticsearch, and the server's memory.
 * - `watch`: real experiments of 40 runs that a setting or the network slows by 15%, and the answers of `dyno watch`.
 * - `server [APP ...]`: how long pages of a run with 100 trials and 60,000 samples block the server's event loop. With folders of built
 *   apps (build/app), baseline first, also the time of its result page in Chromium.
 * - `profiles`: how often the comparison of call trees decides a frame by mistake, and how often it finds a planted frame.
 * - `statistics`: how often the analysis reports a difference that does not exist, and how often it finds a real one.
 */
import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { collectGarbageSeldom } from '../../server/load/instrument/garbage';
import { benchAdvice } from './advice';
import { benchCollectorIo } from './collector-io';
import { benchCommand } from './command';
import { benchCompare, compareOptions } from './compare';
import { benchEnginesAlike } from './engines-alike';
import { benchEventLoop } from './event-loop';
import { benchGenerator } from './generator';
import { benchHighestRate } from './highest-rate';
import { benchHistory } from './history';
import { benchKnownDifference } from './known-difference';
import { benchHistoryWatch } from './watch';
import { benchHistories } from './change-points';
import { benchPacing } from './pacing';
import { benchPeers } from './peers';
import { benchPlantedCause } from './planted-cause';
import { benchProfiles } from './profiles';
import { benchRecall } from './recall';
import { benchRecord } from './record';
import { benchRendering } from './rendering';
import { benchImport } from './rally';
import { benchReplay } from './replay';
import { benchReplayDay } from './replay-day';
import { benchRequests } from './requests';
import { benchScaling } from './scaling';
import { benchSeats } from './seats';
import { benchSeatsAlike } from './seats-alike';
import { benchServer } from './server';
import { benchStatistics } from './statistics';
import { benchSteady } from './steady';
import { print } from './table';
import { benchTruth } from './truth';
import { benchUntilDecided } from './until-decided';

/** Path of the built code of the load threads. scripts/bench.mjs builds it into the same folder as this bundle. */
const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const TARGET = fileURLToPath(new URL('./certify-target.js', import.meta.url));
const SINK = fileURLToPath(new URL('./bench-sink.js', import.meta.url));

const COMMAND = fileURLToPath(new URL('./dyno.js', import.meta.url));
const RELAY = fileURLToPath(new URL('./bench-relay.js', import.meta.url));

const ANALYSIS = fileURLToPath(new URL('./analysis.js', import.meta.url));

const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;

// The command `dyno` also delays garbage collection.
collectGarbageSeldom();

/**
 * Starts a server in a separate process. The server accepts and discards every request. Its process does not get the command-line flags of
 * this process, which would affect the comparison.
 */
const startSink = (): ChildProcess => fork(SINK, { execArgv: [] });

async function bench(whole = true, rounds?: number): Promise<void> {
  const sink = startSink();
  const port = await new Promise<number>((resolve) => {
    sink.once('message', (message) => {
      resolve(Number(message));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    print('Compared with others on this machine, in turn, with 95% intervals', await benchPeers(url, rounds));
    if (!whole) return;
    print('Bulks of 1000 systembase documents against a sink, 2 clients', await benchGenerator(url, WORKER));
    print('constant-rate, 2000 searches/s for 20 s against a sink', await benchPacing(url, WORKER));
    print('Rendering alone, one core', benchRendering());
  } finally {
    sink.disconnect();
  }
}

async function replay(lines = 1_000_000, perSecond = 5000, workers = 1): Promise<void> {
  const sink = startSink();
  try {
    const { figures, memory, account } = await benchReplay(sink, WORKER, {
      lines,
      perSecond,
      speed: 1,
      workers,
    });
    print(`A log of ${lines} lines at ${perSecond} a second against a sink`, figures);
    print('Lines by their outcome', [account]);
    print('Memory of the process, all threads', memory);
  } finally {
    sink.disconnect();
  }
}

async function requests(pairs?: number, minutes?: number): Promise<void> {
  const sink = startSink();
  try {
    const tables = await benchRequests(sink, WORKER, { pairs, minutes });
    for (const { title, rows } of tables) print(title, rows);
  } finally {
    sink.disconnect();
  }
}

async function compare(): Promise<void> {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: process.argv.slice(2),
    options: { compare: text, pairs: text, only: text, seconds: text },
  });
  const options = compareOptions(values);
  const sink = startSink();
  try {
    const { title, rows, failures } = await benchCompare(values.compare!, sink, options);
    judged({ tables: [{ title, rows }], failures });
  } finally {
    sink.disconnect();
  }
}

function judged({ tables, failures }: ReturnType<typeof benchStatistics>): void {
  for (const { title, rows } of tables) print(title, rows);
  process.stdout.write(
    failures.length === 0
      ? '\nAll criteria are met.\n'
      : `\nCriteria that are not met:\n${failures.join('\n')}\n`,
  );
  if (failures.length > 0) process.exitCode = 1;
}

if (process.argv[2]?.startsWith('--compare')) await compare();
else if (process.argv[2] === 'replay') await replay(...process.argv.slice(3).map(Number));
else if (process.argv[2] === 'requests') await requests(...process.argv.slice(3).map(Number));
else if (process.argv[2] === 'truth') {
  const [seconds, only] = process.argv.slice(3);
  await benchTruth(
    { workerFile: WORKER, targetFile: TARGET },
    { seconds: seconds === undefined ? undefined : Number(seconds), only },
  );
} else if (process.argv[2] === 'rally' || process.argv[2] === 'osb') {
  const [name, root, ...only] = process.argv.slice(2);
  for (const { title, rows } of await benchImport(name as 'rally' | 'osb', root, only)) print(title, rows);
} else if (process.argv[2] === 'statistics') judged(benchStatistics());
else if (process.argv[2] === 'profiles') judged(benchProfiles());
else if (process.argv[2] === 'change-points') judged(benchHistories());
else if (process.argv[2] === 'history') {
  const [runs, requests] = process.argv.slice(3).map(Number);
  judged(await benchHistory(ANALYSIS, { runs, requests }));
} else if (process.argv[2] === 'server') {
  judged(await benchServer(ANALYSIS, process.argv.slice(3)));
} else if (process.argv[2] === 'watch') judged(await benchHistoryWatch());
else if (process.argv[2] === 'scaling') judged(benchScaling());
else if (process.argv[2] === 'seats') judged(await benchSeats(process.argv[3]));
else if (process.argv[2] === 'seats-alike') {
  const trials = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
  judged(await benchSeatsAlike(TARGET, trials));
} else if (process.argv[2] === 'until-decided') judged(benchUntilDecided());
else if (process.argv[2] === 'known-difference')
  judged(await benchKnownDifference(Number(process.argv[3] ?? 30), Number(process.argv[4] ?? 10)));
else if (process.argv[2] === 'replay-day') {
  const [seconds = '1200', perSecond = '50', speeds = '1,4'] = process.argv.slice(3);
  judged(await benchReplayDay(Number(seconds), Number(perSecond), speeds.split(',').map(Number)));
} else if (process.argv[2] === 'engines-alike')
  judged(await benchEnginesAlike(Number(process.argv[3] ?? 20)));
else if (process.argv[2] === 'planted-cause') judged(await benchPlantedCause(Number(process.argv[3] ?? 10)));
else if (process.argv[2] === 'advice')
  judged(benchAdvice(process.argv[3] === undefined ? undefined : Number(process.argv[3])));
else if (process.argv[2] === 'collector-io') {
  const [seconds = '60', disk = 'vda'] = process.argv.slice(3);
  print(
    "Compared with the kernel's counters",
    await benchCollectorIo(
      fileURLToPath(new URL(`./dynobeat-linux-${ARCHITECTURE}`, import.meta.url)),
      disk,
      Number(seconds),
    ),
  );
} else if (process.argv[2] === 'command') {
  for await (const { title, rows } of benchCommand(...process.argv.slice(3).map(Number))) print(title, rows);
} else if (process.argv[2] === 'recall') judged(await benchRecall());
else if (process.argv[2] === 'record')
  judged(
    await benchRecord(COMMAND, RELAY, process.argv[3] === undefined ? undefined : Number(process.argv[3])),
  );
else if (process.argv[2] === 'steady')
  print('Flagged, of 400 series each, by the length of the measured phase', benchSteady());
else if (process.argv[2] === 'highest-rate')
  print('Searches for the highest rate, simulated', benchHighestRate(Number(process.argv[3] ?? 200)));
else if (process.argv[2] === 'event-loop')
  print('The event loop of the host during a run on a real Elasticsearch', await benchEventLoop(WORKER));
else if (process.argv[2] === 'peers')
  await bench(false, process.argv[3] === undefined ? undefined : Number(process.argv[3]));
else await bench();
