/**
 * Frees unused buffers early. V8 does not count the memory of buffers as part of its heap. Therefore, 64 MB and more of unused buffers
 * would accumulate before V8 frees them.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' | 'major' }) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * Returns a function that the caller calls with the size of each buffer that is no longer needed. The function collects garbage whenever
 * these sizes add up to `everyBytes`. `minor`: collects only young objects, in less than a millisecond. `major`: collects all garbage, in
 * several milliseconds.
 */
export function garbageCollector(type: 'minor' | 'major', everyBytes: number): (bytes: number) => void {
  const collect = collector();
  let sum = 0;
  return (bytes) => {
    sum += bytes;
    if (sum < everyBytes) return;
    sum = 0;
    collect({ type });
  };
}

/**
 * Frees the memory that was needed while the process started, and lets the heap grow only slowly afterwards. By default, the young
 * generation would grow to 48 MB under load, and the old generation to four times the size of its live objects. Only `dyno record` calls
 * this function, because it affects the whole process.
 */
export function keepHeapSmall(): void {
  collector()({ type: 'major' });
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
