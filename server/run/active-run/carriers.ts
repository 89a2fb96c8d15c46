/** Which process carries a run, whether it still does, and that one run at a time measures on a cluster. */
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

/** A carrier elsewhere is taken for dead after this long without a sign of life, ms: four missed renewals of its lease. */
export const SILENCE_MS = 60_000;

/** What the results tell of who carries runs. */
export interface SignsOfLife {
  /** By the results cluster's clock, ms since the epoch: the clocks of two machines may differ by minutes. */
  now: number;
  /** By run; a run without one was carried by an earlier version, or while the results were away. */
  leases: ReadonlyMap<string, Lease>;
}

/** Of these runs. Rejects with a DynoError where the results cannot be asked. */
export async function readSignsOfLife(
  results: ElasticsearchClient,
  runs: readonly Pick<RunDocument, 'run'>[],
): Promise<SignsOfLife> {
  const leases = createLeases(results);
  return { leases: await leases.read(runs.map(({ run }) => run.id)), now: await leases.now() };
}

/**
 * Whether somebody still carries the run. On this machine the process table tells at once. Elsewhere its lease does, by the
 * clock of the results cluster; the heartbeat, which has the carrier's own clock, where there is no lease.
 */
export function isCarried({ run }: Pick<RunDocument, 'run'>, { now, leases }: SignsOfLife): boolean {
  if (run.carrier.host === os.hostname()) return isStillAlive(run.carrier);
  const lease = leases.get(run.id);
  const isOwn = lease?.carrier.instance === run.carrier.instance;
  return now - parseTime((isOwn ? lease?.renewed : undefined) ?? run.heartbeat) < SILENCE_MS;
}

/** Whether a lease has not been renewed for {@link SILENCE_MS}. `now`: by the clock of the results cluster, ms since the epoch. */
export const isSilent = ({ renewed, '@timestamp': at }: Lease, now: number): boolean =>
  now - parseTime(renewed ?? at) >= SILENCE_MS;

/** Whether the holder of a lease is gone: on this machine the process table tells, elsewhere the age of the lease does. */
export function isGone(lease: Lease, now: number): boolean {
  const { carrier } = lease;
  return carrier.host === os.hostname() ? !isStillAlive(carrier) : isSilent(lease, now);
}

/** Whether it is a process of this machine that has ended. */
export const isKnownGone = (carrier: Lease['carrier']): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/** Runs of this process that hold their target, or are about to take it. */
const holding = new Set<string>();

/** `holds`: from before the run takes its target until it has released it, or tried to. */
export function holdsTarget(runId: string, holds: boolean): void {
  if (holds) holding.add(runId);
  else holding.delete(runId);
}

/**
 * Whether nobody measures by a target's lease any more, as far as this machine knows: its process has ended, or it is this
 * process and could not release the lease, such as a run whose credentials stopped working.
 */
export function isHolderGone({ carrier, run }: { carrier: Lease['carrier']; run: { id: string } }): boolean {
  if (isKnownGone(carrier)) return true;
  const own = thisProcess();
  return carrier.host === own.host && carrier.instance === own.instance && !holding.has(run.id);
}

/** Uuids of the clusters that it measures, or beside which it starts its own. */
const clustersOf = ({ run: { beside }, provenance }: Pick<RunDocument, 'run' | 'provenance'>): string[] =>
  [beside, provenance?.cluster.uuid].filter((uuid) => uuid !== undefined);

/** Whether a run loads the cluster of this uuid, or its machine. */
export const measuresAt = (run: Pick<RunDocument, 'run' | 'provenance'>, uuid: string): boolean =>
  clustersOf(run).includes(uuid);

export interface AskedResults {
  reader: Pick<ResultsReader, 'findActiveRuns'>;
  /** The cluster that keeps the results. */
  resultsClient: ElasticsearchClient;
}

/**
 * Rejects with a DynoError `target.busy` when another run, begun before this one, is at work on the same cluster: both would measure
 * each other. Asked once this run is stored itself, so that of two that begin together one is the earlier for both.
 * `since`: when this one began, or goes on after an interruption, ISO 8601. Resolves to why that cannot be known, or ''.
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
    return `the results could not be asked whether another run is at work on this cluster: ${messageOf(error)}`;
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
    `${who} is at work on this cluster: both would measure each other; wait for its end`,
  );
}

async function askForOthers({ reader, resultsClient }: AskedResults): Promise<[RunDocument[], SignsOfLife]> {
  const others = await reader.findActiveRuns();
  return [others, await readSignsOfLife(resultsClient, others)];
}

/** Whether the process that carried the run is known to be gone, without asking anybody: only of this machine. */
export const isKnownDead = ({ run: { carrier } }: Pick<RunDocument, 'run'>): boolean =>
  carrier.host === os.hostname() && !isStillAlive(carrier);

/** A preflight or a tried request takes seconds, ms; what is older was left by a process that died. */
const PROBE_AGE_MS = 600_000;

/** Whether an index that exists for a moment only, with such a mark, was left behind. */
export const isStaleProbe = ({ trial, created, carrier }: IndexMark): boolean =>
  (trial === CHECK_MARK || trial === TRY_MARK) &&
  (Date.now() - parseTime(created) > PROBE_AGE_MS || (carrier !== undefined && isKnownGone(carrier)));
