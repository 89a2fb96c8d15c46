/**
 * Detects jumps of the wall clock. Durations are measured with the monotonic clock, but times of day come from the wall clock. Anybody who
 * reads these times must know if the clock was set or if the machine was suspended.
 */
import { formatDuration } from '../../../common/units/format';

/**
 * Smallest jump of the wall clock that is reported, in ms. Routine adjustments of the clock are smaller, and so are pauses between two
 * lines of code on a busy machine.
 */
const JUMP_MS = 1000;

export interface Clocks {
  /** Returns the time of day, in ms since the epoch. */
  wall: () => number;
  /** Returns the time of a clock that never jumps, in ms. */
  monotonic: () => number;
}

export class WallClockWatch {
  private offset: number;

  constructor(
    private readonly clocks: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() },
  ) {
    this.offset = this.read();
  }

  /** Returns a sentence if the clock has jumped since the last check (`the wall clock jumped ahead by 1h`); otherwise ''. */
  look(): string {
    const jump = this.jump();
    // This process may have been paused between reading the two clocks. Only a real jump is present in the second comparison too.
    if (Math.abs(jump) < JUMP_MS || Math.abs(this.jump() - jump) >= JUMP_MS) return '';
    this.offset += jump;
    return `the wall clock jumped ${jump > 0 ? 'ahead' : 'back'} by ${formatDuration(Math.abs(jump))}`;
  }

  private jump(): number {
    return this.read() - this.offset;
  }

  private read(): number {
    return this.clocks.wall() - this.clocks.monotonic();
  }
}
