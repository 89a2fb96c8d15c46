/**
 * `npm run bench`: what the load generator can do on this machine, beside what others need for the same.
 * `npm run bench -- replay [LINES] [PER_SECOND] [WORKERS]`: a made log, by default of a million searches at 5,000 a second.
 * `npm run bench -- steady`: how often the test for a steady state is right, on made series.
 * `npm run bench -- highest-rate [SEARCHES]`: searches against simulated targets of known capacity.
 * `npm run bench -- event-loop`: what a run costs the event loop of the host that carries it.
 */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { benchEventLoop } from './event-loop';
import { benchGenerator } from './generator';
import { benchHighestRate } from './highest-rate';
import { benchPacing } from './pacing';
import { benchRendering } from './rendering';
import { benchReplay } from './replay';
import { runSink } from './sink';
import { benchSteady } from './steady';
import { print } from './table';

/** Beside this bundle: see scripts/bench.mjs. */
const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));

async function bench(): Promise<void> {
  const sink = fork(fileURLToPath(import.meta.url), ['sink']);
  const port = await new Promise<number>((resolve) => {
    sink.once('message', (message) => {
      resolve(Number(message));
    });
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    print('Bulks of 1000 systembase documents against a sink, 2 clients', await benchGenerator(url, WORKER));
    print('constant-rate, 2000 searches/s for 20 s against a sink', await benchPacing(url, WORKER));
    print('Rendering alone, one core', benchRendering());
  } finally {
    sink.disconnect();
  }
}

async function replay(lines = 1_000_000, perSecond = 5000, workers = 1): Promise<void> {
  const sink = fork(fileURLToPath(import.meta.url), ['sink']);
  try {
    const { figures, memory, account } = await benchReplay(sink, WORKER, {
      lines,
      perSecond,
      speed: 1,
      workers,
    });
    print(`A log of ${lines} lines at ${perSecond} a second against a sink`, figures);
    print('What became of the lines', [account]);
    print('Memory of the process, all threads', memory);
  } finally {
    sink.disconnect();
  }
}

if (process.argv[2] === 'sink') runSink();
else if (process.argv[2] === 'replay') await replay(...process.argv.slice(3).map(Number));
else if (process.argv[2] === 'steady')
  print('Doubted, of 400 series each, by the length of the measured phase', benchSteady());
else if (process.argv[2] === 'highest-rate')
  print('Searches for the highest rate, simulated', benchHighestRate(Number(process.argv[3] ?? 200)));
else if (process.argv[2] === 'event-loop')
  print('The event loop of the host, beside a run on a real Elasticsearch', await benchEventLoop(WORKER));
else await bench();
