/**
 * Makes V8 collect garbage less often, so that collections delay load threads less. The flags apply to the whole process. Therefore only
 * Dyno's own processes set them, before they start threads. In Kibana they are not changed.
 */
import { setFlagsFromString } from 'node:v8';

export function collectGarbageSeldom(): void {
  // Size of the young generation, in MB. By default, a thread starts with 1 MB, fills it several times a second, and grows to 16 MB anyway.
  setFlagsFromString('--min-semi-space-size=16');
  // Parallel collection waits for helper threads, which wait for a core if the machine is busy.
  setFlagsFromString('--no-parallel-scavenge');
  // In a thread that allocates little, V8 would run a full collection every few seconds to return memory. Each takes 5 to 15 ms. At low
  // rates, these would be the slowest requests.
  setFlagsFromString('--no-memory-reducer');
}
