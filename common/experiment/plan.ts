/** The plan: every trial in its order, with an estimate, before anything starts. */
import type { Cell } from '../measurement/trial';
import { executorOf, paceSentence, requestsWithin } from '../executors/registry';
import { generatorNamed } from '../generators/registry';
import { workSentence, writes } from '../tasks/registry';
import { generatorOf } from '../tasks/source';
import { createRandom, deriveSeed, shuffled } from '../random';
import { parseBytes } from '../units/bytes';
import type { CellDefinition } from './cell-definition';
import { baselineIndex } from './cells';
import { environmentKey, labelsBeside, type Environment } from './environment';
import { vectorDocumentBytes } from '../generators/vectors';
import { durationMs, type Definition, type SourceDefinition, type TaskDefinition } from './definition';
import { preloadSource } from './preload';
import { resolveCells, resolveStoredCell, type ResolvedCell } from './resolved-cells';
import { datasetKey } from './shared-dataset';
import { mostTrials } from './trial-counts';

export interface PlannedTrial {
  order: number;
  /** Index into `cells`. */
  cell: number;
  repetition: number;
}

/** A plan as it is stored with its run: of each cell its name and its levels. */
export interface StoredPlan {
  cells: Cell[];
  /** Index of the cell that the others are compared with. */
  baseline: number;
  trials: PlannedTrial[];
  /** Over all trials. */
  estimate: {
    ms: number;
    documents: number;
    bytes: number;
    /** What had to be assumed for it; '' when nothing was. */
    assumption: string;
  };
}

/** A plan as it is worked with: each cell says what its trials do. */
export interface Plan extends Omit<StoredPlan, 'cells'> {
  cells: readonly ResolvedCell[];
}

/** A cell as it is stored, without what its trials do: that follows from the definition. */
export const storedCell = ({ index, id, label, levels }: Cell): Cell => ({ index, id, label, levels });

export const storedPlan = ({ cells, ...plan }: Plan): StoredPlan => ({
  cells: cells.map(storedCell),
  ...plan,
});

/** A stored plan as it is worked with: its cells are resolved once, by whoever reads it, and passed along from there. */
export const resolvePlan = ({ definition, plan }: { definition: Definition; plan: StoredPlan }): Plan => ({
  ...plan,
  cells: plan.cells.map((cell) => resolveStoredCell(definition, cell)),
});

/** What a trial of the plan does. */
export const definitionOf = (
  { cells }: Pick<Plan, 'cells'>,
  { cell }: { cell: Pick<Cell, 'index'> },
): CellDefinition => cells[cell.index]!.definition;

/** What a task does in some or all of the cells. */
export interface PlannedLoad {
  task: string;
  /** What is sent, and when, without a full stop. */
  sentence: string;
  /** Indices of the cells in which it does so. */
  cells: number[];
}

/** What the tasks of the trials do, in their order; a task that cells vary comes once for each way in which it runs. */
export function plannedLoads({ cells }: Pick<Plan, 'cells'>): PlannedLoad[] {
  const loads = new Map<string, Map<string, PlannedLoad>>();
  for (const { index, definition } of cells)
    for (const task of definition.tasks) {
      const sentence = `${workSentence(task)}${whereSentence(definition)}; ${paceSentence(task.executor)}`;
      const ofTask = loads.get(task.name) ?? new Map<string, PlannedLoad>();
      loads.set(task.name, ofTask);
      const known = ofTask.get(sentence) ?? { task: task.name, sentence, cells: [] };
      ofTask.set(sentence, known);
      known.cells.push(index);
    }
  return [...loads.values()].flatMap((ofTask) => [...ofTask.values()]);
}

/** Where the work goes that does not go to indices that a trial makes; '' where it does. */
function whereSentence({ index: { existing }, tasks }: CellDefinition): string {
  if (existing === undefined) return '';
  const what = tasks.some(writes) ? 'where what is done stays' : 'which is only searched';
  return `, on the existing ${existing}, ${what}`;
}

/** What the caches hold when the load begins, where the definition says it, in sentences with the cells in which it holds. */
export function plannedCaches({ cells }: Pick<Plan, 'cells'>): { sentence: string; cells: number[] }[] {
  const of = (start: 'cold' | 'warm'): number[] =>
    cells.filter(({ definition }) => definition.measure.caches === start).map(({ index }) => index);
  return [
    { sentence: 'cold: emptied before each trial, which has no warm-up', cells: of('cold') },
    { sentence: 'warm: as the warm-up leaves them', cells: of('warm') },
  ].filter((planned) => planned.cells.length > 0);
}

const SPREADS: readonly { spread: Definition['spread']; sentence: string }[] = [
  {
    spread: 'data-nodes',
    sentence:
      'requests go to the data nodes’ own addresses, past a proxy or a path in the given hosts; given-hosts sends them through it',
  },
  { spread: 'given-hosts', sentence: 'requests go to the given hosts in turn' },
  { spread: 'one-host', sentence: 'requests go to the first of the given hosts' },
];

/** Where requests go, in sentences with the cells in which they go there. */
export const plannedSpreads = ({ cells }: Pick<Plan, 'cells'>): { sentence: string; cells: number[] }[] =>
  SPREADS.map(({ spread, sentence }) => ({
    sentence,
    cells: cells.filter(({ definition }) => definition.spread === spread).map(({ index }) => index),
  })).filter((planned) => planned.cells.length > 0);

/** Creating, settling, snapshots and cleaning up of one trial, ms: about what one small node takes. */
const OVERHEAD_MS = 4000;

/** Where nothing tells the rate: what one small node takes of small documents, bytes/s. Only for estimates. */
const ASSUMED_BYTES_PER_SECOND = 20 * 1024 ** 2;

/** Mean size of a document of a file with its action line, bytes. */
const FILE_DOCUMENT_BYTES = 1024;

function bytesOf(source: SourceDefinition | undefined): number {
  if (source?.vectors !== undefined) return vectorDocumentBytes(source.vectors);
  const generator = source && generatorOf(source);
  return generator === undefined ? FILE_DOCUMENT_BYTES : generatorNamed(generator).documentBytes;
}

const documentBytes = ({ ingest }: TaskDefinition): number => bytesOf(ingest?.source);

interface TrialEstimate {
  ms: number;
  documents: number;
  bytes: number;
  assumed: boolean;
  /** What its executors ask to be assumed. */
  assumptions: string[];
}

/**
 * Documents of `size` bytes that an ingest task sends within the first `ms` of a load. `assumed`: the cluster sets the pace, and
 * {@link ASSUMED_BYTES_PER_SECOND} is assumed.
 */
export function sentWithin(
  own: CellDefinition,
  { executor, ingest }: TaskDefinition,
  ms: number,
  size: number,
): { documents: number; assumed: boolean } {
  const { bulk } = ingest!;
  const perBulk = bulk.docs ?? Math.max(1, Math.floor(parseBytes(bulk.bytes!)! / size));
  const requests = requestsWithin(executor, own, ms);
  if (requests !== null) return { documents: requests * perBulk, assumed: false };
  const ingests = own.tasks.filter((task) => task.ingest).length;
  const { description, given } = executorOf(executor);
  const most = description.mostPerSecond?.(given) ?? Infinity;
  const documents = Math.min(
    ((ASSUMED_BYTES_PER_SECOND / ingests) * ms) / 1000 / size,
    ((most * ms) / 1000) * perBulk,
  );
  return { documents, assumed: true };
}

function estimateTrial(own: CellDefinition): TrialEstimate {
  const { tasks, measure } = own;
  const ingests = tasks.filter(({ ingest }) => ingest);
  const warmup = durationMs(measure.warmup);
  if (measure.documents !== undefined) {
    const perDocument = ingests.reduce((sum, task) => sum + documentBytes(task), 0) / ingests.length;
    const bytes = measure.documents * perDocument;
    const ms = warmup + (bytes / ASSUMED_BYTES_PER_SECOND) * 1000 + OVERHEAD_MS;
    return { ms, documents: measure.documents, bytes, assumed: true, assumptions: [] };
  }
  const loadMs = warmup + durationMs(measure.duration!);
  let documents = 0;
  let bytes = 0;
  let assumed = false;
  for (const task of ingests) {
    const size = documentBytes(task);
    const sent = sentWithin(own, task, loadMs, size);
    assumed ||= sent.assumed;
    documents += sent.documents;
    bytes += sent.documents * size;
  }
  const assumptions = tasks.flatMap(({ executor }) => executorOf(executor).description.assumption ?? []);
  return { ms: loadMs + OVERHEAD_MS, documents, bytes, assumed, assumptions };
}

/** Of what is in the indices of one trial before it begins. */
export const preloadBytes = (own: CellDefinition): number =>
  (own.preload?.documents ?? 0) * bytesOf(preloadSource(own));

/** Of what one trial stores beside that, as sent. */
export const trialBytes = (own: CellDefinition): number => Math.round(estimateTrial(own).bytes);

/** Of the longest trial, with what is loaded before it and a burn-in, ms. */
export const longestTrialMs = ({ cells }: Pick<Plan, 'cells'>): number =>
  Math.max(
    ...cells.map(
      ({ definition: own }) =>
        durationMs(own.measure['burn-in']) +
        (preloadBytes(own) / ASSUMED_BYTES_PER_SECOND) * 1000 +
        estimateTrial(own).ms +
        durationMs(own.measure.drain),
    ),
  );

/** Loading what must be there first, over all trials: once for each kind of indices in an environment where they are used again. */
function estimatePreload(cells: readonly ResolvedCell[], trials: readonly { cell: number }[]): TrialEstimate {
  const loaded = new Set<string>();
  const sum: TrialEstimate = { ms: 0, documents: 0, bytes: 0, assumed: false, assumptions: [] };
  for (const { cell } of trials) {
    const own = cells[cell]!.definition;
    if (own.preload === undefined) continue;
    const key = `${environmentKey(own.environment)} ${datasetKey(own)}`;
    if (own.preload.reuse !== 'never' && loaded.has(key)) continue;
    loaded.add(key);
    const bytes = preloadBytes(own);
    sum.ms += (bytes / ASSUMED_BYTES_PER_SECOND) * 1000;
    sum.documents += own.preload.documents;
    sum.bytes += bytes;
    sum.assumed = true;
  }
  return sum;
}

/**
 * The order of trials. `interleaved`: every repetition goes through all cells, each beginning one cell later, so that no
 * cell always comes first or after the same neighbour and a drift of the machine hits all alike. `randomised`: every
 * repetition in a random order of its own (randomised blocks). `sequential`: cell after cell.
 */
function orderOf({ order, trials, seed }: Definition, cells: number): { cell: number; repetition: number }[] {
  const indices = Array.from({ length: cells }, (_, index) => index);
  const repetitions = Array.from({ length: mostTrials(trials) }, (_, index) => index);
  if (order === 'sequential') {
    return indices.flatMap((cell) => repetitions.map((repetition) => ({ cell, repetition })));
  }
  return repetitions.flatMap((repetition) => {
    const block =
      order === 'randomised'
        ? shuffled(indices, createRandom(deriveSeed(seed, 'order', repetition)))
        : indices.map((index) => (index + repetition) % cells);
    return block.map((cell) => ({ cell, repetition }));
  });
}

/**
 * One environment after the other, for somebody has to change it in between: those that carry the labels `begins` first,
 * else in the order in which the cells name them; within one, in the order that the definition asks for.
 */
function trialsOf(
  definition: Definition,
  cells: readonly ResolvedCell[],
  begins: Environment,
): Omit<PlannedTrial, 'order'>[] {
  const environments = new Map<string, { beside: number; cells: number[] }>();
  const isFirst = Object.keys(begins).length === 0;
  for (const cell of cells) {
    const { environment } = cell.definition;
    const key = environmentKey(environment);
    const beside = isFirst ? 0 : Math.min(Number.MAX_VALUE, labelsBeside(environment, begins));
    const known = environments.get(key) ?? { beside, cells: [] };
    known.cells.push(cell.index);
    environments.set(key, known);
  }
  return [...environments.values()]
    .sort((left, right) => left.beside - right.beside)
    .flatMap(({ cells: own }) =>
      orderOf(definition, own.length).map(({ cell, repetition }) => ({ cell: own[cell]!, repetition })),
    );
}

/** The plan of a definition that was read by `readDefinition`; `begins`: labels of the environments that come first. */
export function makePlan(definition: Definition, begins: Environment = {}): Plan {
  const cells = resolveCells(definition);
  const estimates = cells.map((cell) => estimateTrial(cell.definition));
  const trials = trialsOf(definition, cells, begins).map((trial, order) => ({ order, ...trial }));
  const preload = estimatePreload(cells, trials);
  const sum = (key: 'ms' | 'documents' | 'bytes'): number =>
    Math.round(trials.reduce((total, { cell }) => total + estimates[cell]![key], preload[key]));
  return {
    cells,
    baseline: baselineIndex(definition),
    trials,
    estimate: {
      ms: sum('ms') + durationMs(cells[trials[0]!.cell]!.definition.measure['burn-in']),
      documents: sum('documents'),
      bytes: sum('bytes'),
      assumption: [
        [preload, ...estimates].some(({ assumed }) => assumed)
          ? 'where the cluster sets the pace, 20 MB of documents a second'
          : '',
        ...new Set(estimates.flatMap(({ assumptions }) => assumptions)),
      ]
        .filter(Boolean)
        .join('; '),
    },
  };
}
