/**
 * Chooses the duration of the measured phase if the definition contains none. It is five minutes; for a search for the highest rate, it is
 * the maximum duration of the search. Each cell has a separate default, because a factor may change a steady load into such a search.
 */
import {
  cellLevels,
  countCells,
  factorPaths,
  MOST_CELLS,
  MOST_FACTORS,
  MOST_WRITTEN_OUT,
  writtenOut,
  type Levels,
} from './cells';
import { usualDuration } from '../executors/registry';
import { setShared } from './path';

/** Default duration, unless an executor needs a different one. */
export const USUAL_TIME = '5m';

type Written = Record<string, unknown>;
type Factors = Parameters<typeof cellLevels>[0]['factors'];

const isObject = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns whether a definition contains neither a duration nor a number of documents. False if `measure` is not an object, because the
 * schema reports this.
 */
const namesNoTime = ({ measure = {} }: { measure?: unknown }): boolean =>
  isObject(measure) && measure['duration'] === undefined && measure['documents'] === undefined;

const withTime = <T extends { measure?: unknown }>(definition: T, duration: string): T => ({
  ...definition,
  measure: { ...(definition.measure as object | undefined), duration },
});

/** Matches paths of factors that can affect the default duration. */
const OF_TIME = /^(tasks|measure)\b/;

/**
 * Returns whether the definition is small enough to create all its cells here. For a larger definition, `checkFactors` reports a problem.
 */
const isSmall = (shared: unknown, factors: Factors): boolean =>
  factorPaths({ factors }).length <= MOST_FACTORS &&
  countCells({ factors }) <= MOST_CELLS &&
  writtenOut(shared, { factors }) <= MOST_WRITTEN_OUT;

/**
 * Returns the levels of each cell, without factors that cannot affect the duration. The parameters are keys of a definition before
 * validation. Returns an empty list if there are too many cells.
 */
function levelsIn({ factors = {}, tasks, measure }: Written): Levels[] {
  if (Array.isArray(factors)) {
    const cells = (factors as unknown[]).filter(isObject);
    return isSmall({ tasks, measure }, cells) ? cells : [];
  }
  if (!isObject(factors)) return [];
  const ofTime = Object.fromEntries(Object.entries(factors).filter(([path]) => OF_TIME.test(path)));
  if (!Object.values(ofTime).every((list) => Array.isArray(list))) return [];
  return isSmall({ tasks, measure }, ofTime as Factors) ? cellLevels({ factors: ofTime as Factors }) : [];
}

/**
 * Adds the default duration to a definition that contains none. `input`: the definition before validation. `perCell` in the result: whether
 * the cells need different durations. In this case, the added duration only satisfies the schema, and the caller must remove it after
 * validation.
 */
export function withDefaultDuration(input: unknown): { input: unknown; perCell: boolean } {
  const asWritten = { input, perCell: false };
  if (!isObject(input) || !Array.isArray(input['tasks']) || !namesNoTime(input)) return asWritten;
  const usual = levelsIn(input).flatMap((levels) => {
    const { tasks, measure = {} } = input;
    const cell = { tasks, measure };
    // `checkFactors` reports paths that do not exist.
    for (const [path, level] of Object.entries(levels)) if (OF_TIME.test(path)) setShared(cell, path, level);
    return namesNoTime(cell) ? [usualDuration(cell.tasks)] : [];
  });
  const longest = usual.find((time) => time !== undefined);
  if (longest === undefined) return asWritten;
  return { input: withTime(input, longest), perCell: usual.includes(undefined) };
}

/**
 * Returns a cell's definition with the default duration if the cell contains neither a duration nor a number of documents. `whole`: the
 * definition of the experiment. If only `whole` contains one of the two, a factor has removed it. The five-minute default is not added in
 * this case, so that the schema reports the mistake.
 */
export function withOwnDuration<T extends { tasks: unknown; measure: object }>(
  cell: T,
  whole: { measure: object },
): T {
  if (!namesNoTime(cell)) return cell;
  const usual = usualDuration(cell.tasks);
  if (usual !== undefined) return withTime(cell, usual);
  return namesNoTime(whole) ? withTime(cell, USUAL_TIME) : cell;
}
