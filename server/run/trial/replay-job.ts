/** From the definition of a replay to what its load needs: files as this machine finds them, rules by name, indices by number. */
import path from 'node:path';
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import type { TaskDefinition } from '../../../common/experiment/definition';
import {
  AS_DOCUMENTS,
  OWN_INDEX,
  rewritesOf,
  type ReplayDefinition,
} from '../../../common/experiment/replay';
import { deriveSeed } from '../../../common/random';
import type { LogSource, ReplayJob } from '../../load/contract';

/** A task that replays. */
export type ReplayTask = Pick<TaskDefinition, 'name' | 'executor'> & { replay: ReplayDefinition };

/** A path of the definition as this machine finds it. */
export const sourceFile = (file: string, folder: string): string => path.resolve(folder, file);

/** Without the question mark; '' for none. */
export const queryString = (params: Readonly<Record<string, string | number | boolean>>): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();

export function replayJob(
  { name, replay, executor }: ReplayTask,
  { index, seed }: CellDefinition,
  folder: string,
): ReplayJob {
  const { format, types, shards, accept, params, repeat } = replay;
  return {
    kind: 'replay',
    source: logSource(replay, deriveSeed(seed, name, 'log'), folder),
    format,
    types: types ?? null,
    everyShard: shards === 'all',
    rewrite: rewritesOf(replay),
    accept,
    route: routeJob(replay, index),
    params: queryString(params),
    repeat,
    timed: executor.recorded !== undefined,
  };
}

/** A made log is the same in all trials, as a recorded one is. */
const logSource = ({ file, generator }: ReplayDefinition, seed: number, folder: string): LogSource =>
  generator === undefined
    ? { kind: 'file', file: sourceFile(file!, folder) }
    : { kind: 'generator', generator, seed };

function routeJob({ route }: ReplayDefinition, index: CellDefinition['index']): ReplayJob['route'] {
  if (route === undefined) return null;
  if (route === AS_DOCUMENTS) {
    // Where there is one index the rule is the same, so that no cell refuses what another one sends.
    if (index.route === 'in-turn') return null;
    const { field, by } = index.route;
    const indices = Array.from({ length: index.count }, (_, place) => place + 1);
    return { field, by, modulo: index.count, indices, names: null };
  }
  const { field, modulo, indices, names } = route;
  return { field, by: 'remainder', modulo, indices: indices.map(indexOf), names: names ?? null };
}

/** The schema and its checks pass no other name. */
function indexOf(index: string | { trial: number } | { existing: string }): string | number | null {
  if (typeof index === 'object') return 'trial' in index ? index.trial : index.existing;
  if (index !== OWN_INDEX) throw new Error(`no index of the trial is called ${index}`);
  return null;
}

/** Indices that must stand before the run. */
export const existingIndices = ({ route }: ReplayDefinition): string[] =>
  typeof route === 'object'
    ? route.indices.flatMap((index) =>
        typeof index === 'object' && 'existing' in index ? [index.existing] : [],
      )
    : [];
