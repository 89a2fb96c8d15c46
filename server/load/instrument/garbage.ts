/**
 * Sets V8 to collect garbage less often, so that it delays load threads less. The flags hold for the whole process. So only Dyno's own
 * processes set them, before they start threads; in Kibana they stay as they are.
 */
import { setFlagsFromString } from 'node:v8';

export function collectGarbageSeldom(): void {
  // Size of the young generation, in MB. A thread would start with 1 MB, fill it several times a second, and grow to 16 MB anyway.
  setFlagsFromString('--min-semi-space-size=16');
  // Parallel collection waits for helper threads, which wait for a core if the machine is busy.
  setFlagsFromString('--no-parallel-scavenge');
  // V8 would run a full collection every few seconds in a thread that allocates little, to return memory. Each takes 5 to 15 ms, which
  // would be the slowest requests at low rates.
  setFlagsFromString('--no-memory-reducer');
}
