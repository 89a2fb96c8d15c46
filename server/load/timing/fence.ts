/**
 * Time limit for sending requests, for a process that generates load for a run on another machine. Its threads check the limit (the
 * *fence*) before each request. A machine that was suspended or cut off therefore sends nothing when it continues. The fence uses the
 * monotonic clock, which continues while a process is stopped.
 */
import { tick } from './clock';

/** Memory that the threads of a process share. It holds one double: a time in ms of {@link tick}. */
export type FenceMemory = SharedArrayBuffer;

export interface Fence {
  readonly memory: FenceMemory;
  /** Sets the time from which threads send nothing any more, in ms of {@link tick}. */
  until(at: number): void;
  isPassed(): boolean;
}

/** Returns a time limit for sending requests. It blocks all requests until {@link Fence.until} is called. */
export function createFence(memory: FenceMemory = new SharedArrayBuffer(8)): Fence {
  const end = new Float64Array(memory);
  return {
    memory,
    until: (at) => {
      end[0] = at;
    },
    isPassed: () => tick() >= end[0]!,
  };
}
