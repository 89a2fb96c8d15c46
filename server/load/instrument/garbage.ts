/**
 * Sets flags of V8 so that garbage collections delay the load threads less. The flags apply to a whole process, so only processes that
 * belong to Dyno alone call this function, before they start threads. Kibana keeps its own flags.
 */
import { setFlagsFromString } from 'node:v8';

export function collectGarbageSeldom(): void {
  // Size of the young generation, in MB. By default, a thread starts with 1 MB, fills it several times a second, and grows to 16 MB anyway.
  setFlagsFromString('--min-semi-space-size=16');
  // Parallel collection waits for helper threads, which wait for a core if the machine is busy.
  setFlagsFromString('--no-parallel-scavenge');
  // A thread that allocates little would run a full collection every few seconds to return memory to the system. Each of them takes 5 to 15
  // ms, and at low rates would cause the slowest requests.
  setFlagsFromString('--no-memory-reducer');
}
