/**
 * Reduces a preset to a short form, because all presets must be tested in a short time. Reduces durations and counts. A factor with many
 * levels keeps only some of them.
 */
import { cellLevels, type Levels } from '../../../common/experiment/cells';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { parseClaim } from '../../../common/measurement/condition';
import type { DefinitionInput } from '../../../common/experiment/definition';
import { readDefinition } from '../../../common/experiment/read';
import { presetDefinition, type Preset } from '../../../common/presets/preset';

/**
 * A factor with at most this many levels keeps all levels. A factor with more levels keeps only its first two, because later levels, such
 * as 181 shards, take long to set up.
 */
const MOST_LEVELS = 3;
const OF_MORE = 2;
/** Maximum number of clients of a task in the short form, unless the number of clients is a factor. */
const MOST_CLIENTS = 2;

const fewOf = <T>(all: readonly T[]): T[] => all.slice(0, all.length > MOST_LEVELS ? OF_MORE : MOST_LEVELS);

const isEnvironment = (path: string): boolean => path.startsWith('environment.');

/**
 * Returns the levels that the short form keeps of each factor. A factor of the environment (a label such as `disk: ssd`) keeps only one
 * level, because a person must change the environment.
 */
function levelsOf(cells: readonly Levels[]): [path: string, levels: unknown[]][] {
  return Object.keys(cells[0]!).map((path) => {
    const all = [...new Map(cells.map((cell) => [JSON.stringify(cell[path]), cell[path]])).values()];
    if (isEnvironment(path)) return [path, all.slice(0, 1)];
    return [path, fewOf(all)];
  });
}

/**
 * Reduces the combinations of a definition that combines all levels of all factors. Each remaining level occurs in at least one
 * combination. The number of combinations is the largest number of levels of a factor.
 */
function fewestCrossed(cells: readonly Levels[]): Levels[] {
  const chosen = levelsOf(cells);
  const longest = Math.max(1, ...chosen.map(([, levels]) => levels.length));
  return Array.from({ length: longest }, (_, at) =>
    Object.fromEntries(chosen.map(([path, levels]) => [path, levels[Math.min(at, levels.length - 1)]])),
  );
}

/**
 * Reduces the combinations of a definition that lists combinations of factor levels one by one. Returns the first of those that need the
 * same environment as the first combination.
 */
function fewestListed(cells: readonly Levels[]): Levels[] {
  const environment = (cell: Levels): string =>
    JSON.stringify(Object.entries(cell).filter(([path]) => isEnvironment(path)));
  return fewOf(cells.filter((cell) => environment(cell) === environment(cells[0]!)));
}

/**
 * Returns whether a claim is still valid in the short form. A claim that names two levels of a factor may be invalid, because these levels
 * may be missing.
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

/** Maximum number of preloaded documents in the short form. */
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
 * Returns the settings of the measured phase. If documents are ingested and all tasks start at once, the phase ends after a number of
 * documents, otherwise after a fixed time. Without ingest, a few seconds of load (`burn-in`) precede the trials, because the first searches
 * on a cluster are slow.
 */
const measureOf = (tasks: DefinitionInput['tasks']): DefinitionInput['measure'] => ({
  'burn-in': tasks.every(({ ingest }) => ingest === undefined) ? '5s' : '0s',
  warmup: '0s',
  drain: '1m',
  ...(tasks.some(({ ingest }) => ingest !== undefined) && tasks.every(beginsAtOnce)
    ? { documents: 2000 }
    : { duration: '3s' }),
});

/** Returns the definition of each combination of factor levels in the quick version of a preset. */
const cellsIn = (preset: Preset): ResolvedCell['definition'][] =>
  resolveCells(readDefinition(presetDefinition(preset, 'quick'))).map(({ definition }) => definition);

/**
 * Returns whether a preset needs several nodes. This is the case if it names the number of nodes, varies the number of replicas, or
 * allocates indices to certain nodes.
 */
export const isOverNodes = (preset: Preset): boolean => {
  const cells = cellsIn(preset);
  const replicas = new Set(cells.map(({ index }) => index.replicas));
  return (
    replicas.size > 1 ||
    cells.some(({ environment, index }) => 'nodes' in environment || typeof index.allocation === 'object')
  );
};

/**
 * Returns the attributes of `nodes` nodes, one object for each node. The nodes together have all attribute values to which the presets
 * allocate indices.
 */
export function attributesFor(presets: readonly Preset[], nodes: number): Record<string, string>[] {
  const asked = presets
    .flatMap(cellsIn)
    .flatMap(({ index: { allocation } }) => (typeof allocation === 'object' ? [allocation] : []));
  return Array.from({ length: nodes }, (_, at) =>
    Object.fromEntries(asked.map(({ attribute, values }) => [attribute, values[at % values.length]!])),
  );
}

/** Returns the definition of a preset in its short form. `trials`: number of trials for each combination of factor levels. */
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
