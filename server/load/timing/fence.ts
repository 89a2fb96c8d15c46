/**
 * Until when a seat may load: a moment that its threads look at before each request, so that a machine that was suspended, or cut
 * off, starts none when it wakes up. By the monotonic clock, which goes on while a process is stopped.
 */
import { tick } from './clock';

/** Shared by the threads of a process: one double, ms of {@link tick}. */
export type FenceMemory = SharedArrayBuffer;

export interface Fence {
  readonly memory: FenceMemory;
  /** From then on nothing is sent; ms of {@link tick}. */
  until(at: number): void;
  isPassed(): boolean;
}

/** One that is passed until a moment is given. */
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
