/**
 * Determines whether a process still executes a run, and ensures that only one run at a time measures a cluster. In the code, the process
 * that executes a run is its *carrier*.
 */
import os from 'node:os';
import type { ElasticsearchClient } from '../../../common/elasticsearch/client';
import type { RunDocument } from '../../../common/experiment/run';
import { DynoError, messageOf, runError } from '../../../common/problem';
import { isStillAlive, thisProcess } from '../../process-life';
import { createLeases, type Lease } from '../../results/leases';
import { inTime } from '../../results/patience';
import type { ResultsReader } from '../../results/reader';
import type { IndexMark } from '../../target-cluster/mark';
import { parseTime } from '../../../common/units/time';
import { CHECK_MARK, TRY_MARK } from './names';

/**
 * A process on another machine counts as dead after it has been silent for this time, in ms. By then, it has missed four renewals of its
 * lease of a run.
 */
export const SILENCE_MS = 60_000;

/** Leases of runs in the results cluster (rights of one process to execute a run), and the time of this cluster. */
export interface SignsOfLife {
  /** Time of the results cluster, in ms since the epoch. The clocks of two machines may differ by minutes. */
  now: number;
  /**
   * Leases by id of the run. A run has no lease if an earlier version of Dyno executes it, or if the results cluster was unavailable when
   * the run began.
   */
  leases: ReadonlyMap<string, Lease>;
}

/**
 * Reads the leases of these runs, which show whether their processes are alive. Rejects with a DynoError if the results cluster does not
 * answer.
 */
export async function readSignsOfLife(
  results: ElasticsearchClient,
  runs: readonly Pick<RunDocument, 'run'>[],
): Promise<SignsOfLife> {
  const leases = createLeases(results);
  return { leases: await leases.read(runs.map(({ run }) => run.id)), now: await leases.now() };
}

/**
 * Returns whether the process that executes the run is still alive. If it is on this machine, the process table decides. Otherwise, the
 * last renewal of its lease decides. Without a lease, the last heartbeat in the run's document decides.
 */
export function isCarried({ run }: Pick<RunDocument, 'run'>, { now, leases }: SignsOfLife): boolean {
  if (run.carrier.host === os.hostname()) return isStillAlive(run.carrier);
  const lease = leases.get(run.id);
  const isOwn = lease?.carrier.instance === run.carrier.instance;
  return now - parseTime((isOwn ? lease?.renewed : undefined) ?? run.heartbeat) < SILENCE_MS;
}

/**
 * Returns whether a process has not renewed its lease of a run for {@link SILENCE_MS}. `now`: time of the results cluster, in ms since the
 * epoch.
 */
export const isSilent = ({ renewed, '@timestamp': at }: Lease, now: number): boolean =>
  now - parseTime(renewed ?? at) >= SILENCE_MS;

/**
 * Returns whether the process that holds a lease is gone. On this machine, the process table decides; for other machines, the last renewal
 * of the lease.
 */
export function isGone(lease: Lease, now: number): boolean {
  const { carrier } = lease;
  return carrier.host === os.hostname() ? !isStillAlive(carrier) : isSilent(lease, now);
}

/** Returns whether a process was on this machine and has ended. */
export const isKnownGone = (carrier: Lease['carrier']): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/**
 * Ids of the runs of this process that may measure their target: they hold the lease in the target cluster (the right of one run to measure
 * there), or are about to take it.
 */
const holding = new Set<string>();

/**
 * Notes whether a run of this process holds the lease in its target cluster, the right of one run to measure there. Must be called with
 * `holds` true before the run takes the lease. Must be called with false after the run has released the lease or could not take it.
 */
export function holdsTarget(runId: string, holds: boolean): void {
  if (holds) holding.add(runId);
  else holding.delete(runId);
}

/**
 * Returns whether the run that holds a target's lease has certainly stopped measuring. This is known in two cases:
 * - The process of the run was on this machine and has ended.
 * - The process is this one, and the run has ended, but its lease could not be released. For example, the credentials of the run stopped
 *   working.
 */
export function isHolderGone({ carrier, run }: { carrier: Lease['carrier']; run: { id: string } }): boolean {
  if (isKnownGone(carrier)) return true;
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance && !holding.has(run.id);
}

/**
 * Returns the UUIDs of all clusters on which the run puts load. If Dyno starts clusters for the run, these share a machine with the
 * embedded cluster, which is therefore included.
 */
const clustersOf = ({ run: { beside }, provenance }: Pick<RunDocument, 'run' | 'provenance'>): string[] =>
  [beside, provenance?.cluster.uuid].filter((uuid) => uuid !== undefined);

/**
 * Returns whether a run puts load on the machine of the cluster with this UUID. This is also true if Dyno starts the run's clusters on the
 * machine of that cluster.
 */
export const measuresAt = (run: Pick<RunDocument, 'run' | 'provenance'>, uuid: string): boolean =>
  clustersOf(run).includes(uuid);

export interface AskedResults {
  reader: Pick<ResultsReader, 'findActiveRuns'>;
  /** Client of the results cluster. */
  resultsClient: ElasticsearchClient;
}

/**
 * Checks that no other run measures the same cluster. Rejects with a DynoError `target.busy` if a run that began earlier is running there,
 * because the two runs would disturb each other.
 *
 * Must be called after this run has been stored. If two runs begin at the same time, each then finds the other one, and both agree on which
 * is earlier. `since`: time at which this run began or was resumed (ISO 8601). If the check is not possible, resolves to the reason;
 * otherwise to ''.
 */
export async function checkAlone(
  results: AskedResults,
  document: RunDocument,
  since: string,
): Promise<string> {
  const { run } = document;
  const clusters = clustersOf(document);
  let others: RunDocument[];
  let signs: SignsOfLife;
  try {
    [others, signs] = await inTime(askForOthers(results));
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return `it is unknown whether another run measures this cluster, because the results cluster did not answer: ${messageOf(error)}`;
  }
  const earlier = others.find(
    (other) =>
      other.run.id !== run.id &&
      other.run.state === 'running' &&
      clusters.some((uuid) => measuresAt(other, uuid)) &&
      `${other.run.started} ${other.run.id}` < `${since} ${run.id}` &&
      isCarried(other, signs),
  );
  if (!earlier) return '';
  const who = `run ${earlier.run.id} (${earlier.experiment.name}, process ${earlier.run.carrier.pid} on ${earlier.run.carrier.host})`;
  throw runError(
    'target.busy',
    '',
    `${who} is running on this cluster, and both would disturb each other: wait until it has ended`,
  );
}

async function askForOthers({ reader, resultsClient }: AskedResults): Promise<[RunDocument[], SignsOfLife]> {
  const others = await reader.findActiveRuns();
  return [others, await readSignsOfLife(resultsClient, others)];
}

/** Returns whether the process that executed the run was on this machine and has ended. No request is needed for this. */
export const isKnownDead = ({ run: { carrier } }: Pick<RunDocument, 'run'>): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/**
 * A temporary index that is older than this, in ms, was left behind by a dead process. Preflights and the page for trying out a request
 * create such indices, and remove them within seconds.
 */
const PROBE_AGE_MS = 600_000;

/** Returns whether an index with this mark (data about its creator) is a temporary index that a dead process left behind. */
export const isStaleProbe = ({ trial, created, carrier }: IndexMark): boolean =>
  (trial === CHECK_MARK || trial === TRY_MARK) &&
  (Date.now() - parseTime(created) > PROBE_AGE_MS || (carrier !== undefined && isKnownGone(carrier)));
