/**
 * Builds the experiment that asks why two cells (combinations of factor levels) differ: the same load in these two cells only, in a few
 * short trials that alternate, with a profile of the nodes.
 */
import { usualDuration } from '../executors/registry';
import { levelsKey } from '../experiment/cells';
import type { Definition } from '../experiment/definition';
import { inputError } from '../problem';
import type { ProfileSource } from '../profile/events';
import { durationMs } from '../units/duration';
import { parseTime } from '../units/time';
import { formatChange } from '../analysis/wording';
import type { Word } from '../analysis/comparison';
import { withLevels } from './template';

type Levels = Readonly<Record<string, unknown>>;

/** The parts of a run's report on which the experiment is based. */
export interface WhySeen {
  run: { id: string };
  definition: Definition;
  cells: readonly { id: string; label: string; levels: Levels }[];
  focus: {
    metric: string;
    title: string;
    cells: readonly ({ summary: { mean: number | null } } | null)[];
  };
  effect: { from: number; to: number; word: Word } | null;
  trials: readonly {
    cellIndex: number;
    times: { measure: string | null; drain: string | null };
  }[];
}

/**
 * Returns how the nodes are profiled if the user does not choose the source. `startsNodes`: whether Dyno starts the target's nodes. Only
 * these nodes can load the profiler.
 */
export const usualSource = (startsNodes: boolean): ProfileSource =>
  startsNodes ? 'profiler' : 'hot-threads';

/** Two cells of a report, by index: `cell` is compared with `against`. */
export interface WhyPair {
  cell: number;
  against: number;
}

const TRIALS = 5;
const LONGEST_MS = 60_000;
/** Interval of the hot threads. It is shorter than usual, because the trials are short. */
const INTERVAL = '500ms';
const PREFIX = 'Why: ';
const LONGEST_NAME = 200;

const refuse = (code: string, message: string, allowed?: string): never => {
  throw inputError(`why.${code}`, 'run', message, allowed === undefined ? {} : { allowed });
};

/** Returns whether the trials of a run decided its first effect. */
export const isDecided = ({ effect }: Pick<WhySeen, 'effect'>): boolean =>
  effect?.word === 'higher' || effect?.word === 'lower';

/**
 * Returns the cells to compare. `named`: ids or labels of cells. By default, they are the two cells of the effect that the report shows
 * first. Throws a DynoError (input) if a cell does not exist, or if no decided effect shows which cells to compare.
 */
export function whyPair(seen: WhySeen, named: { cell?: string; against?: string } = {}): WhyPair {
  const { cells, effect } = seen;
  if (cells.length < 2)
    return refuse('one-cell', 'the run has only one cell, so there is no difference to explain');
  const find = (name: string): number => {
    const found = cells.findIndex(({ id, label }) => id === name || label === name);
    return found >= 0
      ? found
      : refuse('no-cell', `the run has no cell \`${name}\``, cells.map(({ label }) => label).join('; '));
  };
  const [cell, against] = [named.cell, named.against].map((name) =>
    name === undefined ? undefined : find(name),
  );
  if (cell === undefined && against === undefined) {
    if (effect !== null && isDecided(seen)) return { cell: effect.to, against: effect.from };
    return refuse(
      'undecided',
      'the run decided no difference, so there is nothing to explain',
      'two cells: --cell and --against',
    );
  }
  const pair: WhyPair = {
    cell: cell ?? (effect?.to === against ? effect!.from : (effect?.to ?? (against === 0 ? 1 : 0))),
    against: against ?? (effect?.from === cell ? effect!.to : (effect?.from ?? (cell === 0 ? 1 : 0))),
  };
  return pair.cell === pair.against ? refuse('same-cell', 'a cell cannot be compared with itself') : pair;
}

const pick = (levels: Levels, paths: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(paths.flatMap((path) => (path in levels ? [[path, levels[path]]] : [])));

/** Returns the longest measured phase of the cells' trials in ms. 0 without a completed trial. */
const longestMs = ({ trials }: WhySeen, { cell, against }: WhyPair): number =>
  Math.max(
    0,
    ...trials
      .filter(({ cellIndex }) => cellIndex === cell || cellIndex === against)
      .map(({ times: { measure, drain } }) =>
        measure === null || drain === null ? 0 : parseTime(drain) - parseTime(measure),
      ),
  );

/** Returns how the experiment measures: with a profile, and for a minute at most unless the cells differ in their duration. */
function shortMeasure(
  measure: Definition['measure'],
  seen: WhySeen,
  pair: WhyPair,
  differing: readonly string[],
  source: ProfileSource,
): Definition['measure'] {
  const profiled: Definition['measure'] = { ...measure, profile: source };
  if (source === 'hot-threads') profiled['profile-interval'] = INTERVAL;
  else delete profiled['profile-interval'];
  // The answer is about CPU time.
  delete profiled['profile-event'];
  const { documents, duration } = measure;
  if (differing.some((path) => path === 'measure.duration' || path === 'measure.documents')) return profiled;
  if (documents === undefined)
    return duration !== undefined && durationMs(duration) <= LONGEST_MS
      ? profiled
      : { ...profiled, duration: `${LONGEST_MS / 1000}s` };
  const took = longestMs(seen, pair);
  return took <= LONGEST_MS
    ? profiled
    : { ...profiled, documents: Math.max(1, Math.floor((documents * LONGEST_MS) / took)) };
}

/**
 * Returns the claim that the difference occurs again. Empty if a cell has no value, or if the values are equal. `factor`: a path that
 * differs between the cells.
 */
function claimsOf({ focus }: WhySeen, { cell, against }: WhyPair, factor: string): string[] {
  const [to, from] = [cell, against].map((at) => focus.cells[at]?.summary.mean ?? null);
  if (to == null || from == null || to === from) return [];
  return [`${focus.metric} ${to > from ? 'rises' : 'falls'} with ${factor}`];
}

/** Returns the question that the experiment answers. */
function questionOf({ run, cells, focus }: WhySeen, { cell, against }: WhyPair): string {
  const [to, from] = [cell, against].map((at) => focus.cells[at]?.summary.mean ?? null);
  const change = to == null || from == null || from === 0 ? '' : ` (${formatChange(to / from)})`;
  return (
    `Why does ${focus.title} differ${change} between ${cells[against]!.label} and ${cells[cell]!.label} in run ${run.id}? ` +
    'The profile shows where the nodes spend their CPU time in each of these cells.'
  );
}

/**
 * Returns the definition of the experiment, which is not validated yet. `source`: how the nodes are profiled. Throws a DynoError (input) if
 * the two cells cannot be compared with a profile, for example because they differ in the profile itself.
 */
export function whyExperiment(seen: WhySeen, pair: WhyPair, source: ProfileSource): Record<string, unknown> {
  const { definition, cells } = seen;
  const [from, to] = [cells[pair.against]!.levels, cells[pair.cell]!.levels];
  const paths = [...new Set([...Object.keys(from), ...Object.keys(to)])];
  const isSame = (path: string): boolean =>
    path in from && path in to && levelsKey({ level: from[path] }) === levelsKey({ level: to[path] });
  const same = paths.filter(isSame);
  const differing = paths.filter((path) => !isSame(path));
  const own = withLevels(definition, pick(from, same));
  if (differing.some((path) => path.startsWith('measure.profile') || path === 'measure'))
    refuse('profile', 'the cells differ in how they measure, so a profile cannot explain their difference');
  if (usualDuration(withLevels(own, from).tasks) !== undefined)
    refuse(
      'highest-rate',
      'a search for the highest rate has no steady load, so a profile cannot explain it',
    );
  const { name } = definition;
  const factor = differing.find((path) => path in from && path in to);
  const experiment: Record<string, unknown> = {
    ...own,
    name: (name.startsWith(PREFIX) ? name : PREFIX + name).slice(0, LONGEST_NAME),
    hypothesis: questionOf(seen, pair),
    expect: factor === undefined ? [] : claimsOf(seen, pair, factor),
    thresholds: [],
    factors:
      differing.length === 1 && factor !== undefined
        ? { [factor]: [from[factor], to[factor]] }
        : [pick(from, differing), pick(to, differing)],
    measure: shortMeasure(own.measure, seen, pair, differing, source),
    trials: TRIALS,
    order: 'interleaved',
    baseline: undefined,
    preset: undefined,
    schedule: undefined,
  };
  return Object.fromEntries(Object.entries(experiment).filter(([, value]) => value !== undefined));
}
