/** From the definition of a replay to what its load needs: files as this machine finds them, rules by name. */
import path from 'node:path';
import { OWN_INDEX, rewritesOf, type ReplayDefinition } from '../../common/experiment/replay';
import type { ReplayJob } from '../load/contract';

/** A path of the definition as this machine finds it. */
export const sourceFile = (file: string, folder: string): string => path.resolve(folder, file);

/** Without the question mark; '' for none. */
export const queryString = (params: Readonly<Record<string, string | number | boolean>>): string =>
  new URLSearchParams(
    Object.entries(params).map(([key, value]): [string, string] => [key, String(value)]),
  ).toString();

/** `timed`: the executor goes by the times of the log. */
export function replayJob(replay: ReplayDefinition, folder: string, timed: boolean): ReplayJob {
  const { file, format, types, shards, accept, route, params, repeat } = replay;
  return {
    kind: 'replay',
    file: sourceFile(file, folder),
    format,
    types: types ?? null,
    everyShard: shards === 'all',
    rewrite: rewritesOf(replay),
    accept,
    route: route
      ? {
          field: route.field,
          modulo: route.modulo,
          indices: route.indices.map((index) =>
            typeof index === 'string' ? ownIndex(index) : index.existing,
          ),
        }
      : null,
    params: queryString(params),
    repeat,
    timed,
  };
}

/** Null for that of the trial; the schema passes no other name. */
function ownIndex(name: string): null {
  if (name !== OWN_INDEX) throw new Error(`no index of the trial is called ${name}`);
  return null;
}

/** Indices that must stand before the run. */
export const existingIndices = ({ route }: ReplayDefinition): string[] =>
  (route?.indices ?? []).flatMap((index) => (typeof index === 'string' ? [] : [index.existing]));
