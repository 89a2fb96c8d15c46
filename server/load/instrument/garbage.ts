/**
 * Garbage collection that keeps load threads up less. Set for a whole process, so only by one that is Dyno's own, before it
 * starts threads: Kibana's settings are Kibana's.
 */
import { setFlagsFromString } from 'node:v8';

export function collectGarbageSeldom(): void {
  // A thread begins with 1 MB for what is new and fills it several times a second. MB; 16 is what it grows to anyway.
  setFlagsFromString('--min-semi-space-size=16');
  // It waits for helper threads, which wait for a core where the machine is busy, with the target or anything else.
  setFlagsFromString('--no-parallel-scavenge');
  // What allocates little is collected wholly every few seconds to give memory back: 5 to 15 ms each, at low rates the worst of a tail.
  setFlagsFromString('--no-memory-reducer');
}
