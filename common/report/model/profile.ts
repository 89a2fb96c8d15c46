/** The profile of a run: on which code the nodes spent their time or their memory in the measured phases, as a call tree. */
import {
  callTree,
  LEAST_VISIBLE,
  profileDesign,
  type CallTree,
  type TrialStacks,
} from '../../analysis/call-tree';
import { largestChanges, type LargestChange } from '../../analysis/largest-changes';
import { resolvePlan } from '../../experiment/plan';
import type { RunDocument } from '../../experiment/run';
import { inputError } from '../../problem';
import type { ProfileDocument } from '../../measurement/profile-document';
import { activityOf, addWeight } from '../../profile/activities';
import type { ProfileEvent } from '../../profile/events';
import { framesOf, partsOf, passes, totalOf, type StackFilter, type Stacks } from '../../profile/stacks';

/** Change of a frame between two cells. Differences are shares: 0.05 is 5 percentage points more than in the reference cell. */
export interface ProfileChange {
  /** Index of the frame in the tree. */
  frame: number;
  difference: number;
  /** 95% interval of the difference, for this frame alone. */
  low: number;
  high: number;
  /** Whether the interval excludes 0 after it is widened for all frames that are tested together. */
  isDecided: boolean;
}

/** A {@link CallTree} with short lists. All arrays but `names` and `changes` have one element per frame. */
export interface ProfileTree {
  /** Distinct names of frames, such as `org.apache.lucene.index.SegmentMerger.merge`. */
  names: string[];
  /** Index of the frame's name in `names`. */
  name: number[];
  /** Index of the frame that called this one; -1 for the root. */
  parent: number[];
  /** Key of the activity to which a stack that ends with this frame belongs; null if its frames do not decide it. */
  activity: (string | null)[];
  share: number[];
  against: number[] | null;
  /** Changes of the frames that were tested. Rare frames are not tested. */
  changes: ProfileChange[];
}

export interface Profile {
  /** Cells of the run that have a profile. `trials`: number of their trials with a profile. */
  cells: { cell: number; label: string; trials: number }[];
  events: ProfileEvent[];
  /** Names of the nodes and of their thread pools, the one with the largest share first. */
  nodes: string[];
  pools: string[];
  /** Index of the cell of the tree, and of the cell with which it is compared; null for none. */
  cell: number;
  against: number | null;
  event: ProfileEvent;
  source: ProfileDocument['source'];
  /** Number of stacks of the cell, and of the reference cell (0 without one). */
  samples: { cell: number; against: number };
  /** Mean weight of a trial in the unit of the event, over the chosen nodes and pools, in the cell and in the reference cell. */
  perTrial: { cell: number; against: number };
  /** Shares of the activities in [0, 1], which include those of their parts. Empty for CPU time: the report has metrics for it. */
  activities: { key: string; share: number; against: number }[];
  tree: ProfileTree;
  /** The largest decided changes, the largest one first. */
  changes: LargestChange[];
  /** Why no change of these cells can be decided, such as too few trials; '' if changes can be decided. */
  undecidable: string;
}

/** Parameters of a view of the profile. */
export interface ProfileQuery extends StackFilter {
  /** Index of a cell in the plan. Default: the last cell with a profile. */
  cell?: number | undefined;
  /** Index of the cell with which it is compared, or `none`. Default: the first other cell with a profile. */
  against?: number | 'none' | undefined;
  /** If the run has no profile of this event, the result is about another event. Default: `cpu`. */
  event?: ProfileEvent | undefined;
  /** Smallest share of a frame in the tree. Default: {@link LEAST_VISIBLE}. */
  least?: number | undefined;
}

/** The profile of one trial without its stacks. */
export type ProfileHead = Omit<ProfileDocument, 'stacks'>;
/** The profile of one trial, with its stacks as a map. */
export type TrialProfile = ProfileHead & { stacks: Stacks };

/** The profiles of a run that are shown. */
export interface ProfileChoice {
  event: ProfileEvent;
  /** Index of the cell in the plan, and of the cell with which it is compared, if any. */
  cells: readonly [cell: number, against?: number];
}

/** Sums of weights by name, the largest first. */
class Sums {
  private readonly sums = new Map<string, number>();

  add(name: string, weight: number): void {
    this.sums.set(name, (this.sums.get(name) ?? 0) + weight);
  }

  names(): string[] {
    return [...this.sums].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  }
}

/** Returns the index of each distinct name, and the distinct names. */
function indexed(names: readonly string[]): { names: string[]; name: number[] } {
  const known = new Map<string, number>();
  const name = names.map((text) => {
    const at = known.get(text) ?? known.size;
    known.set(text, at);
    return at;
  });
  return { names: [...known.keys()], name };
}

const treeOf = ({ names, parents, activities, shares, against, changes }: CallTree): ProfileTree => ({
  ...indexed(names),
  parent: parents,
  activity: activities,
  share: shares,
  against,
  changes: changes.flatMap((change, frame) =>
    change === null
      ? []
      : [
          {
            frame,
            difference: change.difference,
            low: change.interval.low,
            high: change.interval.high,
            isDecided: change.isDecided,
          },
        ],
  ),
});

const cellsOf = (heads: readonly ProfileHead[]): Profile['cells'] =>
  [...new Map(heads.map(({ cell }) => [cell.index, cell.label]))]
    .map(([cell, label]) => ({
      cell,
      label,
      trials: heads.filter((head) => head.cell.index === cell).length,
    }))
    .sort((one, other) => one.cell - other.cell);

/**
 * Chooses the profiles that a reader wants to see. `heads`: all profiles of the run. Throws a DynoError (input): `profile.none` without
 * profiles, `profile.no-cell` if the wanted cell has none.
 */
export function chooseProfile(heads: readonly ProfileHead[], query: ProfileQuery): ProfileChoice {
  const event = heads.find((head) => head.event === (query.event ?? 'cpu'))?.event ?? heads[0]?.event;
  if (event === undefined)
    throw inputError('profile.none', 'id', 'the run has no profile', {
      allowed: 'a run whose definition sets `measure.profile`, for example to `hot-threads`',
    });
  const cells = cellsOf(heads.filter((head) => head.event === event)).map(({ cell }) => cell);
  const known = (index: number | undefined): number | undefined => {
    if (index === undefined || cells.includes(index)) return index;
    throw inputError('profile.no-cell', 'cell', `the trials of this cell have no profile of ${event}`, {
      found: String(index),
      allowed: cells.join(', '),
    });
  };
  const cell = known(query.cell) ?? cells.at(-1)!;
  const against =
    query.against === 'none' ? undefined : (known(query.against) ?? cells.find((one) => one !== cell));
  return { event, cells: against === undefined || against === cell ? [cell] : [cell, against] };
}

/**
 * Chooses the profiles of one cell for a file. Unlike {@link chooseProfile}, never chooses another event: throws a DynoError
 * `profile.no-event` (input) if the run has no profile of the wanted event. Throws the errors of {@link chooseProfile} too.
 */
export function chooseForFile(
  heads: readonly ProfileHead[],
  { cell, event = 'cpu' }: Pick<ProfileQuery, 'cell' | 'event'>,
): ProfileChoice {
  if (heads.length > 0 && !heads.some((head) => head.event === event))
    throw inputError('profile.no-event', 'event', 'the run has no profile of this event', {
      found: event,
      allowed: [...new Set(heads.map((head) => head.event))].join(', '),
    });
  return chooseProfile(heads, { cell, event, against: 'none' });
}

/** The trials of a cell: mean share of each activity, and mean weight of a trial. */
interface ActivityWeights {
  shares: ReadonlyMap<string, number>;
  perTrial: number;
}

function activitiesIn(trials: readonly TrialProfile[], filter: StackFilter): ActivityWeights {
  const shares = new Map<string, number>();
  let perTrial = 0;
  for (const { stacks } of trials) {
    const weights = new Map<string, number>();
    let total = 0;
    for (const [stack, weight] of stacks) {
      const parts = partsOf(stack);
      if (!passes(parts, filter)) continue;
      total += weight;
      addWeight(weights, activityOf({ frames: parts.frames, thread: `[${parts.pool}]` }), weight);
    }
    for (const [key, weight] of weights)
      shares.set(key, (shares.get(key) ?? 0) + weight / total / trials.length);
    perTrial += total / trials.length;
  }
  return { shares, perTrial };
}

/** Returns whether a choice contains the profile. */
export const isChosen = ({ event, cell }: ProfileHead, choice: ProfileChoice): boolean =>
  event === choice.event && choice.cells.includes(cell.index);

/**
 * Builds the profile of a run. `names`: names of the cells, by index in the plan. `heads`: all profiles of the run. `profiles`: the chosen
 * profiles with their stacks.
 */
export function buildProfile(
  run: Pick<RunDocument, 'definition' | 'plan'>,
  names: readonly string[],
  {
    heads,
    choice,
    profiles,
  }: { heads: readonly ProfileHead[]; choice: ProfileChoice; profiles: readonly TrialProfile[] },
  { node, pool, least = LEAST_VISIBLE }: Pick<ProfileQuery, 'node' | 'pool' | 'least'> = {},
): Profile {
  const {
    event,
    cells: [cell, against = null],
  } = choice;
  const nodes = new Sums();
  const pools = new Sums();
  const trials = profiles.map((profile): TrialStacks => {
    for (const [stack, weight] of profile.stacks) {
      const parts = partsOf(stack);
      nodes.add(parts.node, weight);
      pools.add(parts.pool, weight);
    }
    const stacks = framesOf(profile.stacks, { node, pool });
    const part = totalOf(stacks) / Math.max(1, totalOf(profile.stacks));
    const { repetition, order } = profile.trial;
    return {
      cell: profile.cell.index,
      repetition,
      order,
      stacks,
      samples: Math.round(profile.samples * part),
    };
  });
  const of = (index: number): TrialStacks[] => trials.filter((trial) => trial.cell === index);
  const [own, reference] = [cell, against].map((index) =>
    activitiesIn(
      profiles.filter((profile) => profile.cell.index === index),
      { node, pool },
    ),
  ) as [ActivityWeights, ActivityWeights];
  const samples = (index: number): number => of(index).reduce((sum, trial) => sum + trial.samples, 0);
  const tree = callTree(
    of(cell),
    against === null ? null : of(against),
    profileDesign(run.definition, resolvePlan(run), cell, against ?? cell),
    least,
  );
  const cells = cellsOf(heads.filter((head) => head.event === event));
  const nameOf = (index: number): string =>
    names[index] ?? cells.find((one) => one.cell === index)?.label ?? String(index);
  return {
    cells,
    events: [...new Set(heads.map((head) => head.event))],
    nodes: nodes.names(),
    pools: pools.names(),
    ...{ cell, against, event },
    source: profiles[0]!.source,
    samples: { cell: samples(cell), against: against === null ? 0 : samples(against) },
    perTrial: { cell: own.perTrial, against: reference.perTrial },
    activities:
      event === 'cpu'
        ? []
        : [...new Set([...own.shares.keys(), ...reference.shares.keys()])].map((key) => ({
            key,
            share: own.shares.get(key) ?? 0,
            against: reference.shares.get(key) ?? 0,
          })),
    tree: treeOf(tree),
    changes:
      against === null ? [] : largestChanges(tree, { cell: nameOf(cell), against: nameOf(against), event }),
    undecidable: tree.undecidable,
  };
}
