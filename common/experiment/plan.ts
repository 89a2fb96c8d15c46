/** Creates the plan of a run: all trials in their order, with estimates of time, documents and disk space. */
import type { Cell } from '../measurement/trial';
import { executorOf, paceSentence, requestsWithin } from '../executors/registry';
import { generatorNamed } from '../generators/registry';
import { workSentence, writes } from '../tasks/registry';
import { generatorOf } from '../tasks/source';
import { createRandom, deriveSeed, shuffled } from '../random';
import { parseBytes } from '../units/bytes';
import type { CellDefinition } from './cell-definition';
import { baselineIndex } from './cells';
import { takesTurns } from './cluster-names';
import { environmentKey, labelsBeside, type Environment } from './environment';
import { blocksOf, environmentsOf, type PlannedBlock, type PlannedTrial } from './environment-blocks';
import { vectorDocumentBytes } from '../generators/vectors';
import { durationMs, type Definition, type SourceDefinition, type TaskDefinition } from './definition';
import { preloadSource } from './preload';
import { resolveCells, resolveStoredCell, type ResolvedCell } from './resolved-cells';
import { datasetKey } from './shared-dataset';
import { mostTrials } from './trial-counts';

export type { PlannedTrial };

/** A plan as it is stored with a run. Its cells contain only their names and levels. */
export interface StoredPlan {
  cells: Cell[];
  /** Index of the baseline cell. */
  baseline: number;
  trials: PlannedTrial[];
  /** Estimates for all trials together. */
  estimate: {
    ms: number;
    documents: number;
    bytes: number;
    /** Assumptions of the estimates as text; '' without assumptions. */
    assumption: string;
  };
}

/** A plan whose cells also contain the definitions of their trials. */
export interface Plan extends Omit<StoredPlan, 'cells'> {
  cells: readonly ResolvedCell[];
}

/** Returns a cell without its definition, for storage. Dyno can calculate the definition of a cell again from that of the experiment. */
export const storedCell = ({ index, id, label, levels }: Cell): Cell => ({ index, id, label, levels });

export const storedPlan = ({ cells, ...plan }: Plan): StoredPlan => ({
  cells: cells.map(storedCell),
  ...plan,
});

/** Returns a stored plan with the definitions of its cells. The calculation is slow, so call it only once per plan. */
export const resolvePlan = ({ definition, plan }: { definition: Definition; plan: StoredPlan }): Plan => ({
  ...plan,
  cells: plan.cells.map((cell) => resolveStoredCell(definition, cell)),
});

/** Returns the definition of the trials of a cell. */
export const definitionOf = (
  { cells }: Pick<Plan, 'cells'>,
  { cell }: { cell: Pick<Cell, 'index'> },
): CellDefinition => cells[cell.index]!.definition;

/** Description of what a task does in certain cells. */
export interface PlannedLoad {
  task: string;
  /** One sentence about the task's work and its rate, without a full stop. */
  sentence: string;
  /** Indices of the cells in which the task does this. */
  cells: number[];
}

/**
 * Describes what each task does. The result has the order of the tasks. A task that differs between cells has one entry for each variant.
 */
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

/** Returns a phrase about the existing indices on which the tasks work. '' if the trial creates its indices. */
function whereSentence({ index: { existing }, tasks }: CellDefinition): string {
  if (existing === undefined) return '';
  const what = tasks.some(writes) ? 'where its changes stay' : 'which is only searched';
  return `, on existing data (${existing}), ${what}`;
}

/**
 * Describes the state of the caches at the beginning of the measured phase. Returns one entry for each state, with the cells in which it
 * occurs.
 */
export function plannedCaches({ cells }: Pick<Plan, 'cells'>): { sentence: string; cells: number[] }[] {
  const of = (start: 'cold' | 'warm'): number[] =>
    cells.filter(({ definition }) => definition.measure.caches === start).map(({ index }) => index);
  return [
    { sentence: 'cold: cleared before each trial, without a warm-up', cells: of('cold') },
    { sentence: 'warm: filled by the warm-up', cells: of('warm') },
  ].filter((planned) => planned.cells.length > 0);
}

const SPREADS: readonly { spread: Definition['spread']; sentence: string }[] = [
  {
    spread: 'data-nodes',
    sentence:
      'requests go directly to the addresses of the data nodes, bypassing any proxy or path of the given hosts; use given-hosts to send them through it',
  },
  { spread: 'given-hosts', sentence: 'requests go to the given hosts in turn' },
  { spread: 'one-host', sentence: 'requests go to the first of the given hosts' },
];

/** Describes which nodes receive the requests. Returns one entry for each choice of nodes, with the cells that use it. */
export const plannedSpreads = ({ cells }: Pick<Plan, 'cells'>): { sentence: string; cells: number[] }[] =>
  SPREADS.map(({ spread, sentence }) => ({
    sentence,
    cells: cells.filter(({ definition }) => definition.spread === spread).map(({ index }) => index),
  })).filter((planned) => planned.cells.length > 0);

/**
 * Estimated time of a trial on one small node in addition to its load, in ms. In this time, Dyno creates indices, waits until the cluster
 * has no more work, reads metrics, and cleans up.
 */
const OVERHEAD_MS = 4000;

/** Assumed rate at which one small node indexes small documents, in bytes per second. It is used if the definition sets no rate. */
const ASSUMED_BYTES_PER_SECOND = 20 * 1024 ** 2;

/** Assumed mean size of a document from a file with its action line, in bytes. */
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
  /** Assumptions about the executors on which the estimate is based, as texts. */
  assumptions: string[];
}

/**
 * Returns how many documents of `size` bytes an ingest task sends within the first `ms` of a load. `assumed` in the result: whether the
 * number is based on {@link ASSUMED_BYTES_PER_SECOND}. This is the case if the definition does not determine the rate.
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

/**
 * Returns the size of the documents that are loaded before a trial, in bytes. Returns 0 if an index is copied, because its size is not
 * known here.
 */
export const preloadBytes = (own: CellDefinition): number =>
  (own.preload?.documents ?? 0) * bytesOf(preloadSource(own));

/** Returns the size of the documents that the tasks of a trial send, in bytes. */
export const trialBytes = (own: CellDefinition): number => Math.round(estimateTrial(own).bytes);

/**
 * Returns the duration of the longest trial in ms, including the loading of documents and the burn-in (unmeasured load before the first
 * trial).
 */
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

/**
 * Estimates the total time, documents and bytes of the loading before the trials. Documents that several trials share are loaded only once
 * in each environment block.
 */
function estimatePreload(cells: readonly ResolvedCell[], blocks: readonly PlannedBlock[]): TrialEstimate {
  const loaded = new Set<string>();
  const sum: TrialEstimate = { ms: 0, documents: 0, bytes: 0, assumed: false, assumptions: [] };
  const trials = blocks.flatMap((block, at) => block.trials.map(({ cell }) => ({ cell, at })));
  for (const { cell, at } of trials) {
    const own = cells[cell]!.definition;
    if (own.preload === undefined) continue;
    const key = `${at} ${datasetKey(own)}`;
    if (own.preload.reuse !== 'never' && loaded.has(key)) continue;
    loaded.add(key);
    const bytes = preloadBytes(own);
    sum.ms += (bytes / ASSUMED_BYTES_PER_SECOND) * 1000;
    sum.documents += own.preload.documents ?? 0;
    sum.bytes += bytes;
    sum.assumed = true;
  }
  return sum;
}

/**
 * Returns the order of the trials.
 * - `interleaved`: every repetition runs through all cells, and begins one cell later than the previous one. No cell is therefore always
 *   the first, and a drift of the machine affects all cells equally.
 * - `randomised`: every repetition has its own random order (a randomised block design).
 * - `sequential`: all trials of a cell, then those of the next cell.
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
 * Returns the trials in the order of the run. If a person has to change the environment, all trials of one environment follow each other.
 * Otherwise, the environments may alternate.
 *
 * The environments that have the labels `begins` come first, then the others in the order of the cells. Within an environment, the trials
 * have the order that the definition requests.
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
  const groups = [...environments.values()]
    .sort((left, right) => left.beside - right.beside)
    .map(({ cells: own }) =>
      orderOf(definition, own.length).map(({ cell, repetition }) => ({ cell: own[cell]!, repetition })),
    );
  if (definition.order === 'sequential' || !takesTurns(environmentsOf(cells))) return groups.flat();
  return orderOf(definition, groups.length).flatMap(({ cell: group, repetition }) =>
    groups[group]!.filter((trial) => trial.repetition === repetition),
  );
}

const burnInMs = ({ definition }: ResolvedCell): number => durationMs(definition.measure['burn-in']);

/**
 * Creates the plan of a definition. `definition`: result of `readDefinition`. `begins`: labels of the environment with which the run
 * starts.
 */
export function makePlan(definition: Definition, begins: Environment = {}): Plan {
  const cells = resolveCells(definition);
  const estimates = cells.map((cell) => estimateTrial(cell.definition));
  const trials = trialsOf(definition, cells, begins).map((trial, order) => ({ order, ...trial }));
  const blocks = blocksOf({ cells, trials });
  const preload = estimatePreload(cells, blocks);
  const burnIns = blocks.reduce((sum, block) => sum + burnInMs(cells[block.trials[0]!.cell]!), 0);
  const sum = (key: 'ms' | 'documents' | 'bytes'): number =>
    Math.round(trials.reduce((total, { cell }) => total + estimates[cell]![key], preload[key]));
  return {
    cells,
    baseline: baselineIndex(definition),
    trials,
    estimate: {
      ms: sum('ms') + burnIns,
      documents: sum('documents'),
      bytes: sum('bytes'),
      assumption: [
        [preload, ...estimates].some(({ assumed }) => assumed)
          ? '20 MB of documents a second where the cluster sets the pace'
          : '',
        ...new Set(estimates.flatMap(({ assumptions }) => assumptions)),
      ]
        .filter(Boolean)
        .join('; '),
    },
  };
}
