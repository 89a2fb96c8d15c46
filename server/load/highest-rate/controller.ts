/**
 * Decides which rate a search tries next, and keeps its result: a state machine that knows neither time nor target. It raises the rate from the
 * start value until a rate is not held. If the start was too high, it lowers the rate first. Then it bisects between the highest rate held and
 * the lowest one not held. An undecided step is repeated for longer. A step that failed without a test is repeated once, because it may have
 * failed by chance.
 *
 * Then it holds both ends of the bracket for longer: the upper end must fail as clearly as the lower one must pass. An end that does not is
 * replaced by a rate further out. The test becomes stricter each time, because one of several tries could pass by chance.
 */
import type { RateAnswer, RateEnd, RatePhase, RateProgress } from '../../../common/measurement/highest-rate';

export interface ControllerSetting {
  start: number;
  /** Factor between two rising steps. */
  grow: number;
  /** Relative width of the bracket at which bisection ends. */
  precision: number;
  /** Highest rate to try; null: no limit. */
  max: number | null;
  /** How often a step may be extended. The longest step is as long as a hold. */
  extensions: number;
  /** Returns the longest time from the beginning of a step at `perSecond` until the next one can begin, in ms. */
  stepMs: (perSecond: number, extension: number) => number;
  holdMs: (perSecond: number) => number;
}

export interface PlannedStep {
  number: number;
  phase: RatePhase;
  perSecond: number;
  repeats: boolean;
  /** How often it was extended. */
  extension: number;
  /** Number of unsuccessful holds of this end of the bracket. Each makes the test stricter. */
  failed: number;
}

/**
 * `held`, `broken`: decided by a test. `missed`: not held for a reason that needs no test, such as requests that were not sent. `undecided`:
 * neither.
 */
export type StepVerdict = 'held' | 'broken' | 'missed' | 'undecided';

export type Found = Pick<RateAnswer, 'held' | 'confirmed' | 'broken' | 'end'>;

/** Largest number of steps down from a start that was too high. Each goes twice as far as the one before, as a power of `grow`. */
const MOST_DESCENTS = 4;
/** Largest number of holds of an end. Each goes twice as far as the one before, as a multiple of `precision`. */
const MOST_HOLDS = 5;

export class RateController {
  /** Rates that were held in a step. */
  private readonly kept: number[] = [];
  /** Rates that remained undecided. */
  private readonly unsure: number[] = [];
  private broken: number | null = null;
  /** Whether the lowest rate that was not held failed in a step as long as a hold. */
  private isBrokenSure = false;
  /** The rate that a hold confirmed. Higher rates may have been held in short steps. */
  private confirmed: number | null = null;
  private end: RateEnd | null = null;
  private last: PlannedStep | null = null;
  /** Set if the last step is repeated, for longer or for the same time. */
  private again: { extension: number } | null = null;
  private descents = 0;
  /** Whether the search has begun to hold rates. */
  private isHolding = false;
  /** The upper end of the bracket, which must fail; null if it is not held. */
  private upper: { perSecond: number; failed: number } | null = null;
  private lower: { perSecond: number; failed: number } | null = null;
  /** Why holding began before the bracket was narrow; null if it was narrow. */
  private early: 'max' | 'time' | null = null;

  constructor(private readonly setting: ControllerSetting) {}

  /** Returns the next step, if `leftMs` remain until the end of the load; null if the search has ended: see {@link found}. */
  next(leftMs: number): PlannedStep | null {
    if (this.end !== null) return null;
    const step = this.isHolding ? this.hold(leftMs) : this.trying(leftMs);
    this.last = step ?? this.last;
    return step;
  }

  /** Takes the verdict on the last step. */
  judged(verdict: StepVerdict): void {
    const { last } = this;
    if (last === null || this.end !== null) return;
    if (last.phase === 'hold') this.judgedHold(last.perSecond, verdict);
    else this.judgedStep(last, verdict);
  }

  /** Ends the search with the load. Its result is what is known so far. */
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

  /** Highest rate held below the rates that were not held; null without one. */
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
      // There is no time to repeat it, so a single step decides if it had a result.
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

  /** Returns the next rate to try; null if nothing is left to try. */
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
    // A rate close to an undecided one cannot be decided either.
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

  /** Holds the upper end first, so that the hold of the result comes last. */
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
    // A long step held the rate, or remained undecided, so the failure of the short steps was misleading.
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
    // The tolerance allows for the rounding of a square root.
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
