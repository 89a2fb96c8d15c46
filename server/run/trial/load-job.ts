/**
 * Converts the definition of a trial to the input of the load generator: resolves names, converts durations to ms, and creates the bodies
 * of requests.
 */
import type { Destination } from '../../../common/elasticsearch/destination';
import { executorJob } from '../../../common/executors/registry';
import { withQueriesLike, type Parameters } from '../../../common/parameters/registry';
import { columnsOf, operationJob, queryFilesOf, withParameters } from '../../../common/tasks/registry';
import { durationMs, type TaskDefinition } from '../../../common/experiment/definition';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { documentSources, preloadSource } from '../../../common/experiment/preload';
import type { Plan } from '../../../common/experiment/plan';
import { readColumn } from '../../load/sources/column';
import { checkSource, sourceFile } from '../../load/sources/check';
import { openProfile } from '../../load/sources/profile';
import { profileOf } from '../../../common/tasks/source';
import { openVectors } from '../../load/sources/vector-file';
import { checkReservedName } from '../../target-cluster/guard-rails';
import { deriveSeed } from '../../../common/random';
import type { LoadJob, LoadTarget, TaskJob } from '../../load/contract';
import type { Recalls } from './recall';

export interface LoadPlace {
  indices: string[];
  /** Indices in which the documents must arrive. Undefined if they are not known. */
  destination?: Destination;
  target: LoadTarget;
  /** Folder to which the paths of files in the definition are relative. */
  folder: string;
  /** Names of the trial's pipelines, by the task whose lines they parse. */
  pipelines?: ReadonlyMap<string, string>;
  /** True neighbours with which the recall of requests is determined. */
  recalls?: Recalls;
  /**
   * Seed of the trial's random numbers. Each repetition has a different seed, and therefore different documents. Every run of the same
   * definition has the same seeds.
   */
  trialSeed: string;
}

/**
 * Returns a function that completes the parameters of a task. If a parameter generates query vectors, missing properties, such as the
 * number of dimensions, are taken from the documents' vectors.
 */
const queriesLike = (definition: CellDefinition) => (parameters: Parameters) =>
  withQueriesLike(parameters, preloadSource(definition)?.vectors);

const taskJob = (task: TaskDefinition, definition: CellDefinition, place: LoadPlace): TaskJob => ({
  name: task.name,
  operation: operationJob(withParameters(task, queriesLike(definition)), {
    ...(place.recalls === undefined ? {} : { recalls: place.recalls.get(task.name) ?? new Map() }),
    index: definition.index,
    engine: place.target.engine,
    now: Date.now() + (place.target.clockOffsetMs ?? 0),
    seed: definition.seed,
    resolveFile: (file) => sourceFile(file, place.folder),
    pipeline: place.pipelines?.get(task.name),
  }),
  executor: executorJob(task.executor, definition),
});

export function loadJob(definition: CellDefinition, place: LoadPlace): LoadJob {
  const { measure, tasks, seed } = definition;
  return {
    indices: place.indices,
    ...(place.destination === undefined ? {} : { destination: place.destination }),
    route: definition.index.route,
    target: place.target,
    tasks: tasks.map((task) => taskJob(task, definition, place)),
    seed: deriveSeed(seed, place.trialSeed),
    warmupMs: durationMs(measure.warmup),
    measureMs: measure.duration === undefined ? null : durationMs(measure.duration),
    documents: measure.documents ?? null,
    drainMs: durationMs(measure.drain),
  };
}

/** Checks the files and names of a definition, as far as this is possible without a cluster. Rejects with a DynoError. */
export async function checkSources({ plan, folder }: { plan: Plan; folder: string }): Promise<void> {
  const checked = new Set<string>();
  const checkVectors = (name: string, field: string): void => {
    const file = sourceFile(name, folder);
    if (!checked.has(`vectors ${field} ${file}`)) openVectors({ file, field }).close();
    checked.add(`vectors ${field} ${file}`);
  };
  for (const { definition: own } of plan.cells) {
    checkReservedName(own.index.name);
    for (const source of documentSources(own)) {
      const { file: name, format, vectors } = source;
      const profile = profileOf(source);
      if (profile !== undefined) openProfile(sourceFile(profile, folder));
      if (vectors?.file !== undefined) checkVectors(vectors.file, vectors.field);
      if (name === undefined) continue;
      const file = sourceFile(name, folder);
      if (checked.has(`${format} ${file}`)) continue;
      checked.add(`${format} ${file}`);
      await checkSource(file, format);
    }
    for (const { file, field } of queryFilesOf(own.tasks)) checkVectors(file, field);
    for (const { file } of columnsOf(own.tasks)) {
      const path = sourceFile(file.path, folder);
      if (checked.has(`${path} ${file.column}`)) continue;
      checked.add(`${path} ${file.column}`);
      readColumn({ ...file, path });
    }
  }
}
