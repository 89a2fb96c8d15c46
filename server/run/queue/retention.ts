/**
 * Removes samples that are older than the retention period. Only one process at a time removes samples, and only while no run puts load on
 * the results cluster.
 */
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { Retention } from '../../../common/experiment/retention';
import { FINAL_STATES } from '../../../common/experiment/run';
import { DynoError } from '../../../common/problem';
import { thisProcess } from '../../process-life';
import { createLeases } from '../../results/leases';
import { createResultsReader, type ResultsReader } from '../../results/reader';
import { planRetention, removeSamples } from '../../results/retention';
import { installTemplates } from '../../results/templates';
import { discoverCluster } from '../../target-cluster/cluster';
import { isCarried, measuresAt, readSignsOfLife } from '../active-run/active-run';
import { isTaken, underLease } from './leases';

/** Id of the lease that a process holds while it removes samples. Ids of runs begin with a date, so no run can have this id. */
const LEASE = 'retention';

export interface RetentionOptions {
  /** Client of the results cluster, with access to all spaces. */
  results: ElasticsearchClient;
  keep: Retention;
  /** Returns the ids of runs whose samples must remain, such as baselines. */
  kept: () => Promise<ReadonlySet<string>>;
  /** Time at which the removal stops, in ms since the epoch. Undefined for no limit. */
  until?: number;
  /** Signal that stops the removal. */
  signal?: AbortSignal;
}

export interface RetentionPass {
  /** Number of runs whose samples were removed. */
  runs: number;
  /** Number of documents that were removed. */
  documents: number;
  /** Number of runs whose samples still have to be removed. */
  left: number;
  /** Reason why samples remain; '' if none remain. */
  why: string;
}

/** Thrown to stop while the samples of a run are being removed. The next call removes the remaining samples of this run. */
class OutOfTime extends Error {}

/**
 * Removes the old samples of one run after the other. Ends early when the time is over, or when a run measures the cluster in which the
 * results are stored. The next call then continues. Rejects with a DynoError `results.*`, or with the errors of the client.
 */
export async function retainSamples(options: RetentionOptions): Promise<RetentionPass> {
  try {
    return await underLease(createLeases(options.results), LEASE, () => pass(options));
  } catch (error) {
    if (!isTaken(error)) throw error;
    return { runs: 0, documents: 0, left: 0, why: 'another process is removing samples' };
  }
}

async function pass({ results, keep, kept, until, signal }: RetentionOptions): Promise<RetentionPass> {
  // Indices of earlier versions have no field for the time of removal.
  await installTemplates(results).catch((error: unknown) => {
    if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
  });
  const { runs } = await planRetention(results, keep, await kept());
  const done: RetentionPass = { runs: 0, documents: 0, left: runs.length, why: '' };
  if (runs.length === 0) return done;
  const reader = createResultsReader(results);
  const leases = createLeases(results);
  const { uuid } = await discoverCluster(results);
  const isOver = (): boolean => signal?.aborted === true || (until !== undefined && Date.now() >= until);
  for (const run of runs) {
    if (isOver()) return { ...done, why: 'the time for it is over' };
    const measured = await measuredThere(reader, results, uuid);
    if (measured !== undefined) return { ...done, why: `run ${measured} measures the results cluster` };
    const onBulk = async (): Promise<void> => {
      await Promise.all([LEASE, run.id].map((id) => leases.renew(id, thisProcess())));
      if (isOver()) throw new OutOfTime();
    };
    try {
      await underLease(leases, run.id, async () => {
        // The run may have been resumed or deleted after it was listed.
        const found = await reader.getRun(run.id);
        if (found?.run.id !== run.id || !FINAL_STATES.includes(found.run.state)) return;
        done.documents += await removeSamples(results, run, keep, onBulk);
        done.runs += 1;
      });
      done.left -= 1;
    } catch (error) {
      if (error instanceof OutOfTime) return { ...done, why: 'the time for it is over' };
      // Another process holds the lease: it is resuming or removing the run.
      if (!isTaken(error)) throw error;
      done.left -= 1;
    }
  }
  return done;
}

/** Returns the id of a run that measures the cluster with this uuid. Undefined if there is no such run. */
async function measuredThere(
  reader: Pick<ResultsReader, 'findActiveRuns'>,
  results: ElasticsearchClient,
  uuid: string,
): Promise<string | undefined> {
  const there = (await reader.findActiveRuns()).filter(
    (run) => run.run.state === 'running' && measuresAt(run, uuid),
  );
  if (there.length === 0) return undefined;
  const signs = await readSignsOfLife(results, there);
  return there.find((run) => isCarried(run, signs))?.run.id;
}
