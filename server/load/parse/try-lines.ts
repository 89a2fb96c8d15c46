/**
 * Tries the patterns of a task on lines before a run. Catastrophic backtracking can block a thread for years. Therefore the patterns run in
 * a separate thread that is monitored, and not in the server's thread.
 */
import { Worker, type MessagePort } from 'node:worker_threads';
import { inputError } from '../../../common/problem';
import type { ParseJob } from '../../../common/tasks/parse';
import { Batch } from '../sources/batch';
import { LineParser } from './line-parser';

/** A line counts as stuck if the patterns have not finished with it after this many ms. */
const STUCK_MS = 10_000;
/** Time in ms for trying lines. Lines that are left after this time are not tried. */
const ENOUGH_MS = 5000;
const WATCH_MS = 250;
/** Number of characters that are shown of a line. */
const SHOWN = 200;

type Patterns = Pick<ParseJob, 'patterns' | 'definitions' | 'timestamp' | 'onFailure'>;

export interface LinesToTry {
  parse: Patterns;
  /** Lines to try, without blank lines. */
  lines: readonly Uint8Array[];
  /** Path of the key in the experiment's definition, such as `tasks.ingest.ingest.parse`. For errors. */
  path: string;
  /** File that contains the lines, for errors. */
  file: string;
  workerFile: string;
  stuckMs?: number;
}

export interface TriedLines {
  tried: number;
  unparsed: number;
  /** The reason why the first unparsed line failed, and the beginning of that line; '' if all lines were parsed. */
  example: string;
}

export interface ToTryingThread {
  kind: 'try';
  parse: Patterns;
  lines: readonly Uint8Array[];
  /** Array with one element, in which the thread writes the number of the line that it is trying, from 1. */
  progress: Int32Array;
}

const shown = (line: Uint8Array): string => Buffer.from(line).toString('utf8', 0, SHOWN);

/**
 * Tries the patterns on the lines in a separate thread. Rejects with the DynoError `parse.stuck`, which shows the line, if a line takes too
 * long.
 */
export async function tryLines({
  parse,
  lines,
  path,
  file,
  workerFile,
  stuckMs = STUCK_MS,
}: LinesToTry): Promise<TriedLines> {
  const progress = new Int32Array(new SharedArrayBuffer(4));
  const worker = new Worker(workerFile, { name: 'dyno-try-lines' });
  let watch: NodeJS.Timeout | undefined;
  try {
    return await new Promise<TriedLines>((resolve, reject) => {
      worker.on('message', resolve);
      worker.on('error', reject);
      worker.on('exit', (code) => {
        reject(new Error(`the thread that tries lines ended before its work, code ${code}`));
      });
      worker.postMessage({ kind: 'try', parse, lines, progress } satisfies ToTryingThread);
      // The time is counted in ticks of a timer of this thread. If the whole machine is slow, this thread is delayed too, and the line is
      // not blamed.
      let seen = 0;
      let turns = 0;
      watch = setInterval(() => {
        const line = Atomics.load(progress, 0);
        turns = line === seen ? turns + 1 : 0;
        seen = line;
        if (line === 0 || turns * WATCH_MS < stuckMs) return;
        reject(
          inputError(
            'parse.stuck',
            `${path}.pattern`,
            `the pattern has been at line ${line} of ${file} (blank ones not counted) for ${stuckMs / 1000} s: the pattern has too many ways to match it`,
            {
              found: shown(lines[line - 1]!),
              allowed:
                'a pattern without repetitions that hold repetitions of the same text, as (\\w+\\s?)* does',
            },
          ),
        );
      }, WATCH_MS);
    });
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

/** Tries the lines. Runs in the separate thread. */
export function tryInThread({ parse, lines, progress }: ToTryingThread, port: MessagePort): void {
  const parser = new LineParser(parse, '');
  parser.setTime(Date.now());
  const out = new Batch();
  const result: TriedLines = { tried: 0, unparsed: 0, example: '' };
  const begun = performance.now();
  for (const line of lines) {
    if (performance.now() - begun > ENOUGH_MS) break;
    result.tried += 1;
    Atomics.store(progress, 0, result.tried);
    out.clear();
    const why = parser.append(Buffer.from(line), 0, line.length, out);
    if (why === '') continue;
    if (result.unparsed === 0) result.example = `${why}: ${shown(line)}`;
    result.unparsed += 1;
  }
  port.postMessage(result);
}
