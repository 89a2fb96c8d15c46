/**
 * Sees the wall clock jump. All durations are measured by the monotonic clock; what is dated is dated by the wall clock,
 * and whoever reads the dates must know that it was set meanwhile, or that the machine slept.
 */
import { formatDuration } from '../../../common/units/format';

/** Less is what clocks are adjusted by all the time, and what a busy machine takes between two lines of code; ms. */
const JUMP_MS = 1000;

export interface Clocks {
  /** ms since the epoch. */
  wall: () => number;
  /** ms, of a clock that never jumps. */
  monotonic: () => number;
}

export class WallClockWatch {
  private offset: number;

  constructor(
    private readonly clocks: Clocks = { wall: () => Date.now(), monotonic: () => performance.now() },
  ) {
    this.offset = this.read();
  }

  /** `the wall clock jumped ahead by 1h`: since the last look; '' where it did not. */
  look(): string {
    const jump = this.jump();
    // Between the two readings this process may have had to wait: a jump is there at the second look too.
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
