/**
 * Sets the time of each generated document. The time is either the current time, or is derived from the profile. In the second case, the
 * gaps between the times of documents are distributed as in the user's documents.
 */
import type { Random } from '../../random';
import { Choice } from './choice';
import { bucketFrom, shareOf } from './levels';
import { CLOCK_STEPS, type Profile } from './profile';
import { TIME_FORMS } from './times';

/**
 * Size of the table with the times of earlier documents. The size is fixed, so that the memory does not grow with the number of documents.
 * A new time may overwrite an old one.
 */
const KNOWN_TIMES = 2 ** 14;
/**
 * Number of latest documents whose times are remembered. If too many different times have occurred, compared with the profile, the next
 * document gets one of these times again.
 */
const RECENT = 32;
/**
 * Maximum number of steps that a time is moved back, in order to find a time that no earlier document had. A step is the precision of the
 * times in the documents, such as one second.
 */
const SEARCHED_STEPS = 64;
/**
 * Tolerated difference between the number of different times so far and the number expected from the profile. If the difference is larger,
 * the time of the next document is corrected.
 */
const SLACK = 4;
/** The last millisecond of the year 9999, in ms since the epoch. No document gets a later time. */
const LATEST = 253_402_300_799_999;

/** Formats a time. `form`: index of the format in {@link TIME_FORMS}. `ms`: time in ms since the epoch. */
export const timeText = (form: number, ms: number): string =>
  TIME_FORMS[form]!.text(Math.min(LATEST, Math.max(0, Math.floor(ms))));

export class Clock {
  /** Time of the current document, in ms since the epoch. */
  ms: number;
  private newest: number;
  private readonly step: number;
  private readonly gaps: Choice<number>;
  /** Expected share of documents whose time no earlier document had. Undefined if the profile does not contain this share. */
  private readonly newShare: number | undefined;
  private readonly known = new Float64Array(KNOWN_TIMES).fill(-1);
  private readonly recent: number[] = [];
  private documents = 0;
  private newTimes = 0;
  private texts: string[] = [];

  /** `from`: time of the first document, in ms since the epoch. */
  constructor(
    { clock, times, step }: Pick<Profile, 'clock' | 'times' | 'step'>,
    private readonly random: Random,
    from: number,
  ) {
    this.ms = from;
    this.newest = from;
    this.step = CLOCK_STEPS[step]!;
    this.gaps = new Choice(clock, 0);
    this.newShare = times === undefined ? undefined : shareOf(times);
  }

  /** Returns the time of the current document as text. `form`: index of the format in {@link TIME_FORMS}. */
  text(form: number): string {
    return (this.texts[form] ??= timeText(form, this.ms));
  }

  set(now: number): void {
    const ms = Math.floor(now / this.step) * this.step;
    if (ms !== this.ms) this.texts = [];
    this.ms = ms;
  }

  /** Advances to the time of the next document. */
  advance(): void {
    this.documents += 1;
    let ms = this.next();
    if (this.newShare !== undefined) {
      // Documents in bursts share times more often than random gaps would cause. The number of new times is therefore corrected.
      const due = this.newShare * this.documents;
      if (!this.isKnown(ms) && this.newTimes > due + SLACK)
        ms = this.recent[this.random.below(this.recent.length)]!;
      else if (this.isKnown(ms) && this.newTimes < due - SLACK) ms = this.unusedBefore(ms);
      if (!this.isKnown(ms)) {
        this.newTimes += 1;
        this.known[this.slotOf(ms)] = ms;
      }
      this.recent[(this.documents - 1) % RECENT] = ms;
    }
    this.set(ms);
  }

  private next(): number {
    const gap = this.gaps.draw(this.random);
    const least = bucketFrom(Math.abs(gap));
    const away = gap === 0 ? 0 : least + (bucketFrom(Math.abs(gap) + 1) - least) * this.random.unit();
    if (gap > 0) this.newest = Math.min(LATEST, this.newest + away);
    const ms = gap < 0 ? this.newest - away : this.newest;
    return Math.max(0, Math.floor(ms / this.step) * this.step);
  }

  /**
   * Returns the nearest time before `ms` that no earlier document had. Returns `ms` if all times within {@link SEARCHED_STEPS} steps are
   * used.
   */
  private unusedBefore(ms: number): number {
    for (let steps = 1; steps <= SEARCHED_STEPS; steps += 1) {
      const other = ms - steps * this.step;
      if (other >= 0 && !this.isKnown(other)) return other;
    }
    return ms;
  }

  private slotOf(ms: number): number {
    return Math.floor(ms / this.step) % KNOWN_TIMES;
  }

  private isKnown(ms: number): boolean {
    return this.known[this.slotOf(ms)] === ms;
  }
}
