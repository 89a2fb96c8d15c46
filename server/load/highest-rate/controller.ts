/**
 * Decides which rate a search for the highest rate tries next, and stores the result of the search. It is a state machine that knows
 * neither the time nor the target.
 *
 * A rate is *held* if the target keeps all limits at that rate. The search raises the rate from the start value until a rate is not held.
 * If the start value was too high, the search lowers the rate first. Then it bisects between the highest rate that was held and the lowest
 * rate that was not. This range is the *bracket*.
 *
 * An undecided step is repeated with a longer duration. A step that obviously failed, because requests were not sent or not answered, is
 * repeated once. It may have failed by chance.
 *
 * Finally the search tests both ends of the bracket with longer steps, the *holds*. The lower rate must be held and the upper rate must not
 * be held, each at the same level of significance. Otherwise, the search replaces that end of the bracket by a rate further out and tests
 * again. The test becomes stricter each time, because one of several attempts could pass by chance.
 */
import type { RateAnswer, RateEnd, RatePhase, RateProgress } from '../../../common/measurement/highest-rate';

export interface ControllerSetting {
  start: number;
  /** While the search raises the rate, each step multiplies the rate by this factor. */
  grow: number;
  /** The bisection ends when the bracket is narrow enough: when its upper rate exceeds its lower rate by at most this share. */
  precision: number;
  /** Maximum rate that the search tries, in requests per second; null for no limit. */
  max: number | null;
  /** How often a step may be extended. With all extensions, a step is as long as a hold. */
  extensions: number;
  /** Returns the maximum time from the beginning of a step at `perSecond` to the earliest beginning of the next step, in ms. */
  stepMs: (perSecond: number, extension: number) => number;
  holdMs: (perSecond: number) => number;
}

export interface PlannedStep {
  number: number;
  phase: RatePhase;
  perSecond: number;
  repeats: boolean;
  /** Number of extensions of the step: 0 for a step of normal length. */
  extension: number;
  /** For a hold: number of earlier holds that did not confirm the same end of the bracket. Each of them makes the test stricter. */
  failed: number;
}

/**
 * Result of a step.
 * - `held`, `broken`: a statistical test decided that the target kept the limits at this rate, or that it did not.
 * - `missed`: the rate was not reached, for example because requests were not sent. No test is needed.
 * - `undecided`: the step was too short for a decision.
 */
export type StepVerdict = 'held' | 'broken' | 'missed' | 'undecided';

export type Found = Pick<RateAnswer, 'held' | 'confirmed' | 'broken' | 'end'>;

/**
 * Maximum number of steps down if the target cannot hold the start rate. The rate is divided by `grow`, then by `grow` to the power of 2, 4
 * and 8.
 */
const MOST_DESCENTS = 4;
/**
 * Maximum number of holds (long steps) for one end of the bracket. If a hold does not confirm this end, the next hold tests a rate farther
 * outside the bracket. The distance doubles each time, beginning with `precision`.
 */
const MOST_HOLDS = 5;

export class RateController {
  /** Rates that were held in a step. */
  private readonly kept: number[] = [];
  /** Rates at which the steps remained undecided. */
  private readonly unsure: number[] = [];
  private broken: number | null = null;
  /**
   * Whether a step of full length (as long as a hold) has shown that {@link broken} is not held. If not, a hold must still test that rate.
   */
  private isBrokenSure = false;
  /** The rate that a hold confirmed. Short steps may have held higher rates. */
  private confirmed: number | null = null;
  private end: RateEnd | null = null;
  private last: PlannedStep | null = null;
  /** Repetition of the last step, if it must be repeated; otherwise null. A step with a higher `extension` is longer. */
  private again: { extension: number } | null = null;
  private descents = 0;
  /** Whether the bisection is over and the search tests the ends of the bracket with long steps (holds). */
  private isHolding = false;
  /** The upper end of the bracket, while a hold must still show that this rate is not held; otherwise null. */
  private upper: { perSecond: number; failed: number } | null = null;
  private lower: { perSecond: number; failed: number } | null = null;
  /**
   * Reason why the bisection ended before the bracket was narrow enough: the maximum rate was reached, or too little time is left. Null if
   * it was not ended early.
   */
  private early: 'max' | 'time' | null = null;

  constructor(private readonly setting: ControllerSetting) {}

  /** Returns the next step; null if the search has ended (see {@link found}). `leftMs`: time until the end of the load. */
  next(leftMs: number): PlannedStep | null {
    if (this.end !== null) return null;
    const step = this.isHolding ? this.hold(leftMs) : this.trying(leftMs);
    this.last = step ?? this.last;
    return step;
  }

  /** Processes the result of the last step. */
  judged(verdict: StepVerdict): void {
    const { last } = this;
    if (last === null || this.end !== null) return;
    if (last.phase === 'hold') this.judgedHold(last.perSecond, verdict);
    else this.judgedStep(last, verdict);
  }

  /** Ends the search because the load ends. The steps so far determine the result. */
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

  /** Highest rate that was held and is below all rates that were not held. Null if there is no such rate. */
  private get held(): number | null {
    const standing = this.kept.filter((rate) => rate < (this.broken ?? Infinity));
    return standing.length === 0 ? null : Math.max(...standing);
  }

  private judgedStep({ perSecond, extension, repeats }: PlannedStep, verdict: StepVerdict): void {
    const isLongest = extension >= this.setting.extensions;
    const wasAgain = this.again !== null;
    this.again = null;
    if (verdict === 'held') this.kept.push(perSecond);
    else if (verdict === 'broken') this.giveUp(perSecond, isLongest);
    else if (verdict === 'undecided' && !isLongest) this.again = { extension: extension + 1 };
    else if (verdict === 'undecided') this.unsure.push(perSecond);
    else if (repeats && wasAgain) this.giveUp(perSecond, false);
    else this.again = { extension };
  }

  private trying(leftMs: number): PlannedStep | null {
    const { held, setting } = this;
    const reserved = held === null ? 0 : setting.holdMs(held);
    const isTime = (perSecond: number, extension: number): boolean =>
      leftMs >= setting.stepMs(perSecond, extension) + reserved;
    if (this.again !== null) {
      const { phase, perSecond, extension: known } = this.last!;
      const { extension } = this.again;
      if (isTime(perSecond, extension)) return this.step(phase, perSecond, { repeats: true, extension });
      this.again = null;
      // The step cannot be repeated, because the time is over. Its single result counts: undecided, or not held.
      if (extension > known) this.unsure.push(perSecond);
      else this.giveUp(perSecond, false);
    }
    const wanted = this.wanted();
    if (wanted !== null) {
      if (isTime(wanted.perSecond, 0)) return this.step(wanted.phase, wanted.perSecond);
      this.early = 'time';
    }
    this.isHolding = true;
    return this.hold(leftMs);
  }

  /** Returns the next rate to try; null if no rate is left to try. */
  private wanted(): { phase: RatePhase; perSecond: number } | null {
    const { held, broken, unsure, setting } = this;
    const { start, grow, max, precision } = setting;
    if (held === null) {
      const lowest = Math.min(broken ?? Infinity, ...unsure);
      if (lowest === Infinity) return { phase: 'grow', perSecond: start };
      if (this.descents >= MOST_DESCENTS) return null;
      const perSecond = lowest / grow ** (2 ** this.descents);
      this.descents += 1;
      return { phase: 'descend', perSecond };
    }
    if (broken === null) {
      const highest = Math.max(held, ...unsure);
      if (max !== null && highest >= max) {
        this.early = 'max';
        return null;
      }
      return { phase: 'grow', perSecond: Math.min(highest * grow, max ?? Infinity) };
    }
    const between = unsure.filter((rate) => rate > held && rate < broken);
    // Rates close to an undecided rate cannot be decided either.
    const [gaps, width] =
      between.length === 0
        ? [[[held, broken]], precision]
        : [
            [
              [held, Math.min(...between)],
              [Math.max(...between), broken],
            ],
            2 * precision,
          ];
    const [low, high] = gaps.find(([from, to]) => to! / from! - 1 > width) ?? [];
    return low === undefined ? null : { phase: 'bisect', perSecond: Math.sqrt(low * high!) };
  }

  private giveUp(perSecond: number, isSure: boolean): void {
    if (this.broken !== null && this.broken < perSecond) return;
    this.broken = perSecond;
    this.isBrokenSure = isSure;
  }

  /** Returns the next hold. Holds of the upper end come first, so that the hold that confirms the result comes last. */
  private hold(leftMs: number): PlannedStep | null {
    const { held, broken, setting } = this;
    if (held === null) {
      this.end = this.early === 'time' ? 'time' : 'nothing-held';
      return null;
    }
    if (this.lower === null) {
      if (broken !== null && !this.isBrokenSure) this.upper ??= { perSecond: broken, failed: 0 };
      const { upper } = this;
      if (upper !== null) {
        const isTime = leftMs >= setting.holdMs(upper.perSecond) + setting.holdMs(held);
        if (upper.failed < MOST_HOLDS && isTime) return this.step('hold', upper.perSecond, upper);
        if (upper.failed < MOST_HOLDS) this.early = 'time';
        this.upper = null;
      }
      this.lower = { perSecond: held, failed: 0 };
    }
    const { perSecond, failed } = this.lower;
    if (failed < MOST_HOLDS && leftMs >= setting.holdMs(perSecond))
      return this.step('hold', perSecond, { failed });
    this.end = failed < MOST_HOLDS ? 'time' : 'not-confirmed';
    return null;
  }

  private judgedHold(perSecond: number, verdict: StepVerdict): void {
    if (this.lower === null) this.judgedUpper(this.upper!, verdict);
    else this.judgedLower(this.lower, perSecond, verdict);
  }

  private judgedUpper(upper: { perSecond: number; failed: number }, verdict: StepVerdict): void {
    const { max, precision } = this.setting;
    const { perSecond, failed } = upper;
    if (verdict === 'broken' || verdict === 'missed') {
      this.broken = perSecond;
      this.isBrokenSure = true;
      this.upper = null;
      return;
    }
    // A long step held the rate or remained undecided, so the failures of the short steps were misleading.
    this.broken = null;
    if (verdict === 'held') this.kept.push(perSecond);
    else this.unsure.push(perSecond);
    if (max !== null && perSecond >= max) {
      this.early = 'max';
      this.upper = null;
      return;
    }
    upper.perSecond = Math.min(perSecond * (1 + precision * 2 ** failed), max ?? Infinity);
    upper.failed += 1;
  }

  private judgedLower(
    lower: { perSecond: number; failed: number },
    perSecond: number,
    verdict: StepVerdict,
  ): void {
    const { precision } = this.setting;
    if (verdict !== 'held') {
      if (verdict !== 'undecided') this.giveUp(perSecond, true);
      lower.perSecond = perSecond / (1 + precision * 2 ** lower.failed);
      lower.failed += 1;
      return;
    }
    this.confirmed = perSecond;
    const { broken, early } = this;
    // The tolerance allows for rounding errors of the square root.
    const isNarrow = broken !== null && broken / perSecond - 1 <= precision * (1 + 1e-9);
    if (broken !== null && this.isBrokenSure)
      this.end = isNarrow ? 'found' : early === 'time' ? 'time' : 'wide';
    else this.end = early ?? 'undecided';
  }

  private step(
    phase: RatePhase,
    perSecond: number,
    { repeats = false, extension = 0, failed = 0 }: Partial<PlannedStep> = {},
  ): PlannedStep {
    return { number: (this.last?.number ?? 0) + 1, phase, perSecond, repeats, extension, failed };
  }
}
