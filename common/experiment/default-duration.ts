/**
 * How long is measured where nothing is written: five minutes, or as long as a search for the highest rate may take. Each
 * cell has an answer of its own, since a factor may give one of them such a search and another one a steady load.
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

/** Where no executor asks for another time. */
export const USUAL_TIME = '5m';

type Written = Record<string, unknown>;
type Factors = Parameters<typeof cellLevels>[0]['factors'];

const isObject = (value: unknown): value is Written =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether neither a time nor a number of documents is written; what is no object is for the schema to refuse. */
const namesNoTime = ({ measure = {} }: { measure?: unknown }): boolean =>
  isObject(measure) && measure['duration'] === undefined && measure['documents'] === undefined;

const withTime = <T extends { measure?: unknown }>(definition: T, duration: string): T => ({
  ...definition,
  measure: { ...(definition.measure as object | undefined), duration },
});

/** Paths that decide whether a cell names a time, and what its tasks ask for. */
const OF_TIME = /^(tasks|measure)\b/;

/** What is larger is refused when its factors are checked. */
const isSmall = (shared: unknown, factors: Factors): boolean =>
  factorPaths({ factors }).length <= MOST_FACTORS &&
  countCells({ factors }) <= MOST_CELLS &&
  writtenOut(shared, { factors }) <= MOST_WRITTEN_OUT;

/** Levels that may have to do with the time, of each cell of a definition as it was written; none where there are too many. */
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
 * A definition as written, with the time that holds where it names none. `perCell`: its cells differ in it. The schema asks
 * for a time all the same, so `input` has that of a search; the definition that is read of it is to name none.
 */
export function withDefaultDuration(input: unknown): { input: unknown; perCell: boolean } {
  const asWritten = { input, perCell: false };
  if (!isObject(input) || !Array.isArray(input['tasks']) || !namesNoTime(input)) return asWritten;
  const usual = levelsIn(input).flatMap((levels) => {
    const { tasks, measure = {} } = input;
    const cell = { tasks, measure };
    // A path that leads nowhere is told when the factors are checked.
    for (const [path, level] of Object.entries(levels)) if (OF_TIME.test(path)) setShared(cell, path, level);
    return namesNoTime(cell) ? [usualDuration(cell.tasks)] : [];
  });
  const longest = usual.find((time) => time !== undefined);
  if (longest === undefined) return asWritten;
  return { input: withTime(input, longest), perCell: usual.includes(undefined) };
}

/**
 * A cell with its levels put in, and with the time that holds where neither they nor the `whole` definition name one. What
 * takes the time away from a definition that names it is a mistake, which the schema tells.
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
