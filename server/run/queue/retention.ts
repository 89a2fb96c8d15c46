/** Removes raw samples that are older than they are to be kept: by one process at a time, and no run is measured with it. */
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

/** Whoever has it removes samples; the ids of runs begin with a date. */
const LEASE = 'retention';

export interface RetentionOptions {
  /** The cluster that keeps the results, of all spaces. */
  results: ElasticsearchClient;
  keep: Retention;
  /** Ids of runs whose samples stay, such as baselines. */
  kept: () => Promise<ReadonlySet<string>>;
  /** After it nothing further is begun, ms since the epoch; all is done without. */
  until?: number;
  /** As {@link until}. */
  signal?: AbortSignal;
}

export interface RetentionPass {
  /** Runs whose samples were removed, and how many documents these were. */
  runs: number;
  documents: number;
  /** Runs whose samples are to go yet. */
  left: number;
  /** Why they are left; '' where none are. */
  why: string;
}

/** Ends a pass within a run, whose samples the next one goes on to remove. */
class OutOfTime extends Error {}

/**
 * One pass. Where it ends early, or a run is measured on the cluster of the results, the next one goes on. Rejects with a DynoError
 * `results.*`, or as the client does.
 */
export async function retainSamples(options: RetentionOptions): Promise<RetentionPass> {
  try {
    return await underLease(createLeases(options.results), LEASE, () => pass(options));
  } catch (error) {
    if (!isTaken(error)) throw error;
    return { runs: 0, documents: 0, left: 0, why: 'another process removes samples at this moment' };
  }
}

async function pass({ results, keep, kept, until, signal }: RetentionOptions): Promise<RetentionPass> {
  // Indices of earlier versions have no field for it.
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
    if (measured !== undefined)
      return { ...done, why: `run ${measured} is measured on the cluster that keeps the results` };
    const onBulk = async (): Promise<void> => {
      await Promise.all([LEASE, run.id].map((id) => leases.renew(id, thisProcess())));
      if (isOver()) throw new OutOfTime();
    };
    try {
      await underLease(leases, run.id, async () => {
        // Somebody may have gone on with it, or deleted it, since it was listed.
        const found = await reader.getRun(run.id);
        if (found?.run.id !== run.id || !FINAL_STATES.includes(found.run.state)) return;
        done.documents += await removeSamples(results, run, keep, onBulk);
        done.runs += 1;
      });
      done.left -= 1;
    } catch (error) {
      if (error instanceof OutOfTime) return { ...done, why: 'the time for it is over' };
      // Whoever has it goes on with it, or removes it.
      if (!isTaken(error)) throw error;
      done.left -= 1;
    }
  }
  return done;
}

/** Id of a run that is measured on the cluster of this uuid; undefined for none. */
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
