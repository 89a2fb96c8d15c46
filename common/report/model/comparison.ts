/**
 * Compares several runs: first the differences in their set-up, which decide whether the runs are comparable; then the throughput and the
 * cluster metrics of each cell, relative to those of the first run.
 *
 * Two runs of the same cell usually differ more than the trials within a run. All trials of a run share conditions that change from run to
 * run (the place of the data on the disk, other users of the machines, warm caches). The spread of trials therefore says nothing about
 * differences between runs. Each run counts as one observation (Kalibera and Jones 2013, "Rigorous Benchmarking in Reasonable Time").
 *
 * Runs with the same clusters, machines, definition and version are repetitions of each other and form a *side*. A word such as "higher"
 * needs {@link ENOUGH_RUNS} runs on each side. With fewer runs, differences are shown without a word.
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
  /** For each run, the reasons why it is not comparable with the first run. Empty if it is comparable, and for the first run. */
  unfair: string[][];
  /**
   * For each run, the number of its side. A side is a group of runs that repeat each other, because their clusters, machines, definition
   * and version are the same. The first run is on side 0.
   */
  sides: number[];
  /**
   * Rows of throughput and latency. There is one for each task and each combination of factor levels (cell) that any of the runs contains.
   */
  rows: ComparisonRow[];
  /**
   * Rows of cluster metrics. There is one for each metric and each combination of factor levels (cell) that any of the runs contains. They
   * are grouped by metric.
   */
  cluster: ClusterRow[];
  /** Smallest relative difference that counts, from the first run's definition. A fraction, such as 0.05. */
  margin: number;
  /** Task of the first claim of the first run, and whether the metric of that claim is a time. */
  focus: { task: string; isTime: boolean };
}

export interface ComparisonRow {
  cell: string;
  task: string;
  unit: RateUnit;
  /** Values of each run, in the order of the runs. Null if no trial of the task completed with these factor levels in the run. */
  runs: ({
    throughput: ReportTask['throughput'];
    latency: ReportTask['latency'];
    /**
     * Comparison of this run with the first run. Null for the first run itself, and if the first run has no value. If enough runs repeated
     * each of the two, the means over these repetitions are compared. Otherwise, this is the difference between the two runs, without a
     * word such as *higher*.
     */
    comparison: Comparison | null;
  } | null)[];
}

export interface ClusterRow {
  cell: string;
  /** Name in claims, such as `cluster.merges.count`. */
  metric: string;
  better: ReportClusterFigure['better'];
  /** Values of each run, in the order of the runs. Null if no trial of the run has a value. */
  runs: ({
    summary: Summary;
    /** Name of the source from which the values were read, such as `collector`, for display. */
    source: string;
    /**
     * Comparison of this run with the first run, as for the throughput. If the values of the two runs come from different sources, their
     * difference is not tested.
     */
    comparison: Comparison | null;
  } | null)[];
}

/** Number of repetitions (runs with the same set-up) that are needed on each side for a test of the differences. */
export const ENOUGH_RUNS = 3;

const ALIKE = 'same set-up as the first run: the difference is that between any two runs';
const TOO_FEW = `too few runs: trials of one run share conditions that other runs do not have, so a test needs ${ENOUGH_RUNS} runs of each kind`;

/** Values of one metric in a run, for one combination of factor levels. */
interface RunFigure {
  mean: number | null;
  values: readonly number[];
}

/**
 * Compares one metric with the first run, for each combination of factor levels (cell) and each run. The confidence level applies to all
 * these comparisons together.
 * - `figures`: the values by cell and run; null if the run has no value.
 * - `otherwise`: returns the reason why a run's value is not comparable with that of the first run; '' if it is comparable.
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

/**
 * Compares runs. For each task and each cluster metric, the confidence level applies to all comparisons together. Throws an input error for
 * fewer than two runs.
 */
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

const OTHER_SOURCE =
  'read from another source than in the first run: the two sources measure slightly differently';

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

/**
 * Returns for each run the number of its side. A side is a group of runs that repeat each other: they do not differ in clusters, machines,
 * definition, version or indices.
 */
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

/**
 * Returns the combinations of factor levels (cells) of all runs, and how to find each in a run. Cells of different runs match if their
 * levels are equal. If every run has only one cell, these cells match, whatever their levels are.
 */
function cellKeys(reports: readonly Report[]): CellKey[] {
  if (reports.every(({ cells }) => cells.length === 1))
    return [{ name: 'the run', find: ({ cells }) => cells[0] }];
  // If every run varies only the same factor, `refresh_interval=30s` is shortened to `30s`.
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

/** Returns a row for every task and combination of factor levels that any of the runs contains. */
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
  /** Name of the difference, such as `Elasticsearch` or `tasks[0].executor...`. */
  what: string;
  /** Values of the runs, in the order of the runs; `–` for a run without a value. */
  values: string[];
  /**
   * - `unfair`: the cluster, the load generator or the load differs, so the runs are not comparable.
   * - `studied`: the index differs, which may be the subject of the comparison.
   * - `aside`: the difference does not affect the metrics.
   */
  weight: 'unfair' | 'studied' | 'aside';
}

/** Weights of differences, by top-level key of the definition. All keys that are not listed have the weight `aside`. */
const WEIGHTS: readonly [root: keyof Definition, weight: Difference['weight']][] = [
  ['tasks', 'unfair'],
  ['measure', 'unfair'],
  ['spread', 'unfair'],
  ['request-timeout', 'unfair'],
  ['index', 'studied'],
];
/** Keys of a definition that do not affect the measurement. */
const IGNORED: readonly string[] = ['version', 'index.name', 'index.templates'];

/** Returns the differences, the most serious ones first. */
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
    // A run of an older version may lack this fact because that version did not store it. This is not a difference.
    if (new Set(known).size > 1)
      add(
        what,
        weight,
        values.map((value) => value ?? NOT_KNOWN),
      );
  }
  const flat = reports.map(({ definition }) => new Map(leaves(inOneSpelling(definition), '')));
  const paths = [...new Set(flat.flatMap((leavesOf) => [...leavesOf.keys()]))].filter(
    (path) => !IGNORED.includes(path),
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

/**
 * Returns a definition whose settings are all written in the same way: with dots, and with `index.` at the beginning. In definitions,
 * settings may also be nested or lack `index.`. This does not count as a difference between runs.
 */
const inOneSpelling = ({ index, cluster, ...definition }: Definition): object => ({
  ...definition,
  index: { ...index, settings: flattenSettings(index.settings) },
  // Definitions of older versions of Dyno lack this key.
  cluster: { settings: flattenSettings((cluster as Definition['cluster'] | undefined)?.settings ?? {}) },
});

const NOT_KNOWN = 'not known';

/**
 * Returns a fact about the surroundings of a run, such as the version or the disks. If a run has several environments, returns all values
 * of the fact in order.
 */
function readAll(
  provenance: Provenance,
  read: (place: PlaceFacts) => string | undefined,
): string | undefined {
  const places = [storedBlocks(provenance), [provenance]].find(({ length }) => length > 0)!;
  const values = new Set(places.map(read));
  if (values.has(undefined)) return undefined;
  return [...values].join(', then ');
}

/** Returns the reasons why two runs are not comparable. Empty if the runs are comparable. */
function unfairness(one: Report, other: Report): string[] {
  if (one.provenance === null || other.provenance === null) return ['provenance not known'];
  return differences([one, other])
    .filter(({ weight }) => weight === 'unfair')
    .map(({ what }) => what);
}

/** Returns the path and the text of every leaf of `value`. A list of plain values counts as one leaf. */
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
