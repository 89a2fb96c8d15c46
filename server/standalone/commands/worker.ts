/**
 * `dyno worker`: lets this machine generate load for runs that another machine executes. Used for runs whose load needs several machines.
 */
import os from 'node:os';
import { thisProcess } from '../../process-life';
import { work } from '../../seats/worker';
import { openWorkerPlaces, type PlaceOptions } from '../host';
import { ONCE_MORE, onSignal } from '../terminal/signals';
import type { CommandContext } from './run';

export interface WorkerCommandOptions extends PlaceOptions {
  /** URLs of the results cluster. It stores the runs for which this worker generates load. */
  join?: string;
  run?: string;
  once?: boolean;
  /** Labels of this machine, as `name=value`. */
  label: string[];
}

/**
 * Executes `dyno worker` until it is interrupted. With `once`, the command ends after the first run for which this worker has generated
 * load.
 */
export async function workerCommand(
  { join, run, once, label, ...options }: WorkerCommandOptions,
  { console, version, workerFile }: CommandContext,
): Promise<number> {
  const places = await openWorkerPlaces({ ...options, results: join ?? options.results });
  const ending = new AbortController();
  const release = onSignal(
    (signal) => {
      console.say(`${signal}: giving the seat back${ONCE_MORE[signal]}`);
      ending.abort(new Error(`its worker was ended by ${signal}`));
    },
    () => process.exit(3),
  );
  try {
    console.say(`worker ${process.pid} on ${os.hostname()} waits for runs; Ctrl-C ends it`);
    await work(
      {
        results: places.results,
        process: thisProcess(),
        machine: os.hostname(),
        cores: os.availableParallelism(),
        version,
        labels: Object.fromEntries(label.map((text) => text.split('=', 2) as [string, string])),
        credentials: (nodes) => places.credentials(nodes),
        workerFile,
        folder: process.cwd(),
        onNote: console.say,
      },
      { run, once },
      ending.signal,
    );
    return 0;
  } finally {
    release();
    await places.results.close();
  }
}
