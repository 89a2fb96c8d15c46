/**
 * Decides which frames of a call tree have a different share in one cell (combination of factor levels) than in another one. Shares can be
 * 0, so differences are tested instead of ratios.
 *
 * A trial gives one share per frame. Trials of the same repetition are compared with each other (Student's t of their differences). With
 * fewer than four repetitions, or if the cells were measured at different times, the trials are compared as two independent samples (Welch).
 *
 * The variance of a difference is the largest of three:
 * 1. the variance of the frame's own shares over the trials
 * 2. the variance that is typical of the tree, see {@link typicalExcess}
 * 3. the variance of counting: a frame with a share of 5% may occur in none of 20 samples.
 *
 * A few trials alone would show almost nothing, because hundreds of frames are judged together: with five repetitions, a difference would
 * have to be eleven times its standard error. Therefore, the second variance is estimated from all frames, and has more degrees of freedom
 * than the first one.
 */
import type { Definition } from '../experiment/definition';
import { untilDecided } from '../experiment/trial-counts';
import { WIDER } from './blocked';
import { ONE_AFTER_ANOTHER } from './comparison';
import { LEVEL, type Interval } from './confidence';
import { mean, sampleVariance, welchDegrees } from './interval';
import { nominalError } from './looks';
import { studentQuantile } from './student';

/** Number of repetitions from which the trials of two cells are compared within repetitions, as in blocked.ts. */
const FEWEST_REPETITIONS = 4;
/** Minimum number of trials of each cell for a decision. */
const FEWEST_TRIALS = 3;
/** Number of trials of each cell from which a frame rarely seems to be constant although it varies. */
const SURE_TRIALS = 5;
/**
 * Degrees of freedom of the typical variance, as a multiple of those of a single frame. Frames depend on each other, so their number does
 * not matter.
 */
const TYPICAL_DEGREES = 4;

/** How a frame's share changed from the reference cell to the cell. Differences are in points, as fractions: 0.12 means 12 points. */
export interface FrameChange {
  /** Share in the cell minus share in the reference cell. */
  difference: number;
  /** 95% interval of the difference, for this frame alone. */
  interval: Interval;
  /** Interval that decides. It is wider, because all tested frames of the tree must be correct together. */
  adjusted: Interval;
  /** Whether the difference is certain: `adjusted` does not contain 0. Always false if the cells cannot be compared. */
  isDecided: boolean;
}

/** How the trials of two cells were run. It determines how they are compared. */
export interface ProfileDesign extends Pick<Definition, 'order' | 'trials'> {
  /**
   * Whether all trials of one cell ran before those of the other one because a person had to change the environment. Trials of the same
   * repetition are then not compared with each other.
   */
  isApart: boolean;
}

/** The shares of all frames in one trial. */
export interface ProfiledShares {
  repetition: number;
  /** Number of samples on which the shares are based. */
  samples: number;
  /** Share of each frame, in [0, 1]. */
  shares: Float64Array;
}

/** The difference of a frame's shares in two cells. */
interface Estimate {
  difference: number;
  /** Variance of the difference, from the frame's own shares in the trials. */
  own: number;
  /** Degrees of freedom of `own`. */
  degrees: number;
  /** Variance that the difference would have if all samples were independent and had equal weights. */
  counted: number;
}

/** Returns the mean variance of a trial's share that is counted from samples, divided by share x (1 - share). */
const perSample = (trials: readonly ProfiledShares[]): number =>
  mean(trials.map(({ samples }) => 1 / Math.max(1, samples)));

function withinRepetitions(
  pairs: readonly (readonly [ProfiledShares, ProfiledShares])[],
): (frame: number) => Estimate {
  const n = pairs.length;
  const counting = (perSample(pairs.map(([own]) => own)) + perSample(pairs.map(([, other]) => other))) / n;
  return (frame) => {
    const differences = pairs.map(([own, other]) => own.shares[frame]! - other.shares[frame]!);
    const share = mean(pairs.map(([own, other]) => (own.shares[frame]! + other.shares[frame]!) / 2));
    return {
      difference: mean(differences),
      own: (WIDER[2]! ** 2 * sampleVariance(differences)) / n,
      degrees: n - 1,
      counted: share * (1 - share) * counting,
    };
  };
}

function apart(
  cell: readonly ProfiledShares[],
  against: readonly ProfiledShares[],
): (frame: number) => Estimate {
  const counting = perSample(cell) / cell.length + perSample(against) / against.length;
  return (frame) => {
    const [values, others] = [cell, against].map((trials) => trials.map(({ shares }) => shares[frame]!));
    const square = (side: readonly number[]) => ({
      square: sampleVariance(side) / side.length,
      n: side.length,
    });
    const [a, b] = [square(values!), square(others!)];
    const share = (mean(values!) + mean(others!)) / 2;
    return {
      difference: mean(values!) - mean(others!),
      own: a.square + b.square,
      degrees: welchDegrees(a, b),
      counted: share * (1 - share) * counting,
    };
  };
}

/**
 * Returns the factor by which the variance of a typical difference exceeds the variance of counting. It is above 1 if samples resemble the
 * ones before, if their weights differ, or if trials differ. It is a mean over all frames, so frames that vary much raise it for all.
 * `fewest`: number of trials of the cell with fewer trials. In few trials, some frames that come and go by chance seem to be constant. The
 * mean is then the root mean square, in which the other frames that come and go count more.
 */
function typicalExcess(all: readonly Estimate[], fewest: number): number {
  const excesses = all.map(({ own, counted }) => (counted === 0 ? 0 : own / counted));
  const typical =
    fewest < SURE_TRIALS ? Math.sqrt(mean(excesses.map((excess) => excess ** 2))) : mean(excesses);
  return Math.max(1, typical);
}

/** Variance of a difference that its interval is calculated from, and the degrees of freedom of this variance. */
type Spread = Pick<Estimate, 'degrees'> & { variance: number };

/**
 * The degrees of freedom are those of the typical variance, unless the frame varies more than that. They then decrease to those of the
 * frame's own variance. Without this, a frame that varies far more than others would often be decided by mistake, because its variance is
 * sometimes estimated far too low.
 */
function spreadOf({ own, counted, degrees }: Estimate, excess: number): Spread {
  const typical = excess * counted;
  return {
    variance: Math.max(own, typical),
    degrees: degrees * (1 + (TYPICAL_DEGREES - 1) * Math.min(1, own === 0 ? 1 : typical / own)),
  };
}

function intervalOf(difference: number, { variance, degrees }: Spread, level: number): Interval {
  const reach = variance === 0 ? 0 : Math.sqrt(variance) * studentQuantile((1 + level) / 2, degrees);
  return { low: difference - reach, high: difference + reach, level };
}

const excludesZero = ({ low, high }: Interval): boolean => low > 0 || high < 0;

/**
 * Returns why no frame of these cells can be decided; '' if frames can be decided. `fewest`: number of trials with stacks, of the cell
 * with fewer of them.
 */
export function undecidable({ order, isApart }: ProfileDesign, fewest: number): string {
  if (fewest === 0) return 'one of the cells has no stacks to compare';
  if (order === 'sequential' && !isApart) return ONE_AFTER_ANOTHER;
  if (fewest < FEWEST_TRIALS)
    return `at least ${FEWEST_TRIALS} trials of each cell are needed to compare frames`;
  return '';
}

/**
 * Compares the shares of `frames` in two cells. `frames`: indices in `shares` of all trials. All of them are judged together (Holm 1979):
 * with 95% confidence, every decided difference exists. Returns null if a cell has fewer than two trials.
 */
export function frameChanges(
  cell: readonly ProfiledShares[],
  against: readonly ProfiledShares[],
  frames: readonly number[],
  design: ProfileDesign,
): FrameChange[] | null {
  const fewest = Math.min(cell.length, against.length);
  if (fewest < 2) return null;
  // Without a frame to test, for example if all stacks are equal, there is no typical variance.
  if (frames.length === 0) return [];
  const others = new Map(against.map((trial) => [trial.repetition, trial]));
  const pairs = cell.flatMap((own) => {
    const other = others.get(own.repetition);
    return other === undefined ? [] : [[own, other] as const];
  });
  const isPaired = design.order !== 'sequential' && !design.isApart && pairs.length >= FEWEST_REPETITIONS;
  const all = frames.map(isPaired ? withinRepetitions(pairs) : apart(cell, against));
  const excess = typicalExcess(all, fewest);
  const spreads = all.map((estimate) => spreadOf(estimate, excess));
  const looks = untilDecided(design.trials);
  const error = looks === null ? 1 - LEVEL : nominalError(looks);

  const judged = (frame: number, among: number): Interval =>
    intervalOf(all[frame]!.difference, spreads[frame]!, 1 - error / among);
  const adjusted = all.map((_, frame) => judged(frame, all.length));
  const isDecided = all.map(() => false);
  let left = undecidable(design, fewest) === '' ? [...all.keys()] : [];
  while (left.length > 0) {
    for (const frame of left) {
      adjusted[frame] = judged(frame, left.length);
      isDecided[frame] = excludesZero(adjusted[frame]);
    }
    const rest = left.filter((frame) => !isDecided[frame]);
    if (rest.length === left.length) break;
    left = rest;
  }
  return all.map(({ difference }, frame) => ({
    difference,
    interval: intervalOf(difference, spreads[frame]!, LEVEL),
    adjusted: adjusted[frame]!,
    isDecided: isDecided[frame]!,
  }));
}
