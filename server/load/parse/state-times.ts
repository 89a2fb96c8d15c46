/** Measures how long a parser is in each of its states during the measured phase. All times are in ms since the start of the load. */
import type { ParserTimes } from '../../../common/measurement/parse';
import type { Phases } from '../timing/phases';

export type ParserState = 'busy' | 'blocked' | 'hungry' | 'ended';

export class StateTimes {
  private state: ParserState = 'hungry';
  private since = -Infinity;
  private readonly sums: Record<ParserState, number> = { busy: 0, blocked: 0, hungry: 0, ended: 0 };
  private lines = 0;
  private slowest = 0;
  private cpuAtStart: number | null = null;
  private cpuAtEnd: number | null = null;

  constructor(
    private readonly phases: Phases,
    /** Returns the CPU time of this thread so far, in ms. Null if the system does not report it. */
    private readonly cpuMs: () => number | null,
  ) {}

  enter(state: ParserState, now: number): void {
    this.sums[this.state] += this.phases.measuredMs(Math.max(0, this.since), now);
    this.state = state;
    this.since = now;
    if (now >= this.phases.measureFrom) this.cpuAtStart ??= this.cpuMs();
    if (now >= this.phases.measureUntil) this.cpuAtEnd ??= this.cpuMs();
  }

  /** Notes that the parsing of a line ended at `now` and took `ms`. */
  lineDone(now: number, ms: number): void {
    if (!this.phases.isMeasured(now)) return;
    this.lines += 1;
    if (ms > this.slowest) this.slowest = ms;
  }

  /** Sets the end of the measured phase. Does nothing if the phase has ended already. */
  endMeasure(until: number): void {
    this.phases.endMeasure(until);
    if (this.cpuAtStart !== null) this.cpuAtEnd ??= this.cpuMs();
  }

  /**
   * Returns for how long the parser was busy, blocked, or had no lines in the measured phase, in ms. Must be called after the last line.
   */
  outcome(now: number): ParserTimes {
    this.enter('ended', now);
    this.endMeasure(now);
    const { busy, blocked, hungry } = this.sums;
    return {
      lines: this.lines,
      elapsedMs: busy + blocked + hungry,
      busyMs: busy,
      cpuMs: this.cpuAtStart === null || this.cpuAtEnd === null ? null : this.cpuAtEnd - this.cpuAtStart,
      blockedMs: blocked,
      hungryMs: hungry,
      slowestLineMs: this.slowest,
    };
  }
}
