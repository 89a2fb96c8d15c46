/**
 * Which rate a search tries next, and what it has found: a state machine that knows neither time nor target. It grows
 * from the start until a rate is not held, goes down first where the start was too high, bisects between the highest rate
 * held and the lowest not held, and holds what it found. A step that was not held is tried once more, for once may be
 * chance; a hold that was not held is followed by one at a lower rate.
 */
import type { RateAnswer, RateEnd, RatePhase, RateProgress } from '../../../common/measurement/highest-rate';

export interface ControllerSetting {
  start: number;
  /** Factor between growing steps. */
  grow: number;
  /** Relative width of the bracket at which bisection ends. */
  precision: number;
  /** No rate above it; null without one. */
  max: number | null;
  /** How long a step at `perSecond` takes until the next may begin at the latest, ms. */
  stepMs: (perSecond: number) => number;
  holdMs: (perSecond: number) => number;
}

export interface PlannedStep {
  number: number;
  phase: RatePhase;
  perSecond: number;
  repeats: boolean;
}

export type Found = Pick<RateAnswer, 'held' | 'confirmed' | 'broken' | 'end'>;

/** Steps down from a start that was too high; each goes twice as far as the one before, as a power of `grow`. */
const MOST_DESCENTS = 4;
/** Holds that are tried; each goes twice as far below the last as the one before, as a multiple of `precision`. */
const MOST_HOLDS = 5;

export class RateController {
  /** Rates that steps held. */
  private readonly kept: number[] = [];
  private broken: number | null = null;
  /** The rate that a hold confirmed; steps may have held higher ones for a while. */
  private confirmed: number | null = null;
  private end: RateEnd | null = null;
  private last: PlannedStep | null = null;
  private again = false;
  private descents = 0;
  /** Rates are tried no more but held: what was found, or what time there was for. */
  private holding: { perSecond: number; failed: number } | null = null;
  /** Why the holding began before the bracket was narrow; null where it was. */
  private early: 'max' | 'time' | null = null;

  constructor(private readonly setting: ControllerSetting) {}

  /** The step to try now, with `leftMs` until the load ends; null when the search is over: see {@link found}. */
  next(leftMs: number): PlannedStep | null {
    if (this.end !== null) return null;
    const step = this.holding === null ? this.trying(leftMs) : this.hold(leftMs);
    this.last = step ?? this.last;
    return step;
  }

  /** How the last step went. */
  judged(held: boolean): void {
    const { last } = this;
    if (last === null || this.end !== null) return;
    if (last.phase === 'hold') this.judgedHold(last.perSecond, held);
    else if (held) {
      this.again = false;
      this.kept.push(last.perSecond);
    } else if (last.repeats) this.giveUp(last.perSecond);
    else this.again = true;
  }

  /** The load ended: what is known so far is the answer. */
  stop(): void {
    this.end ??= 'load-ended';
  }

  found(): Found {
    const { held, confirmed, broken } = this;
    return { held: confirmed ?? held, confirmed: confirmed !== null, broken, end: this.end ?? 'load-ended' };
  }

  progress(): RateProgress | null {
    if (this.last === null) return null;
    const { number: step, phase, perSecond, repeats } = this.last;
    return { step, phase, perSecond, repeats, held: this.held, broken: this.broken };
  }

  /** The highest rate held below those that were not; null without one. */
  private get held(): number | null {
    const standing = this.kept.filter((rate) => rate < (this.broken ?? Infinity));
    return standing.length === 0 ? null : Math.max(...standing);
  }

  private trying(leftMs: number): PlannedStep | null {
    const { held, setting } = this;
    const reserved = held === null ? 0 : setting.holdMs(held);
    const isTime = (perSecond: number): boolean => leftMs >= setting.stepMs(perSecond) + reserved;
    if (this.again) {
      const { phase, perSecond } = this.last!;
      if (isTime(perSecond)) return this.step(phase, perSecond, true);
      // There is no time to try it once more: once has to do.
      this.giveUp(perSecond);
    }
    const wanted = this.wanted();
    if (wanted === null) return this.hold(leftMs);
    if (isTime(wanted.perSecond)) return this.step(wanted.phase, wanted.perSecond);
    this.early = 'time';
    return this.hold(leftMs);
  }

  /** The rate that would be tried next; null when there is nothing left to try. */
  private wanted(): { phase: RatePhase; perSecond: number } | null {
    const { held, broken, setting } = this;
    const { start, grow, max, precision } = setting;
    if (broken === null) {
      if (held === null) return { phase: 'grow', perSecond: start };
      if (max !== null && held >= max) {
        this.early = 'max';
        return null;
      }
      return { phase: 'grow', perSecond: Math.min(held * grow, max ?? Infinity) };
    }
    if (held === null) {
      if (this.descents >= MOST_DESCENTS) return null;
      const perSecond = broken / grow ** (2 ** this.descents);
      return { phase: 'descend', perSecond };
    }
    if (broken / held - 1 <= precision) return null;
    return { phase: 'bisect', perSecond: Math.sqrt(held * broken) };
  }

  private giveUp(perSecond: number): void {
    this.again = false;
    if (this.held === null && this.broken !== null) this.descents += 1;
    this.broken = Math.min(this.broken ?? Infinity, perSecond);
  }

  private hold(leftMs: number): PlannedStep | null {
    const { held } = this;
    if (this.holding === null && held === null) {
      this.end = this.early === 'time' ? 'time' : 'nothing-held';
      return null;
    }
    this.holding ??= { perSecond: held!, failed: 0 };
    const { perSecond, failed } = this.holding;
    if (failed < MOST_HOLDS && leftMs >= this.setting.holdMs(perSecond)) return this.step('hold', perSecond);
    this.end = failed < MOST_HOLDS ? 'time' : 'not-confirmed';
    return null;
  }

  private judgedHold(perSecond: number, held: boolean): void {
    const holding = this.holding!;
    if (!held) {
      this.broken = Math.min(this.broken ?? Infinity, perSecond);
      holding.perSecond = perSecond / (1 + this.setting.precision * 2 ** holding.failed);
      holding.failed += 1;
      return;
    }
    this.confirmed = perSecond;
    const { broken, early, setting } = this;
    // A little more than the precision may be the rounding of a square root.
    const isNarrow = broken !== null && broken / perSecond - 1 <= setting.precision * (1 + 1e-9);
    const isBracketed = early === 'time' ? isNarrow : broken !== null;
    this.end = isBracketed ? 'found' : (early ?? 'found');
  }

  private step(phase: RatePhase, perSecond: number, repeats = false): PlannedStep {
    return { number: (this.last?.number ?? 0) + 1, phase, perSecond, repeats };
  }
}
