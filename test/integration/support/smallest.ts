/**
 * Reduces a preset to a short form, so that all presets can be tested in a short time. Durations and counts are reduced. A factor with many
 * levels keeps only some of them.
 */
import { cellLevels, type Levels } from '../../../common/experiment/cells';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { parseClaim } from '../../../common/measurement/condition';
import type { DefinitionInput } from '../../../common/experiment/definition';
import { readDefinition } from '../../../common/experiment/read';
import { presetDefinition, type Preset } from '../../../common/presets/preset';

/**
 * A factor with at most this many levels keeps them all. A factor with more is reduced to its first two levels, because later levels, such
 * as 181 shards, take long to set up.
 */
const MOST_LEVELS = 3;
const OF_MORE = 2;
/** Maximum number of clients of a task, unless the number of clients is a factor. */
const MOST_CLIENTS = 2;

const fewOf = <T>(all: readonly T[]): T[] => all.slice(0, all.length > MOST_LEVELS ? OF_MORE : MOST_LEVELS);

const isEnvironment = (path: string): boolean => path.startsWith('environment.');

/**
 * Returns for each factor the levels that are run. Of an environment (labels such as `disk: ssd`), only one level is run, because changing
 * it needs a person.
 */
function levelsOf(cells: readonly Levels[]): [path: string, levels: unknown[]][] {
  return Object.keys(cells[0]!).map((path) => {
    const all = [...new Map(cells.map((cell) => [JSON.stringify(cell[path]), cell[path]])).values()];
    if (isEnvironment(path)) return [path, all.slice(0, 1)];
    return [path, fewOf(all)];
  });
}

/**
 * Reduces the combinations of factor levels of a definition that combines all levels of all factors. Returns so few combinations that each
 * level occurs at least once: as many as the longest factor has levels.
 */
function fewestCrossed(cells: readonly Levels[]): Levels[] {
  const chosen = levelsOf(cells);
  const longest = Math.max(1, ...chosen.map(([, levels]) => levels.length));
  return Array.from({ length: longest }, (_, at) =>
    Object.fromEntries(chosen.map(([path, levels]) => [path, levels[Math.min(at, levels.length - 1)]])),
  );
}

/**
 * Reduces the combinations of factor levels of a definition that lists them one by one. Returns the first ones that need the same
 * environment as the very first one.
 */
function fewestListed(cells: readonly Levels[]): Levels[] {
  const environment = (cell: Levels): string =>
    JSON.stringify(Object.entries(cell).filter(([path]) => isEnvironment(path)));
  return fewOf(cells.filter((cell) => environment(cell) === environment(cells[0]!)));
}

/**
 * Returns whether a claim is still valid in the short form. A claim that names two levels of a factor may not be, because the levels may be
 * missing.
 */
const canBeJudged = (claim: string): boolean => {
  const parsed = parseClaim(claim);
  return 'message' in parsed || parsed.range === null;
};

function fewerClients(executor: DefinitionInput['tasks'][number]['executor']): typeof executor {
  const closed = executor?.['constant-clients'];
  if (closed) return { 'constant-clients': { ...closed, clients: Math.min(closed.clients, MOST_CLIENTS) } };
  const ramping = executor?.['ramping-clients'];
  if (!ramping) return executor;
  // All clients start at once, because the measured phase is too short for a ramp.
  return {
    'ramping-clients': { ...ramping, start: MOST_CLIENTS, stages: [{ clients: MOST_CLIENTS, over: '1s' }] },
  };
}

/** Maximum number of preloaded documents. */
const MOST_PRELOADED = 2000;

function fewerPreloaded(preload: DefinitionInput['preload']): typeof preload {
  return preload?.documents === undefined
    ? preload
    : { ...preload, documents: Math.min(preload.documents, MOST_PRELOADED) };
}

/** Returns whether a task sends requests from the start of the measured phase. A task whose clients increase does not. */
const beginsAtOnce = ({ ingest, executor }: DefinitionInput['tasks'][number]): boolean =>
  ingest !== undefined ||
  executor?.['constant-clients'] !== undefined ||
  executor?.['constant-rate'] !== undefined;

/**
 * Returns the settings of the measured phase. The phase ends after a number of documents if documents are ingested and all tasks start at
 * once. Otherwise, it ends after a fixed time. Without ingest, the trials are preceded by a few seconds of load (`burn-in`), because the
 * first searches on a cluster are slow.
 */
const measureOf = (tasks: DefinitionInput['tasks']): DefinitionInput['measure'] => ({
  'burn-in': tasks.every(({ ingest }) => ingest === undefined) ? '5s' : '0s',
  warmup: '0s',
  drain: '1m',
  ...(tasks.some(({ ingest }) => ingest !== undefined) && tasks.every(beginsAtOnce)
    ? { documents: 2000 }
    : { duration: '3s' }),
});

/** Returns the definitions of all trials in the short form of a preset. */
const cellsIn = (preset: Preset): ResolvedCell['definition'][] =>
  resolveCells(readDefinition(presetDefinition(preset, 'quick'))).map(({ definition }) => definition);

/** Returns whether a preset needs several nodes: if it names their number, has replicas, or allocates indices to certain nodes. */
export const isOverNodes = (preset: Preset): boolean => {
  const cells = cellsIn(preset);
  const replicas = new Set(cells.map(({ index }) => index.replicas));
  return (
    replicas.size > 1 ||
    cells.some(({ environment, index }) => 'nodes' in environment || typeof index.allocation === 'object')
  );
};

/** Returns attributes for `nodes` nodes. For each attribute value to which a preset allocates indices, some node has this value. */
export function attributesFor(presets: readonly Preset[], nodes: number): Record<string, string>[] {
  const asked = presets
    .flatMap(cellsIn)
    .flatMap(({ index: { allocation } }) => (typeof allocation === 'object' ? [allocation] : []));
  return Array.from({ length: nodes }, (_, at) =>
    Object.fromEntries(asked.map(({ attribute, values }) => [attribute, values[at % values.length]!])),
  );
}

/** Returns the definition of a preset's short form, with `trials` trials for each combination of factor levels. */
export function smallestForm(preset: Preset, trials: number): DefinitionInput {
  const quick = presetDefinition(preset, 'quick');
  const { expect: claims = [], tasks, preload, ...rest } = quick;
  const { factors } = readDefinition(quick);
  const cells = cellLevels({ factors });
  return {
    ...rest,
    expect: claims.filter(canBeJudged),
    baseline: undefined,
    preload: fewerPreloaded(preload),
    tasks: tasks.map((task) => ({ ...task, executor: fewerClients(task.executor) })),
    factors: Array.isArray(factors) ? fewestListed(cells) : fewestCrossed(cells),
    measure: measureOf(tasks),
    trials,
  };
}
