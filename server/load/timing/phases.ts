/** The phases of a load: warm-up, measure, drain. All times are in ms since the start of the load. */
import type { Phase } from '../../../common/measurement/sample';

export class Phases {
  readonly measureFrom: number;
  private end: number;

  /** `measureMs`: length of the measured phase; if null, the phase lasts until {@link endMeasure} is called. */
  constructor(warmupMs: number, measureMs: number | null) {
    this.measureFrom = warmupMs;
    this.end = measureMs === null ? Infinity : warmupMs + measureMs;
  }

  get measureUntil(): number {
    return this.end;
  }

  /** Ends the measured phase at `time`, or at its planned end if that is earlier. */
  endMeasure(time: number): void {
    this.end = Math.min(this.end, time);
  }

  at(time: number): Phase {
    if (time >= this.end) return 'drain';
    return time < this.measureFrom ? 'warm-up' : 'measure';
  }

  /** Returns how many ms of the interval `[from, until)` are in the measured phase. */
  measuredMs(from: number, until: number): number {
    return Math.max(0, Math.min(until, this.end) - Math.max(from, this.measureFrom));
  }

  isMeasured(time: number): boolean {
    return time >= this.measureFrom && time < this.end;
  }
}
