/** The clusters of a run's environment blocks, where its host starts them. */
import {
  differsByCluster,
  requestsClusters,
  requestedCluster,
  checkClusters,
} from '../../../common/experiment/requested-cluster';
import type { ClusterStarter, Following, RunCluster } from '../../target-cluster/cluster-starter';
import { checkAlone, type AskedResults, type RunListener, type RunRecord } from '../record/record';
import { DynoError } from '../../../common/problem';

/** The starter, for a run that requests clusters; the run then goes on by itself where only the cluster differs. */
export function starterFor(
  clusters: ClusterStarter | undefined,
  record: RunRecord,
): ClusterStarter | undefined {
  const starter = requestsClusters(record.plan.cells) ? clusters : undefined;
  if (starter) record.goesOnTo = differsByCluster;
  return starter;
}

interface Watching {
  signal: AbortSignal;
  onProgress: RunListener['onProgress'];
}

/** Reports what goes on before the trials of a block as the progress of the run. */
function followingOf(record: RunRecord, { signal, onProgress }: Watching): Following {
  const since = Date.now();
  const { run, progress } = record.document;
  const { plan } = record;
  return {
    signal,
    onStep: (doing) =>
      onProgress({
        runId: run.id,
        completed: progress.completed,
        trials: progress.trials,
        current: null,
        phase: 'preflight',
        doing,
        phaseMs: Date.now() - since,
        phaseLengthMs: null,
        measured: 0,
        remainingMs: (plan.estimate.ms * record.leftAhead) / Math.max(1, plan.trials.length),
        tasks: [],
      }),
  };
}

/**
 * Before anything starts: values, memory, and the versions, which are brought here. Rejects with a DynoError that lists what
 * is wrong, or with the signal's reason.
 */
export async function bringClusters(
  starter: ClusterStarter,
  record: RunRecord,
  watching: Watching,
): Promise<void> {
  const { plan } = record;
  const problems = checkClusters(record.plan.cells);
  if (problems.length > 0) throw new DynoError('input', problems);
  const requested = record.ahead.map(({ environment }) => requestedCluster(environment));
  const { definition } = record.document;
  await starter.prepare({ definition, plan }, requested, followingOf(record, watching));
}

/** Starts the cluster of the block. Rejects with a DynoError, such as `target.busy`, or with the signal's reason. */
export async function startCluster(
  starter: ClusterStarter,
  record: RunRecord,
  { reader, resultsClient, since, ...watching }: Watching & AskedResults & { since: string },
): Promise<RunCluster> {
  const unknown = await checkAlone({ reader, resultsClient }, record.document, since);
  if (unknown !== '') record.note(unknown, 'warning');
  const following = followingOf(record, watching);
  return await starter.start(requestedCluster(record.block.environment), {
    ...following,
    onStep: (step) => {
      record.note(step);
      following.onStep(step);
    },
  });
}
