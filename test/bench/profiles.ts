/**
 * Measures the errors of the comparison of call trees with simulated profiles whose true shares are known. It counts frames that are decided
 * although both cells (combinations of factor levels) are equal, and how often a frame that only one cell has is decided and named first.
 * It also measures the CPU time for a large tree. Random numbers are seeded.
 */
import { callTree, type CallTree, type TrialStacks } from '../../common/analysis/call-tree';
import { largestChanges } from '../../common/analysis/largest-changes';
import { createRandom, deriveSeed, type Random } from '../../common/random';
import type { StatisticsTable } from './statistics';
import type { Row } from './table';

/** A stack that trials draw, with its probability in the long run. */
interface Leaf {
  stack: string;
  /** Index in {@link ACTIVITY_SHARES}. */
  activity: number;
  share: number;
}

/** Shares of the simulated activities. The one with index {@link BURSTING} runs in bursts. */
const ACTIVITY_SHARES = [0.45, 0.2, 0.2, 0.08, 0.04, 0.03];
const BURSTING = 2;

/** Disturbances that make the trials of one cell differ from each other. */
interface Disturbance {
  /** Probability that a sample shows the same stack as the sample before. */
  repeats?: number;
  /** One activity runs in bursts: its share of the time, and the mean length of a burst in samples. */
  bursts?: { share: number; length: number };
  /** Standard deviation of the logarithm of the weight of a sample. */
  weights?: number;
  /** Probability that one sample of a trial weighs as much as all others together. */
  giant?: number;
  /** Standard deviation of the logarithm of each activity's share, from trial to trial. */
  activities?: number;
  /** Standard deviation of the logarithm of each stack's share, from trial to trial. */
  stacks?: number;
  /** Probability that a fifth of the stacks is missing in a trial, each independently, as after another decision of the JIT compiler. */
  missing?: number;
  /** Probability that the bursting activity does not occur in a trial. */
  without?: number;
  /** Relative change of the largest activity from the first to the last trial. */
  drift?: number;
  /** Number of stacks of each activity. */
  leaves?: number;
  /** All stacks have the same share. */
  flat?: boolean;
}

function normals({ unit }: Random): () => number {
  return () => Math.sqrt(-2 * Math.log(1 - unit())) * Math.cos(2 * Math.PI * unit());
}

/** Returns stacks of a random tree: a chain of outer frames for each activity, below which the tree branches. */
function randomTree(random: Random, { leaves = 40, flat = false }: Disturbance): Leaf[] {
  const found: Leaf[] = [];
  let names = 0;
  const name = (): string => `org.example.Class${(names += 1)}.run`;
  const branch = (stack: string, activity: number, share: number, count: number): void => {
    if (count <= 1) {
      found.push({ stack, activity, share });
      return;
    }
    const parts = Math.min(count, 2 + random.below(3));
    const weights = Array.from({ length: parts + 1 }, (_, at) =>
      flat ? (at < parts ? 1 : 0) : (at < parts ? 1 : 0.1) * Math.log(1 - random.unit()) ** 2,
    );
    const sum = weights.reduce((all, weight) => all + weight, 0);
    if (!flat) found.push({ stack, activity, share: (share * weights[parts]!) / sum });
    for (let part = 0; part < parts; part += 1) {
      const deeper = `${stack};${name()}${random.unit() < 0.4 ? `;${name()}` : ''}`;
      const of = weights[part]! / sum;
      branch(deeper, activity, share * of, Math.max(1, Math.round(count * of)));
    }
  };
  ACTIVITY_SHARES.forEach((share, activity) => {
    const chain = Array.from({ length: 5 }, name).join(';');
    branch(`java.lang.Thread.run;${chain}`, activity, share, leaves);
  });
  return found;
}

/** Frame that only one cell has, in simulations of real differences. */
const PLANTED = 'org.example.Planted.run';

/** Returns the index of the drawn element. `sums`: running sums of the probabilities. */
function draw(sums: Float64Array, unit: number): number {
  const wanted = unit * sums[sums.length - 1]!;
  let [low, high] = [0, sums.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sums[middle]! > wanted) high = middle;
    else low = middle + 1;
  }
  return low;
}

function running(values: readonly number[]): Float64Array {
  let sum = 0;
  return Float64Array.from(values, (value) => (sum += value));
}

/** Returns the stacks of one trial. `time`: when it runs, in [0, 1]. `planted`: share of {@link PLANTED}. */
function trialOf(
  leaves: readonly Leaf[],
  samples: number,
  {
    repeats = 0,
    bursts,
    weights = 0,
    giant = 0,
    activities = 0,
    stacks = 0,
    missing = 0,
    without = 0,
    drift = 0,
  }: Disturbance,
  time: number,
  planted: number,
  random: Random,
): Map<string, number> {
  const normal = normals(random);
  const factors = ACTIVITY_SHARES.map((_, at) => {
    if (at === BURSTING && random.unit() < without) return 0;
    return Math.exp(activities * normal()) * (at === 0 ? 1 + drift * (time - 0.5) : 1);
  });
  const shares = leaves.map(({ share, activity }, at) => {
    if (missing > 0 && at % 5 === 0 && random.unit() < missing) return 0;
    return share * factors[activity]! * (stacks === 0 ? 1 : Math.exp(stacks * normal()));
  });
  const all = running(shares);
  const isBursting = (at: number): boolean => leaves[at]!.activity === BURSTING;
  const during =
    bursts && running(shares.map((share, at) => (isBursting(at) ? share / bursts.share : share)));
  const between = bursts && running(shares.map((share, at) => (isBursting(at) ? 0 : share)));
  let inBurst = bursts !== undefined && random.unit() < bursts.share;
  const found = new Map<string, number>();
  const add = (stack: string, weight: number): void => {
    found.set(stack, (found.get(stack) ?? 0) + weight);
  };
  let last = '';
  let total = 0;
  for (let sample = 0; sample < samples; sample += 1) {
    if (bursts) {
      const ends = 1 / bursts.length;
      if (random.unit() < (inBurst ? ends : (ends * bursts.share) / (1 - bursts.share))) inBurst = !inBurst;
    }
    if (last === '' || random.unit() >= repeats) {
      const isPlanted = random.unit() < planted;
      const leaf = leaves[draw(bursts ? (inBurst ? during! : between!) : all, random.unit())]!;
      last = isPlanted
        ? `${leaves[0]!.stack.split(';').slice(0, 4).join(';')};${PLANTED};${['a', 'b', 'c'][random.below(3)]!}`
        : leaf.stack;
    }
    const weight = Math.max(1, Math.round(20_000 * Math.exp(weights * normal())));
    add(last, weight);
    total += weight;
  }
  if (random.unit() < giant) add(leaves[draw(all, random.unit())]!.stack, total);
  return found;
}

/** Simulates the trials of two cells that alternate. `samplesOf`: number of samples of a trial. */
function simulate(
  disturbance: Disturbance,
  trials: number,
  samplesOf: (cell: number, repetition: number) => number,
  planted: number,
  random: Random,
): [TrialStacks[], TrialStacks[]] {
  const leaves = randomTree(random, disturbance);
  const cells: [TrialStacks[], TrialStacks[]] = [[], []];
  for (let order = 0; order < 2 * trials; order += 1) {
    const repetition = Math.floor(order / 2);
    const cell = (order + repetition) % 2;
    const samples = samplesOf(cell, repetition);
    const stacks = trialOf(
      leaves,
      samples,
      disturbance,
      order / (2 * trials),
      cell === 1 ? planted : 0,
      random,
    );
    cells[cell as 0 | 1].push({ cell, repetition, order, stacks, samples });
  }
  return cells;
}

const KINDS: Readonly<Record<string, Disturbance>> = {
  'independent samples': {},
  'samples repeat, 0.8': { repeats: 0.8 },
  'bursts of 20 samples': { bursts: { share: 0.25, length: 20 }, repeats: 0.3 },
  'bursts of 100 samples': { bursts: { share: 0.25, length: 100 }, repeats: 0.3 },
  'weights, sigma 1.5': { weights: 1.5 },
  'weights, sigma 2.5': { weights: 2.5 },
  'a giant sample in 30% of trials': { giant: 0.3 },
  'activities vary by 30%': { activities: 0.3 },
  'stacks vary by 50%': { stacks: 0.5 },
  'stacks missing in 30% of trials': { missing: 0.3 },
  'stacks missing in 50% of trials': { missing: 0.5 },
  'an activity missing in 30% of trials': { without: 0.3 },
  'an activity missing in 50% of trials': { without: 0.5 },
  'an activity missing in 80% of trials': { without: 0.8 },
  'drift of 50%': { drift: 0.5 },
  'thousands of rare frames': { leaves: 500 },
  'hundreds of equal frames': { leaves: 120, flat: true },
  'most of these together': {
    repeats: 0.5,
    bursts: { share: 0.25, length: 20 },
    weights: 1,
    activities: 0.2,
    stacks: 0.3,
    missing: 0.2,
    drift: 0.2,
  },
};

/** Returns the number of samples of a trial. */
type Samples = (cell: number, random: Random) => number;

const SAMPLES: Readonly<Record<string, Samples>> = {
  '6': () => 6,
  '60': () => 60,
  '600': () => 600,
  '3000': () => 3000,
  '6 to 600': (_, random) => Math.round(6 * 100 ** random.unit()),
  '6 and 600': (cell) => (cell === 0 ? 6 : 600),
};
const TRIALS = [3, 4, 5, 10];
const EQUAL_RUNS = 40;
/** Maximum mean number of frames that are decided by mistake: one in 20 comparisons. */
const MOST_FALSE = 1 / 20;
/**
 * Kinds without the limit {@link MOST_FALSE}. If an activity occurs in all trials of one cell and in none of the other one by chance, no
 * analysis of these trials can show that it is chance. All frames of the activity are then decided together.
 */
const BY_CHANCE: readonly string[] = [
  'an activity missing in 30% of trials',
  'an activity missing in 50% of trials',
];
/** Maximum share of comparisons that decide any frame by mistake: 5% and three standard errors. */
const MOST_WRONG = 0.05 + 3 * Math.sqrt((0.05 * 0.95) / (EQUAL_RUNS * Object.keys(SAMPLES).length));

const treeOf = ([against, cell]: readonly [TrialStacks[], TrialStacks[]], trials: number): CallTree =>
  callTree(cell, against, { order: 'interleaved', trials, isApart: false });

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;

/** Compares equal cells. `beyond`: the kinds of disturbance with too many decided frames. */
function equalCells(): { rows: Row[]; beyond: string[] } {
  const beyond: string[] = [];
  const rows = Object.entries(KINDS).map(([kind, disturbance]): Row => {
    const row: Row = { 'equal cells': kind };
    let [comparisons, frames, tested] = [0, 0, 0];
    for (const trials of TRIALS) {
      let [own, wrong] = [0, 0];
      for (const [name, samples] of Object.entries(SAMPLES))
        for (let run = 0; run < EQUAL_RUNS; run += 1) {
          const random = createRandom(deriveSeed(44, kind, trials, name, run));
          const { changes } = treeOf(
            simulate(disturbance, trials, (cell) => samples(cell, random), 0, random),
            trials,
          );
          const decided = changes.filter((change) => change?.isDecided).length;
          frames += decided;
          tested += changes.filter((change) => change !== null).length;
          own += 1;
          if (decided > 0) wrong += 1;
        }
      comparisons += own;
      row[`${trials} trials`] = percent(wrong / own);
      if (wrong / own > MOST_WRONG)
        beyond.push(`${kind}, ${trials} trials: ${percent(wrong / own)} of comparisons are wrong`);
    }
    row['tested frames'] = Math.round(tested / comparisons);
    row['decided frames'] = (frames / comparisons).toFixed(3);
    if (frames / comparisons > MOST_FALSE && !BY_CHANCE.includes(kind))
      beyond.push(`${kind}: ${row['decided frames']} frames are decided`);
    return row;
  });
  return { rows, beyond };
}

const REAL_RUNS = 100;
const REAL_TRIALS = 5;
/** Minimum share of runs in which the planted frame must be decided and named first. */
const LEAST_FOUND = 0.9;
/** Numbers of samples per trial from which {@link LEAST_FOUND} applies, by share of the planted frame. */
const FOUND_FROM: Readonly<Record<number, number>> = { 0.05: 600, 0.1: 200, 0.2: 200 };
const REAL_KINDS = [
  'independent samples',
  'bursts of 20 samples',
  'activities vary by 30%',
  'stacks vary by 50%',
];

/** Compares cells of which one has an additional frame. `short`: the cases in which it is found too rarely. */
function plantedFrame(): { rows: Row[]; short: string[] } {
  const short: string[] = [];
  const rows = REAL_KINDS.flatMap((kind) =>
    [60, 200, 600].map((samples): Row => {
      const row: Row = { disturbance: kind, samples };
      for (const [planted, from] of Object.entries(FOUND_FROM).map(([key, value]) => [Number(key), value])) {
        let found = 0;
        for (let run = 0; run < REAL_RUNS; run += 1) {
          const random = createRandom(deriveSeed(45, kind, samples, planted!, run));
          const tree = treeOf(
            simulate(KINDS[kind]!, REAL_TRIALS, () => samples, planted!, random),
            REAL_TRIALS,
          );
          if (isFirst(tree)) found += 1;
        }
        row[`a frame of ${100 * planted!}%`] = percent(found / REAL_RUNS);
        if (samples >= from! && found < LEAST_FOUND * REAL_RUNS)
          short.push(
            `${kind}, ${samples} samples, a frame of ${100 * planted!}%: ${percent(found / REAL_RUNS)}`,
          );
      }
      return row;
    }),
  );
  return { rows, short };
}

/** Returns whether the planted frame is decided, and it or a frame that it calls is the first of the largest changes. */
function isFirst(tree: CallTree): boolean {
  const at = tree.names.indexOf(PLANTED);
  const first = largestChanges(tree, { cell: 'cell', against: 'reference', event: 'cpu' })[0]?.frame;
  return tree.changes[at]?.isDecided === true && (first === at || tree.parents[first ?? -1] === at);
}

const STACKS = 20_000;
/** Maximum CPU time to build a call tree, in ms. */
const MOST_MS = 1000;

/** Measures the CPU time that a call tree of two cells takes, each with ten trials of {@link STACKS} different stacks. */
function speed(): { rows: Row[]; slow: string[] } {
  const random = createRandom(46);
  const leaves = randomTree(random, { leaves: STACKS / 2 });
  const trialsOf = (cell: number): TrialStacks[] =>
    Array.from({ length: 10 }, (_, repetition) => {
      const own = leaves.filter(() => random.unit() < STACKS / leaves.length);
      const stacks = new Map(own.map(({ stack, share }) => [stack, 1 + Math.round(share * 1e9)]));
      return { cell, repetition, order: 2 * repetition + cell, stacks, samples: 2 * stacks.size };
    });
  const cells = [trialsOf(0), trialsOf(1)] as const;
  const times = Array.from({ length: 5 }, () => {
    const begin = process.cpuUsage();
    const { names } = treeOf(cells, 10);
    const { user, system } = process.cpuUsage(begin);
    return { ms: (user + system) / 1000, frames: names.length };
  });
  const { ms, frames } = times.sort((a, b) => a.ms - b.ms)[2]!;
  return {
    rows: [
      { 'different stacks': leaves.length, 'shown frames': frames, 'CPU ms, median of 5': Math.round(ms) },
    ],
    slow: ms > MOST_MS ? [`building a call tree takes ${Math.round(ms)} ms of CPU time`] : [],
  };
}

/** Returns the tables of results, and descriptions of the criteria that are not met. */
export function benchProfiles(): { tables: StatisticsTable[]; failures: string[] } {
  const equal = equalCells();
  const real = plantedFrame();
  const built = speed();
  return {
    tables: [
      {
        title: `Comparisons of equal cells that decide a frame (at most ${percent(MOST_WRONG)}), and decided frames per comparison (at most ${MOST_FALSE}), with 6 to 3000 samples per trial`,
        rows: equal.rows,
      },
      {
        title: `Comparisons that name a frame first that only one cell has, with ${REAL_TRIALS} trials, of ${REAL_RUNS}`,
        rows: real.rows,
      },
      {
        title: `CPU time to build a call tree of 20 trials with ${STACKS} stacks (at most ${MOST_MS} ms)`,
        rows: built.rows,
      },
    ],
    failures: [...equal.beyond, ...real.short, ...built.slow],
  };
}
