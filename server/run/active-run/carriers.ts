/** Finds out whether a process still carries a run, and ensures that only one run at a time measures on a cluster. */
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

/** A carrier on another machine counts as dead after this long without a sign of life, in ms: four missed renewals of its lease. */
export const SILENCE_MS = 60_000;

/** Leases of runs in the results cluster, and its time. */
export interface SignsOfLife {
  /** Time of the results cluster, in ms since the epoch. The clocks of two machines may differ by minutes. */
  now: number;
  /** Leases by run. A run without one was carried by an earlier version, or while the results cluster was away. */
  leases: ReadonlyMap<string, Lease>;
}

/** Reads the leases of runs. Rejects with a DynoError if the results cluster does not answer. */
export async function readSignsOfLife(
  results: ElasticsearchClient,
  runs: readonly Pick<RunDocument, 'run'>[],
): Promise<SignsOfLife> {
  const leases = createLeases(results);
  return { leases: await leases.read(runs.map(({ run }) => run.id)), now: await leases.now() };
}

/**
 * Whether a process still carries the run. On this machine the process table decides. On other machines the lease decides, by the clock
 * of the results cluster; without a lease the heartbeat, by the carrier's clock.
 */
export function isCarried({ run }: Pick<RunDocument, 'run'>, { now, leases }: SignsOfLife): boolean {
  if (run.carrier.host === os.hostname()) return isStillAlive(run.carrier);
  const lease = leases.get(run.id);
  const isOwn = lease?.carrier.instance === run.carrier.instance;
  return now - parseTime((isOwn ? lease?.renewed : undefined) ?? run.heartbeat) < SILENCE_MS;
}

/** Whether a lease has not been renewed for {@link SILENCE_MS}. `now`: time of the results cluster, in ms since the epoch. */
export const isSilent = ({ renewed, '@timestamp': at }: Lease, now: number): boolean =>
  now - parseTime(renewed ?? at) >= SILENCE_MS;

/** Whether the holder of a lease is gone: by the process table on this machine, by the age of the lease on others. */
export function isGone(lease: Lease, now: number): boolean {
  const { carrier } = lease;
  return carrier.host === os.hostname() ? !isStillAlive(carrier) : isSilent(lease, now);
}

/** Whether the carrier was a process on this machine and has ended. */
export const isKnownGone = (carrier: Lease['carrier']): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/** Ids of the runs of this process that hold the lease in their target, or are about to take it. */
const holding = new Set<string>();

/** Call it with `holds` true before the run takes its target, and false after the run has released it or failed to. */
export function holdsTarget(runId: string, holds: boolean): void {
  if (holds) holding.add(runId);
  else holding.delete(runId);
}

/**
 * Whether the holder of a lease in the target no longer measures, as far as this machine knows: its process has ended, or it is this
 * process, which could not release the lease, for example because the run's credentials stopped working.
 */
export function isHolderGone({ carrier, run }: { carrier: Lease['carrier']; run: { id: string } }): boolean {
  if (isKnownGone(carrier)) return true;
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance && !holding.has(run.id);
}

/** Returns the uuids of the cluster that the run measures, and of the cluster on whose machine it starts its own. */
const clustersOf = ({ run: { beside }, provenance }: Pick<RunDocument, 'run' | 'provenance'>): string[] =>
  [beside, provenance?.cluster.uuid].filter((uuid) => uuid !== undefined);

/** Whether a run loads the cluster with this uuid, or its machine. */
export const measuresAt = (run: Pick<RunDocument, 'run' | 'provenance'>, uuid: string): boolean =>
  clustersOf(run).includes(uuid);

export interface AskedResults {
  reader: Pick<ResultsReader, 'findActiveRuns'>;
  /** Client of the results cluster. */
  resultsClient: ElasticsearchClient;
}

/**
 * Rejects with a DynoError `target.busy` if another run that began earlier is running on the same cluster, because both would disturb
 * each other's measurement. Call it after this run is stored, so that of two runs that begin together both see the same one as earlier.
 * `since`: time at which this run began or was resumed (ISO 8601). Resolves to why the check is not possible, or ''.
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

/** Whether the carrier is known to be gone without a request. Only possible for processes on this machine. */
export const isKnownDead = ({ run: { carrier } }: Pick<RunDocument, 'run'>): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/** Age from which a temporary index counts as left behind by a dead process, in ms. Preflights and tried requests take seconds. */
const PROBE_AGE_MS = 600_000;

/** Whether the mark is that of a temporary index that was left behind. */
export const isStaleProbe = ({ trial, created, carrier }: IndexMark): boolean =>
  (trial === CHECK_MARK || trial === TRY_MARK) &&
  (Date.now() - parseTime(created) > PROBE_AGE_MS || (carrier !== undefined && isKnownGone(carrier)));
