/** Loads the profiler into the nodes of the target, if a cell of the run asks for it (`measure.profile: profiler`). */
import type { CellDefinition } from '../../../common/experiment/cell-definition';
import { profiledIn } from '../../../common/profile/events';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import type { TargetConnection } from '../../target-cluster/connection';
import {
  readNodeProcesses,
  type LoadedProfiler,
  type NodeProfiler,
} from '../../target-cluster/node-profiler';

export interface ProfilerInput {
  connection: TargetConnection;
  profiler?: NodeProfiler | undefined;
  signal?: AbortSignal;
}

const INSTEAD = {
  found: 'profiler',
  allowed: 'hot-threads, which works on every target except Elastic Cloud Serverless, or off',
};

/**
 * Returns the profiler that all nodes have loaded; undefined if no cell asks for it. Rejects with an input error `target.profiler` if Dyno did
 * not start the nodes, or if they cannot load the profiler.
 */
export async function loadProfiler(
  { connection, profiler, signal }: ProfilerInput,
  cells: readonly Pick<CellDefinition, 'measure'>[],
): Promise<LoadedProfiler | undefined> {
  const measures = cells.map(({ measure }) => measure).filter((measure) => measure.profile === 'profiler');
  if (measures.length === 0) return undefined;
  const refused = (why: string): DynoError => inputError('target.profiler', 'measure.profile', why, INSTEAD);
  if (profiler === undefined)
    throw refused(
      'the profiler runs in the process of a node, and Dyno did not start the nodes of this target on this machine',
    );
  try {
    const events = [...new Set(measures.flatMap((measure) => profiledIn(measure)?.event ?? []))];
    return await profiler.load(await readNodeProcesses(connection), events, signal);
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof DynoError)) throw error;
    throw refused(`the nodes cannot load the profiler: ${messageOf(error)}`);
  }
}
