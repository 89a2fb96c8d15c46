/**
 * Frees buffers early. V8 does not count the memory of buffers as part of its heap, so it lets 64 MB and more of them pile up before it
 * collects them.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

type Collect = (options: { type: 'minor' | 'major' }) => void;

function collector(): Collect {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as Collect;
}

/**
 * Returns a function that is called with the size of each buffer that is not needed any more, and collects garbage each time that these
 * sizes add up to `everyBytes`. `minor`: only young objects, in less than a millisecond. `major`: everything, in several milliseconds.
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
 * Frees what the start of the process needed, and lets the heap grow only a little from then on. By default, the young generation would
 * grow to 48 MB under load, and the old one to four times of what is in use. This affects the whole process, so only the command does it.
 */
export function keepHeapSmall(): void {
  collector()({ type: 'major' });
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=30');
}
