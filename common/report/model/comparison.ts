/**
 * Several runs side by side: whether they may be compared and what differs between them, for that decides what their figures
 * mean; then each cell's throughput, and the figures of its cluster, against the first run's.
 *
 * Two runs of one cell differ by more than their trials do: trials of one run share what does not come again with the next
 * (where the data lies on the disk, who else uses the machines, what is warm). So trials say nothing about the difference of
 * runs, and the run is the unit (Kalibera and Jones 2013, "Rigorous Benchmarking in Reasonable Time": the run as a random
 * effect, whose means are compared). A word needs {@link ENOUGH_RUNS} runs on each side; where there are fewer, differences are
 * shown and nothing is said about them. A side is made of the runs that were made alike, in place, definition and version.
 */
import { shownWhole } from '../../json/exact';
import { compareFamily, differenceAlone, type Comparison } from '../../analysis/comparison';
import { focusOf } from '../../analysis/focus';
import { PLACE_TRAITS } from '../../analysis/place-differences';
import { flattenSettings } from '../../elasticsearch/settings';
import { factorPaths } from '../../experiment/cells';
import type { Definition } from '../../experiment/definition';
import type { RateUnit } from '../../tasks/registry';
import type { Summary } from '../../analysis/summary';
import type { ReportClusterCell, ReportClusterFigure } from './cluster';
import type { PlaceFacts, Provenance } from '../../experiment/run';
import { storedBlocks } from '../../measurement/stored-names';
import { inputError } from '../../problem';
import { answerAndRest } from './facts';
import type { Report, ReportCell, ReportTask } from './report';

export interface RunComparison {
  runs: {
    id: string;
    name: string;
    started: string;
    state: Report['run']['state'];
    failed: number;
    verdict: string;
    trust: Report['trust'];
  }[];
  differences: Difference[];
  /** By run: why it may not be compared with the first; empty where it may. The first run's is empty. */
  unfair: string[][];
  /** By run: runs of the same number were made alike. The first run's is 0. */
  sides: number[];
  /** One per cell and task that any run has. */
  rows: ComparisonRow[];
  /** One per cell and figure of the cluster that any run tells; those of a figure stand together. */
  cluster: ClusterRow[];
  /** Relative; that of the first run's definition. */
  margin: number;
  /** What the first claim of the first run is about: its task, and whether its figure is a time. */
  focus: { task: string; isTime: boolean };
}

export interface ComparisonRow {
  cell: string;
  task: string;
  unit: RateUnit;
  /** By run; null where the run has no completed trial of it. */
  runs: ({
    throughput: ReportTask['throughput'];
    latency: ReportTask['latency'];
    /**
     * Of its side with the first run's, over the means of runs, where both have enough runs; else its own difference to the first
     * run, without a word. Null for the first itself or where that has none.
     */
    comparison: Comparison | null;
  } | null)[];
}

export interface ClusterRow {
  cell: string;
  /** `cluster.merges.count`, as claims name it. */
  metric: string;
  better: ReportClusterFigure['better'];
  /** By run; null where no trial of it tells the figure. */
  runs: ({
    summary: Summary;
    /** As people read it: `collector`. */
    source: string;
    /** As that of throughput. Runs that have it from another source than the first get no word, nor do they count for one. */
    comparison: Comparison | null;
  } | null)[];
}

/** Fewest runs on each side that are compared in words. */
export const ENOUGH_RUNS = 3;

const ALIKE = 'made like the first run: how much the two differ is how much runs differ by themselves';
const TOO_FEW = `too few runs: trials of one run share what does not come again, so a word needs ${ENOUGH_RUNS} runs of each kind`;

/** What a run tells of one figure in one cell. */
interface RunFigure {
  mean: number | null;
  values: readonly number[];
}

/**
 * The comparisons of one figure with the first run, by cell and run; they are one family. `figures`: by cell and run, null where the
 * run does not tell it. `otherwise`: why a run's figure is not the same as the first's, though it has the name; '' where it is.
 */
function compareFigures(
  figures: readonly (readonly (RunFigure | null)[])[],
  sides: readonly number[],
  margin: number,
  otherwise: (cell: number, run: number) => string = () => '',
): (Comparison | null)[][] {
  const runMeans = (cell: number, side: number): number[] =>
    figures[cell]!.flatMap((own, run) =>
      own && sides[run] === side && own.mean !== null && otherwise(cell, run) === '' ? [own.mean] : [],
    );
  const pairs = figures
    .flatMap((_, cell) =>
      [...new Set(sides)]
        .filter((side) => side !== 0)
        .map((side) => ({ cell, side, values: runMeans(cell, side), against: runMeans(cell, 0) })),
    )
    .filter(({ values, against }) => Math.min(values.length, against.length) >= ENOUGH_RUNS);
  const comparisons = compareFamily(pairs, margin);
  return figures.map((ofCell, cell) =>
    ofCell.map((own, run): Comparison | null => {
      const base = ofCell[0];
      if (run === 0 || !base || !own) return null;
      const alone = (reason: string): Comparison =>
        differenceAlone({ values: own.values, against: base.values }, reason);
      const other = otherwise(cell, run);
      if (other !== '') return alone(other);
      const pair = pairs.findIndex((one) => one.cell === cell && one.side === sides[run]);
      return comparisons[pair] ?? alone(sides[run] === 0 ? ALIKE : TOO_FEW);
    }),
  );
}

/** Throws a DynoError (`input`) for fewer than two runs. All comparisons of one task, or of one figure of the cluster, are one family. */
export function compareReports(reports: readonly Report[]): RunComparison {
  const [first] = reports;
  if (!first || reports.length < 2) throw inputError('compare.runs', 'runs', 'at least two runs are needed');
  const { margin } = first.definition;
  const { task: focused, metric } = focusOf(first.definition);
  const sides = sidesOf(reports);
  const keys = rowKeys(reports);
  const tasks = [...new Set(keys.map(({ task }) => task))];
  const rows = tasks.flatMap((task) => {
    const own = keys.filter((key) => key.task === task);
    const found = own.map(({ find }) => reports.map((report) => find(report)));
    const comparisons = compareFigures(
      found.map((ofCell) => ofCell.map((one) => one?.throughput ?? null)),
      sides,
      margin,
    );
    return own.map(({ cell: name, unit }, row): ComparisonRow => ({
      cell: name,
      task,
      unit,
      runs: found[row]!.map((one, run) =>
        one
          ? {
              throughput: one.throughput,
              latency: one.latency,
              comparison: comparisons[row]![run]!,
            }
          : null,
      ),
    }));
  });
  return {
    runs: reports.map((report) => ({
      id: report.run.id,
      name: report.experiment.name,
      started: report.run.started,
      state: report.run.state,
      failed: report.run.trials.failed,
      verdict: answerAndRest(report)[0].toLowerCase(),
      trust: report.trust,
    })),
    differences: differences(reports),
    sides,
    unfair: reports.map((report) => (report === first ? [] : unfairness(first, report))),
    rows,
    cluster: clusterRows(reports, sides, margin),
    margin,
    focus: { task: focused, isTime: metric.unit === 'ms' },
  };
}

const OTHER_SOURCE = 'read from another source than the first run’s: the two do not tell quite the same';

function clusterRows(reports: readonly Report[], sides: readonly number[], margin: number): ClusterRow[] {
  const cells = cellKeys(reports);
  const figures = new Map(reports.flatMap(({ cluster }) => cluster.map((one) => [one.metric, one])));
  return [...figures.values()].flatMap(({ metric, better }) => {
    const ofRuns = reports.map(({ cluster }) => cluster.find((one) => one.metric === metric));
    const found = cells.map(({ find }) =>
      reports.map((report, run): ReportClusterCell | null => {
        const cell = find(report);
        return cell === undefined ? null : (ofRuns[run]?.cells[report.cells.indexOf(cell)] ?? null);
      }),
    );
    const source = (run: number): string => ofRuns[run]?.source ?? '';
    const comparisons = compareFigures(
      found.map((ofCell) => ofCell.map((one) => one?.summary ?? null)),
      sides,
      margin,
      (_, run) => (source(run) === source(0) ? '' : OTHER_SOURCE),
    );
    return cells.flatMap(({ name }, row): ClusterRow[] =>
      found[row]!.every((one) => one === null)
        ? []
        : [
            {
              cell: name,
              metric,
              better,
              runs: found[row]!.map((one, run) =>
                one === null
                  ? null
                  : { summary: one.summary, source: source(run), comparison: comparisons[row]![run]! },
              ),
            },
          ],
    );
  });
}

/** Runs that were made alike are one side: the same place, and the same work in the same indices. */
function sidesOf(reports: readonly Report[]): number[] {
  const traits: readonly string[] = PLACE_TRAITS.map(({ what }) => what);
  const firsts: Report[] = [];
  return reports.map((report) => {
    const side = firsts.findIndex(
      (first) =>
        (first.provenance === null) === (report.provenance === null) &&
        differences([first, report]).every(
          ({ what, weight }) => weight === 'aside' && !traits.includes(what),
        ),
    );
    return side < 0 ? firsts.push(report) - 1 : side;
  });
}

interface CellKey {
  name: string;
  find: (report: Report) => ReportCell | undefined;
}

/** Cells meet by their levels; runs of one cell each meet in that cell, whatever its levels: those are then the difference. */
function cellKeys(reports: readonly Report[]): CellKey[] {
  if (reports.every(({ cells }) => cells.length === 1))
    return [{ name: 'the run', find: ({ cells }) => cells[0] }];
  // `refresh_interval=30s` is `30s` where every run varies that alone.
  const varied = new Set(reports.flatMap(({ definition }) => factorPaths(definition)));
  const short = (label: string): string => (varied.size === 1 ? label.slice(label.indexOf('=') + 1) : label);
  const labels = new Map<string, string>();
  for (const { id, label } of reports.flatMap(({ cells }) => cells))
    if (!labels.has(id)) labels.set(id, label);
  return [...labels].map(([id, label]) => ({
    name: short(label),
    find: ({ cells }) => cells.find((cell) => cell.id === id),
  }));
}

interface RowKey {
  cell: string;
  task: string;
  unit: RateUnit;
  find: (report: Report) => ReportTask | undefined;
}

/** Every task that any run has in a cell. */
const rowKeys = (reports: readonly Report[]): RowKey[] =>
  cellKeys(reports).flatMap(({ name, find }) => {
    const tasks = new Map<string, RateUnit>();
    for (const { task, unit } of reports.flatMap((report) => find(report)?.tasks ?? []))
      if (!tasks.has(task)) tasks.set(task, unit);
    return [...tasks].map(([task, unit]) => ({
      cell: name,
      task,
      unit,
      find: (report: Report) => find(report)?.tasks.find((own) => own.task === task),
    }));
  });

export interface Difference {
  /** `Elasticsearch`, `tasks[0].executor...`. */
  what: string;
  /** One per run, in their order; `–` where it has none. */
  values: string[];
  /**
   * `unfair`: another cluster, generator or load, so no word is said about the figures. `studied`: the index differs, which may
   * be what is being compared. `aside`: does not touch the figures.
   */
  weight: 'unfair' | 'studied' | 'aside';
}

/** What parts of a definition are to a comparison; all else is aside. */
const WEIGHTS: readonly [root: keyof Definition, weight: Difference['weight']][] = [
  ['tasks', 'unfair'],
  ['measure', 'unfair'],
  ['spread', 'unfair'],
  ['request-timeout', 'unfair'],
  ['index', 'studied'],
];
/** Says nothing about what was done. */
const UNTOLD: readonly string[] = ['version', 'index.name', 'index.templates'];

/** What differs, the gravest first. */
function differences(reports: readonly Report[]): Difference[] {
  const found: Difference[] = [];
  const add = (what: string, weight: Difference['weight'], values: string[]): void => {
    if (new Set(values).size > 1) found.push({ what, weight, values });
  };
  for (const { what, weight, read } of PLACE_TRAITS) {
    const values = reports.map(({ provenance }) =>
      provenance === null ? NOT_KNOWN : readAll(provenance, read),
    );
    const known = values.filter((value) => value !== undefined);
    // What an older Dyno did not look at is not known to differ.
    if (new Set(known).size > 1)
      add(
        what,
        weight,
        values.map((value) => value ?? NOT_KNOWN),
      );
  }
  const flat = reports.map(({ definition }) => new Map(leaves(inOneSpelling(definition), '')));
  const paths = [...new Set(flat.flatMap((leavesOf) => [...leavesOf.keys()]))].filter(
    (path) => !UNTOLD.includes(path),
  );
  for (const path of paths) {
    const root = path.split(/[.[]/)[0];
    const weight = WEIGHTS.find(([name]) => name === root)?.[1] ?? 'aside';
    add(
      path,
      weight,
      flat.map((leavesOf) => leavesOf.get(path) ?? '–'),
    );
  }
  const order: Difference['weight'][] = ['unfair', 'studied', 'aside'];
  return found.sort((a, b) => order.indexOf(a.weight) - order.indexOf(b.weight));
}

/** Settings may be written nested or by their dotted names, with `index.` or without: none of it is a difference. */
const inOneSpelling = ({ index, cluster, ...definition }: Definition): object => ({
  ...definition,
  index: { ...index, settings: flattenSettings(index.settings) },
  // Definitions of older versions of Dyno lack it.
  cluster: { settings: flattenSettings((cluster as Definition['cluster'] | undefined)?.settings ?? {}) },
});

/** Of a run in several environments, each that it found. */
const NOT_KNOWN = 'not known';

function readAll(
  provenance: Provenance,
  read: (place: PlaceFacts) => string | undefined,
): string | undefined {
  const places = [storedBlocks(provenance), [provenance]].find(({ length }) => length > 0)!;
  const values = new Set(places.map(read));
  if (values.has(undefined)) return undefined;
  return [...values].join(', then ');
}

/** Why two runs may not be compared: what differs unfairly; empty when they may. */
function unfairness(one: Report, other: Report): string[] {
  if (one.provenance === null || other.provenance === null) return ['provenance not known'];
  return differences([one, other])
    .filter(({ weight }) => weight === 'unfair')
    .map(({ what }) => what);
}

/** Every value in `value` that is no object, by its path; lists of plain values are one value. */
function leaves(value: unknown, path: string): [string, string][] {
  if (Array.isArray(value) && value.some((item) => typeof item === 'object' && item !== null)) {
    return value.flatMap((item, at) => leaves(item, `${path}[${at}]`));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.entries(value).flatMap(([key, inner]) =>
      leaves(inner, path === '' ? key : `${path}.${key}`),
    );
  }
  if (value === undefined) return [];
  return [[path, shownWhole(value)]];
}
