/**
 * Assigns each combination of factor levels a position and a group in a chart. One factor determines the position on the x axis, a second
 * one the colour of the group.
 */
import { factorPaths, levelTexts, shortNames } from '../../../common/experiment/cells';
import { plainValue } from '../../../common/json/exact';
import { cellNames } from '../../../common/report/model/cell-names';
import type { Report, ReportCell } from '../../../common/report/model/report';
import { parseBytes } from '../../../common/units/bytes';
import { parseDuration } from '../../../common/units/duration';

type Cells = Pick<Report, 'definition' | 'cells' | 'baseline'>;

export interface Factor {
  path: string;
  /** Displayed name of the factor: the end of its path, as long as needed to distinguish the factor from the others. */
  name: string;
  /** Levels as displayed texts, in the order of the definition. The text is `–` for combinations that do not set the factor. */
  levels: string[];
  /** The levels as numbers, if all levels are numbers, durations or sizes; otherwise null. */
  values: number[] | null;
}

/**
 * Value of {@link FactorChoice.x} that means that the x axis shows no factor. Each combination of factor levels then has its own position.
 */
export const EVERY_CELL = 'cell';

export interface FactorChoice {
  /** Path of the factor on the x axis. If it is {@link EVERY_CELL}, each combination of factor levels has its own position. */
  x: string;
  /** Path of the factor that determines the colour; '' if all points have the same colour. */
  by: string;
  /** For each of the other factors, by its path, the level for which the chart shows trials. */
  fixed: Record<string, string>;
}

export interface FactorView {
  choice: FactorChoice;
  places: { names: string[]; values: number[] | null; title: string };
  groups: string[];
  /** Combinations of factor levels in the chart. `cell`: index in the report. `x`: index in `places`. `group`: index in `groups`. */
  cells: { cell: number; x: number; group: number }[];
}

/** Returns a function that shows the level of a factor in a cell. */
function levelsOf({
  definition,
}: Pick<Cells, 'definition'>): (cell: Pick<ReportCell, 'levels'>, path: string) => string {
  const text = levelTexts(definition);
  return ({ levels }, path) => (path in levels ? text(path, levels[path]) : '–');
}

function numericOf(levels: readonly unknown[]): number[] | null {
  const readers: ((level: unknown) => number | undefined)[] = [
    (level) =>
      typeof level === 'number'
        ? level
        : typeof level === 'string' && level.trim() !== ''
          ? Number(level)
          : undefined,
    (level) => (typeof level === 'string' ? parseDuration(level) : undefined),
    (level) => (typeof level === 'string' ? parseBytes(level) : undefined),
  ];
  for (const read of readers) {
    const values = levels.map((level) => read(plainValue(level)));
    if (values.every((value): value is number => value !== undefined && Number.isFinite(value)))
      return values;
  }
  return null;
}

export function factorsOf({ definition, cells }: Pick<Cells, 'definition' | 'cells'>): Factor[] {
  const paths = factorPaths(definition);
  const names = shortNames(paths);
  const levelOf = levelsOf({ definition });
  return paths.map((path) => {
    const seen = new Map(cells.map((cell) => [levelOf(cell, path), cell.levels[path]]));
    const everywhere = cells.every(({ levels }) => path in levels);
    return {
      path,
      name: names.get(path)!,
      levels: [...seen.keys()],
      values: everywhere && seen.size > 1 ? numericOf([...seen.values()]) : null,
    };
  });
}

/**
 * Returns the defaults of the chart: the factor with the most levels is on the x axis, the next one determines the colour. If the
 * definition lists its combinations of levels one by one, each combination has its own position on the x axis.
 */
export function defaultChoice({ definition, cells, baseline }: Cells): FactorChoice {
  const factors = factorsOf({ definition, cells });
  const levelOf = levelsOf({ definition });
  const varied = factors
    .filter(({ levels }) => levels.length > 1)
    .sort((a, b) => b.levels.length - a.levels.length);
  const listed = Array.isArray(definition.factors) && varied.length > 1;
  const x = listed ? EVERY_CELL : (varied[0]?.path ?? EVERY_CELL);
  const by = listed ? '' : (varied[1]?.path ?? '');
  const fixed = Object.fromEntries(
    (x === EVERY_CELL ? [] : factors)
      .filter(({ path }) => path !== x && path !== by)
      .map(({ path }) => [path, levelOf(cells[baseline]!, path)]),
  );
  return { x, by, fixed };
}

/**
 * Returns the contents of the chart with the factors that the user has chosen. Defaults replace keys of `wanted` that are missing or
 * invalid.
 */
export function factorView(report: Cells, wanted: Partial<FactorChoice> = {}): FactorView {
  const factors = factorsOf(report);
  const levelOf = levelsOf(report);
  const usual = defaultChoice(report);
  const known = (path: string): boolean => factors.some((factor) => factor.path === path);
  const x = wanted.x === EVERY_CELL || (wanted.x !== undefined && known(wanted.x)) ? wanted.x : usual.x;
  if (x === EVERY_CELL) {
    const { heading, names } = cellNames(report);
    return {
      choice: { x, by: '', fixed: {} },
      places: { names, values: null, title: heading },
      groups: [''],
      cells: report.cells.map((_, at) => ({ cell: at, x: at, group: 0 })),
    };
  }
  const others = factors.filter(({ path, levels }) => path !== x && levels.length > 1);
  const wantedBy = wanted.by === '' || others.some(({ path }) => path === wanted.by) ? wanted.by : undefined;
  const by = wantedBy ?? (usual.by !== '' && usual.by !== x ? usual.by : (others[0]?.path ?? ''));
  const along = factors.find(({ path }) => path === x)!;
  const grouping = factors.find(({ path }) => path === by);
  const baseline = report.cells[report.baseline]!;
  const fixed = Object.fromEntries(
    factors
      .filter(({ path }) => path !== x && path !== by)
      .map(({ path, levels }) => {
        const level = wanted.fixed?.[path];
        return [path, level !== undefined && levels.includes(level) ? level : levelOf(baseline, path)];
      }),
  );
  return {
    choice: { x, by, fixed },
    places: { names: along.levels, values: along.values, title: along.name },
    groups: grouping ? grouping.levels.map((level) => `${grouping.name} ${level}`) : [''],
    cells: report.cells.flatMap((cell, at) =>
      Object.entries(fixed).every(([path, level]) => levelOf(cell, path) === level)
        ? [
            {
              cell: at,
              x: along.levels.indexOf(levelOf(cell, x)),
              group: grouping ? grouping.levels.indexOf(levelOf(cell, by)) : 0,
            },
          ]
        : [],
    ),
  };
}

/**
 * Parses the URL parameter with the levels of the factors that are neither on the x axis nor shown by colour. Returns {} if the text is not
 * a JSON object.
 */
export function parseFixed(text: string): Record<string, string> {
  try {
    const value: unknown = text === '' ? {} : JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, string>) : {};
  } catch {
    return {};
  }
}
