/** Finds the cells that a claim compares: cells that differ only in the claim's factor, in the order of its levels. */
import type { LevelText } from '../experiment/cells';
import type { Claim } from '../measurement/condition';
import type { Cell } from '../measurement/trial';

/** Cells that differ only in one factor, in the order of the factor's levels. */
export interface Series {
  cells: Cell[];
  /** Levels of the other factors, which are the same in all these cells. Empty if no other factor is varied. */
  held: readonly (readonly [path: string, level: unknown])[];
  /**
   * Paths of factors that change together with the claim's factor. This happens only if the definition lists cells instead of combining all
   * levels.
   */
  along: readonly string[];
}

/**
 * Returns the series of a claim. A series contains the cells that differ only in the claim's factor, for one combination of the other
 * factors.
 *
 * A definition may also list individual cells instead of combining all factors. If each level of the claim's factor occurs in exactly one
 * listed cell, all listed cells form one series.
 *
 * A claim `from <level> to <level>` uses these two levels and those between them. If the definition contains the two levels in the opposite
 * order, the series is reversed. `text`: see `levelTexts`.
 */
export function seriesOf(
  cells: readonly Cell[],
  { factor, range }: Pick<Claim, 'factor' | 'range'>,
  text: LevelText,
): Series[] {
  const order = levelsOf(cells, factor, range, text);
  const place = ({ levels }: Cell): number => order.indexOf(JSON.stringify(levels[factor]));
  const varied = cells.filter((cell) => place(cell) >= 0).sort((a, b) => place(a) - place(b));
  const groups = new Map<string, Cell[]>();
  for (const cell of varied) {
    const key = JSON.stringify(othersOf(cell, factor));
    groups.set(key, [...(groups.get(key) ?? []), cell]);
  }
  const series = [...groups.values()]
    .filter((group) => group.length > 1)
    .map((group) => ({
      cells: group,
      held: othersOf(group[0]!, factor),
      along: [],
    }));
  if (series.length > 0 || order.length < 2 || order.length < varied.length) return series;
  const along = varied.flatMap((cell) => othersOf(cell, factor).map(([path]) => path));
  return [{ cells: varied, held: [], along: [...new Set(along)] }];
}

/**
 * Returns the levels of `factor` as JSON, in the order of the cells and within the claim's range. Empty if a level of the range is unknown.
 */
function levelsOf(cells: readonly Cell[], factor: string, range: Claim['range'], text: LevelText): string[] {
  const varied = cells.filter(({ levels }) => factor in levels);
  const order = [...new Set(varied.map(({ levels }) => JSON.stringify(levels[factor])))];
  if (range === null) return order;
  const find = (level: string): number =>
    order.indexOf(
      JSON.stringify(varied.find(({ levels }) => text(factor, levels[factor]) === level)?.levels[factor]),
    );
  const [from, to] = [find(range.from), find(range.to)];
  if (from < 0 || to < 0) return [];
  return from <= to ? order.slice(from, to + 1) : order.slice(to, from + 1).reverse();
}

const othersOf = ({ levels }: Cell, factor: string): [string, unknown][] =>
  Object.entries(levels)
    .filter(([path]) => path !== factor)
    .sort(([a], [b]) => (a < b ? -1 : 1));
