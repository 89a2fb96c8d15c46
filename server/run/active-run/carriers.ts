/** Determines whether a process still carries a run, and ensures that only one run at a time measures a cluster. */
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

/** Silence, in ms, after which a carrier on another machine counts as dead: the time of four missed renewals of its lease. */
export const SILENCE_MS = 60_000;

/** Leases of runs, and the time of the results cluster. */
export interface SignsOfLife {
  /** Time of the results cluster, in ms since the epoch. The clocks of two machines may differ by minutes. */
  now: number;
  /**
   * Leases by id of the run. A run has no lease if its carrier is an earlier version of Dyno, or if the results cluster was unavailable
   * when the run began.
   */
  leases: ReadonlyMap<string, Lease>;
}

/** Reads the leases of these runs. Rejects with a DynoError if the results cluster does not answer. */
export async function readSignsOfLife(
  results: ElasticsearchClient,
  runs: readonly Pick<RunDocument, 'run'>[],
): Promise<SignsOfLife> {
  const leases = createLeases(results);
  return { leases: await leases.read(runs.map(({ run }) => run.id)), now: await leases.now() };
}

/**
 * Returns whether a process still carries the run. If the carrier is on this machine, the process table decides. Otherwise, the age of the
 * lease decides, by the clock of the results cluster. Without a lease, the age of the heartbeat decides, by the carrier's clock.
 */
export function isCarried({ run }: Pick<RunDocument, 'run'>, { now, leases }: SignsOfLife): boolean {
  if (run.carrier.host === os.hostname()) return isStillAlive(run.carrier);
  const lease = leases.get(run.id);
  const isOwn = lease?.carrier.instance === run.carrier.instance;
  return now - parseTime((isOwn ? lease?.renewed : undefined) ?? run.heartbeat) < SILENCE_MS;
}

/** Returns whether a lease has not been renewed for {@link SILENCE_MS}. `now`: time of the results cluster, in ms since the epoch. */
export const isSilent = ({ renewed, '@timestamp': at }: Lease, now: number): boolean =>
  now - parseTime(renewed ?? at) >= SILENCE_MS;

/** Returns whether the holder of a lease is gone. On this machine, the process table decides; for other machines, the age of the lease. */
export function isGone(lease: Lease, now: number): boolean {
  const { carrier } = lease;
  return carrier.host === os.hostname() ? !isStillAlive(carrier) : isSilent(lease, now);
}

/** Returns whether the carrier was a process on this machine that has ended. */
export const isKnownGone = (carrier: Lease['carrier']): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/** Ids of the runs of this process that hold the lease in their target, or that are about to take it. */
const holding = new Set<string>();

/**
 * Notes whether a run of this process holds the lease in its target. Must be called with `holds` true before the run takes the lease, and
 * with false after the run has released the lease or could not take it.
 */
export function holdsTarget(runId: string, holds: boolean): void {
  if (holds) holding.add(runId);
  else holding.delete(runId);
}

/**
 * Returns whether the run that holds a lease in the target has stopped measuring, as far as this machine can know. There are two cases:
 * - the process of the run was on this machine and has ended;
 * - the process is this one, and it could not release the lease, for example because the credentials of the run stopped working.
 */
export function isHolderGone({ carrier, run }: { carrier: Lease['carrier']; run: { id: string } }): boolean {
  if (isKnownGone(carrier)) return true;
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance && !holding.has(run.id);
}

/** Returns the UUIDs of the cluster that the run measures, and of the cluster on whose machine the run starts its own cluster. */
const clustersOf = ({ run: { beside }, provenance }: Pick<RunDocument, 'run' | 'provenance'>): string[] =>
  [beside, provenance?.cluster.uuid].filter((uuid) => uuid !== undefined);

/**
 * Returns whether a run puts load on the cluster with this uuid, or on the machine of that cluster because it starts its own clusters
 * there.
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

/** Returns whether the carrier is known to be gone without sending a request. This is only possible for carriers on this machine. */
export const isKnownDead = ({ run: { carrier } }: Pick<RunDocument, 'run'>): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/**
 * Age in ms from which a temporary index counts as left behind by a dead process. Preflights and tried requests, which create such indices,
 * need only seconds.
 */
const PROBE_AGE_MS = 600_000;

/** Returns whether an index with this mark is a temporary index that a dead process left behind. */
export const isStaleProbe = ({ trial, created, carrier }: IndexMark): boolean =>
  (trial === CHECK_MARK || trial === TRY_MARK) &&
  (Date.now() - parseTime(created) > PROBE_AGE_MS || (carrier !== undefined && isKnownGone(carrier)));
