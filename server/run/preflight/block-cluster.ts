/** The cluster of a block: started by the host where the run asks for one, else the target as it stands. */
import { requestedCluster, checkClusters } from '../../../common/experiment/requested-cluster';
import type { Progress } from '../../../common/measurement/progress';
import { DynoError } from '../../../common/problem';
import { checkAlone } from '../record/alone';
import type { ClusterStarter, Following, RunCluster } from './clusters';
import { checkSources } from './preflight';
import type { RunInput } from '../run-input';
import type { RunRecord } from '../record/record';

/** Tells what goes on before the trials of a block. */
function following({ listener }: RunInput, record: RunRecord, signal: AbortSignal): Following {
  const since = Date.now();
  const { document } = record;
  const { run, progress, plan } = document;
  return {
    signal,
    onStep(doing) {
      const told: Progress = {
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
      };
      listener.onProgress(told);
    },
  };
}

/**
 * Before anything starts: files, values, memory, and the versions, which are brought here. Rejects with a DynoError that
 * lists what is wrong.
 */
export async function prepareClusters(
  starter: ClusterStarter,
  input: RunInput,
  record: RunRecord,
  signal: AbortSignal,
): Promise<void> {
  const { plan } = record;
  const { definition } = record.document;
  const problems = checkClusters(plan.cells);
  if (problems.length > 0) throw new DynoError('input', problems);
  await checkSources({ plan, folder: input.folder });
  const requested = record.ahead.map(({ environment }) => requestedCluster(environment));
  await starter.prepare({ definition, plan }, requested, following(input, record, signal));
}

/** Starts the cluster of the block. Rejects with a DynoError, such as `target.busy`, or with the signal's reason. */
export async function startCluster(
  starter: ClusterStarter,
  input: RunInput,
  record: RunRecord,
  { since, signal }: { since: string; signal: AbortSignal },
): Promise<RunCluster> {
  const { document } = record;
  await checkAlone(input.reader, document, since);
  const follow = following(input, record, signal);
  return await starter.start(requestedCluster(record.block.environment), {
    ...follow,
    onStep: (step) => {
      record.note(step);
      follow.onStep(step);
    },
  });
}

/** What the run left in clusters that were started for it is gone with them. */
export function forgetGone({ document: { run } }: RunRecord): void {
  if (run.beside === undefined) return;
  run.indices = [];
  delete run.replaced;
}
