/** The smallest form of a preset: short enough to run every one of them, with each level of each factor met where few do. */
import { cellLevels, type Levels } from '../../../common/experiment/cells';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { parseClaim } from '../../../common/measurement/condition';
import type { DefinitionInput } from '../../../common/experiment/definition';
import { readDefinition } from '../../../common/experiment/read';
import { presetDefinition, type Preset } from '../../../common/presets/preset';

/** Of a factor with more levels the first two: later ones, such as 181 shards, take long to set up. */
const MOST_LEVELS = 3;
const OF_MORE = 2;
/** Of every closed executor, unless their number is what is varied. */
const MOST_CLIENTS = 2;

const fewOf = <T>(all: readonly T[]): T[] => all.slice(0, all.length > MOST_LEVELS ? OF_MORE : MOST_LEVELS);

const isEnvironment = (path: string): boolean => path.startsWith('environment.');

/** The levels of each factor that are run: one of an environment, for nobody is there to change it. */
function levelsOf(cells: readonly Levels[]): [path: string, levels: unknown[]][] {
  return Object.keys(cells[0]!).map((path) => {
    const all = [...new Map(cells.map((cell) => [JSON.stringify(cell[path]), cell[path]])).values()];
    if (isEnvironment(path)) return [path, all.slice(0, 1)];
    return [path, fewOf(all)];
  });
}

/** Crossed factors: as many cells as the longest has levels, each level in one of them. */
function fewestCrossed(cells: readonly Levels[]): Levels[] {
  const chosen = levelsOf(cells);
  const longest = Math.max(1, ...chosen.map(([, levels]) => levels.length));
  return Array.from({ length: longest }, (_, at) =>
    Object.fromEntries(chosen.map(([path, levels]) => [path, levels[Math.min(at, levels.length - 1)]])),
  );
}

/** Listed cells: those of the first environment, and few of them. */
function fewestListed(cells: readonly Levels[]): Levels[] {
  const environment = (cell: Levels): string =>
    JSON.stringify(Object.entries(cell).filter(([path]) => isEnvironment(path)));
  return fewOf(cells.filter((cell) => environment(cell) === environment(cells[0]!)));
}

/** Claims about levels that are not run cannot be read. */
const isTellable = (claim: string): boolean => {
  const parsed = parseClaim(claim);
  return 'message' in parsed || parsed.range === null;
};

function fewerClients(executor: DefinitionInput['tasks'][number]['executor']): typeof executor {
  const closed = executor?.['constant-clients'];
  if (closed) return { 'constant-clients': { ...closed, clients: Math.min(closed.clients, MOST_CLIENTS) } };
  const ramping = executor?.['ramping-clients'];
  if (!ramping) return executor;
  // All from the beginning: nothing is measured for so long that a ramp would come to its end.
  return {
    'ramping-clients': { ...ramping, start: MOST_CLIENTS, stages: [{ clients: MOST_CLIENTS, over: '1s' }] },
  };
}

/** What must be there first. */
const MOST_PRELOADED = 2000;

function fewerPreloaded(preload: DefinitionInput['preload']): typeof preload {
  return preload && { ...preload, documents: Math.min(preload.documents, MOST_PRELOADED) };
}

/** What is sent at once, and not only after a while, as by a ramp. */
const beginsAtOnce = ({ ingest, executor }: DefinitionInput['tasks'][number]): boolean =>
  ingest !== undefined ||
  executor?.['constant-clients'] !== undefined ||
  executor?.['constant-rate'] !== undefined;

/**
 * A few bulks, however long a busy machine takes for them. A time where searches would come to nothing beside so few, and
 * where there are only searches some before it, for the first ones of a cluster may take seconds each.
 */
const measureOf = (tasks: DefinitionInput['tasks']): DefinitionInput['measure'] => ({
  'burn-in': tasks.every(({ ingest }) => ingest === undefined) ? '5s' : '0s',
  warmup: '0s',
  drain: '1m',
  ...(tasks.some(({ ingest }) => ingest !== undefined) && tasks.every(beginsAtOnce)
    ? { documents: 2000 }
    : { duration: '3s' }),
});

/** Each cell of the preset's short form. */
const cellsIn = (preset: Preset): ResolvedCell['definition'][] =>
  resolveCells(readDefinition(presetDefinition(preset, 'quick'))).map(({ definition }) => definition);

/** Whether it is about what several nodes do: their number, replicas, or indices that have nodes of their own. */
export const isOverNodes = (preset: Preset): boolean => {
  const cells = cellsIn(preset);
  const replicas = new Set(cells.map(({ index }) => index.replicas));
  return (
    replicas.size > 1 ||
    cells.some(({ environment, index }) => 'nodes' in environment || typeof index.allocation === 'object')
  );
};

/** Attributes of `nodes` nodes, so that each value that a preset's cells ask for has one of them. */
export function attributesFor(presets: readonly Preset[], nodes: number): Record<string, string>[] {
  const asked = presets
    .flatMap(cellsIn)
    .flatMap(({ index: { allocation } }) => (typeof allocation === 'object' ? [allocation] : []));
  return Array.from({ length: nodes }, (_, at) =>
    Object.fromEntries(asked.map(({ attribute, values }) => [attribute, values[at % values.length]!])),
  );
}

/** `trials` of each cell, as short as can be. */
export function smallestForm(preset: Preset, trials: number): DefinitionInput {
  const quick = presetDefinition(preset, 'quick');
  const { expect: claims = [], tasks, preload, ...rest } = quick;
  const { factors } = readDefinition(quick);
  const cells = cellLevels({ factors });
  return {
    ...rest,
    expect: claims.filter(isTellable),
    baseline: undefined,
    preload: fewerPreloaded(preload),
    tasks: tasks.map((task) => ({ ...task, executor: fewerClients(task.executor) })),
    factors: Array.isArray(factors) ? fewestListed(cells) : fewestCrossed(cells),
    measure: measureOf(tasks),
    trials,
  };
}
