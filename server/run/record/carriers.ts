/** Which process carries a run, whether it still does, and that one run at a time measures on a cluster. */
import os from 'node:os';
import type { RunDocument } from '../../../common/experiment/run';
import { runError } from '../../../common/problem';
import { isStillAlive } from '../../process-life';
import type { Lease } from '../../results/leases';
import type { ResultsReader } from '../../results/reader';

/** A carrier elsewhere is taken for dead after this long without a heartbeat, ms: twelve missed beats. */
export const SILENCE_MS = 60_000;

/** Whether somebody still carries the run. On this machine the process table tells at once; elsewhere the heartbeat does. */
export function isCarried({ run }: Pick<RunDocument, 'run'>, now: number): boolean {
  if (run.carrier.host === os.hostname()) return isStillAlive(run.carrier);
  return now - Date.parse(run.heartbeat) < SILENCE_MS;
}

/**
 * Whether whoever holds a lease is gone: on this machine the process table tells, elsewhere the age of the lease does, for
 * a run is taken only after its heartbeat has been silent as long.
 */
export function isGone({ carrier, '@timestamp': at }: Lease): boolean {
  if (carrier.host === os.hostname()) return !isStillAlive(carrier);
  return Date.now() - Date.parse(at) >= SILENCE_MS;
}

/** Uuids of the clusters that it measures, or beside which it starts its own. */
const clustersOf = ({ run: { beside }, provenance }: Pick<RunDocument, 'run' | 'provenance'>): string[] =>
  [beside, provenance?.cluster.uuid].filter((uuid) => uuid !== undefined);

/** Whether a run loads the cluster of this uuid, or its machine. */
export const measuresAt = (run: Pick<RunDocument, 'run' | 'provenance'>, uuid: string): boolean =>
  clustersOf(run).includes(uuid);

/**
 * Rejects with a DynoError when another run, begun before this one, is at work on the same cluster: both would measure
 * each other. Asked once this run is stored itself, so that of two that begin together one is the earlier for both.
 * `since`: when this one began, or goes on after an interruption, ISO 8601.
 */
export async function checkAlone(
  reader: Pick<ResultsReader, 'findActiveRuns'>,
  document: RunDocument,
  since: string,
): Promise<void> {
  const { run } = document;
  const clusters = clustersOf(document);
  const others = await reader.findActiveRuns();
  const earlier = others.find(
    (other) =>
      other.run.id !== run.id &&
      other.run.state === 'running' &&
      clusters.some((uuid) => measuresAt(other, uuid)) &&
      `${other.run.started} ${other.run.id}` < `${since} ${run.id}` &&
      isCarried(other, Date.now()),
  );
  if (!earlier) return;
  const who = `run ${earlier.run.id} (${earlier.experiment.name}, process ${earlier.run.carrier.pid} on ${earlier.run.carrier.host})`;
  throw runError(
    'target.busy',
    '',
    `${who} is at work on this cluster: both would measure each other; wait for its end`,
  );
}

/** Whether the process that carried the run is known to be gone, without asking anybody: only of this machine. */
export const isKnownDead = ({ run: { carrier } }: Pick<RunDocument, 'run'>): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);
