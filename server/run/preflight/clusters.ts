/** Clusters that a host starts for a run, one for each of its environments, where the host can. */
import {
  differsByCluster,
  requestsClusters,
  type RequestedCluster,
  requestedCluster,
  checkClusters,
} from '../../../common/experiment/requested-cluster';
import type { Definition } from '../../../common/experiment/definition';
import type { Plan } from '../../../common/experiment/plan';
import type { StartedFacts } from '../../../common/experiment/run';
import type { Connection } from '../../target-cluster/connection';
import { checkAlone, type RunListener, type RunRecord } from '../record/record';
import type { Progress } from '../../../common/measurement/progress';
import { DynoError } from '../../../common/problem';
import type { ResultsReader } from '../../results/reader';
import { checkSources } from '../trial/load-job';

/** How something that takes long is followed, and given up. */
export interface Following {
  /** Aborted to give up: what was begun is taken back, and the promise rejects with the signal's reason. */
  signal: AbortSignal;
  /** Told what goes on, in words: `downloads Elasticsearch 8.19.3: 40%`. */
  onStep: (step: string) => void;
}

export interface RunCluster {
  connection: Connection;
  /** With the host's defaults filled in. */
  requested: StartedFacts;
  /** Sentences for the reader of the run, such as why nothing collects from its nodes. */
  notes: readonly string[];
  /** Ends its processes and removes its data. Never rejects. */
  end(): Promise<void>;
}

/** What a host that starts clusters by itself offers the runs on one of its targets. */
export interface ClusterStarter {
  /** Uuid of the target, on whose machine they are started. */
  readonly beside: string;
  /**
   * Before anything starts: checks that the largest of the requested clusters fits into the memory, and brings every
   * version here. Rejects with a DynoError.
   */
  prepare(
    run: { definition: Definition; plan: Plan },
    requested: readonly RequestedCluster[],
    following: Following,
  ): Promise<void>;
  /** Resolves when all nodes answer. Rejects with a DynoError, having left nothing behind. */
  start(requested: RequestedCluster, following: Following): Promise<RunCluster>;
}

/** The starter, for a run that requests clusters; the run then goes on by itself where only the cluster differs. */
export function starterFor(
  clusters: ClusterStarter | undefined,
  record: RunRecord,
): ClusterStarter | undefined {
  const starter = requestsClusters(record.plan.cells) ? clusters : undefined;
  if (starter) record.goesOnTo = differsByCluster;
  return starter;
}

interface ClustersInput {
  /** Folder that the definition's files are relative to. */
  folder: string;
  reader: Pick<ResultsReader, 'findUnfinishedRuns'>;
  listener: RunListener;
}

/** Tells what goes on before the trials of a block. */
function following({ listener }: ClustersInput, record: RunRecord, signal: AbortSignal): Following {
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
  input: ClustersInput,
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
  input: ClustersInput,
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
