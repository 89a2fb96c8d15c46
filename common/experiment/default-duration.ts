/**
 * Chooses the duration of the measured phase if the definition has none: five minutes, or the longest time of a search for the highest
 * rate. Each cell has its own default, because a factor may give one cell such a search and another cell a steady load.
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
 * Returns whether the definition contains neither a duration nor a number of documents. Values that are not objects count as missing; the
 * schema reports them.
 */
const namesNoTime = ({ measure = {} }: { measure?: unknown }): boolean =>
  isObject(measure) && measure['duration'] === undefined && measure['documents'] === undefined;

const withTime = <T extends { measure?: unknown }>(definition: T, duration: string): T => ({
  ...definition,
  measure: { ...(definition.measure as object | undefined), duration },
});

/** Matches paths of factors that can affect the default duration. */
const OF_TIME = /^(tasks|measure)\b/;

/** Returns whether the definition is small enough to create its cells here. `checkFactors` reports definitions that are too large. */
const isSmall = (shared: unknown, factors: Factors): boolean =>
  factorPaths({ factors }).length <= MOST_FACTORS &&
  countCells({ factors }) <= MOST_CELLS &&
  writtenOut(shared, { factors }) <= MOST_WRITTEN_OUT;

/** Returns the levels that may affect the duration, for each cell of a written definition; empty if there are too many cells. */
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
 * Adds the default duration to a written definition that has none. `perCell` of the result: the cells need different durations. In this
 * case, `input` gets the duration of a search only because the schema requires a duration, and the caller removes it after reading.
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
 * Returns a cell with its levels applied, and with the default duration if neither the cell nor the `whole` definition has one. If a level
 * removes a duration that the definition contains, adds nothing, so that the schema reports this mistake.
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
