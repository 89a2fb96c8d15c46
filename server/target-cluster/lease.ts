/**
 * A lease that gives one run at a time the right to measure a cluster. It is stored in the measured cluster, because runs on this cluster
 * may use different results clusters.
 *
 * The lease is one document in a separate index. It is written only between trials. Therefore, it never affects a measurement. Each write
 * extends the lease by the duration of the longest trial. The clock of the measured cluster decides whether the lease has expired.
 */
import { isPassing, isSuccess } from '../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import { messageOf, runError, type DynoError } from '../../common/problem';
import { parseTime } from '../../common/units/time';
import type { Endpoint } from '../elasticsearch/ask';
import * as api from '../elasticsearch/api';
import { LeaseDocument, MOST_TRIES, type AskForLease } from '../elasticsearch/lease';
import { ask } from './answer';

export const LEASE_INDEX = 'dyno-lease';

/** The holder of the lease: the run that measures the cluster. */
export interface TargetHolder {
  run: { id: string };
  experiment: { name: string };
  /** The process that executes the run. */
  carrier: { host: string; pid: number; instance: string };
}

/** The lease as stored in its index. Times are ISO 8601 in UTC, by the clock of the cluster. */
export interface TargetLeaseDocument extends TargetHolder {
  since: string;
  until: string;
}

export interface TargetLease {
  /**
   * Extends the lease until `ms` from now. Rejects with a DynoError `target.lease-lost` if another run has taken the lease in the meantime,
   * or with the errors of the client.
   */
  renew(ms: number): Promise<void>;
  /**
   * Releases the lease and removes its index. Does nothing if another run has taken the lease in the meantime. Never rejects. `by`: client
   * to use if the connection that took the lease is closed.
   */
  release(by?: ElasticsearchClient): Promise<void>;
}

/**
 * Returns true if the run that holds the lease can no longer be measuring, because its process has ended. Another run may then take the
 * lease, even if it has not expired.
 */
export type IsGone = (holder: TargetHolder) => boolean;

/**
 * Duration in ms for which a run extends its lease before it removes the index of the lease. Other runs cannot take the lease during the
 * removal.
 */
const REMOVAL_MS = 60_000;

/**
 * Maximum time in ms of all attempts to release the lease. An attempt fails if the cluster is unavailable or a proxy changes responses.
 * After this time, the lease remains until it expires.
 */
const RELEASE_MS = 8000;

/** Timeout of a request, in ms. It is short, because a cluster that does not respond must not delay the beginning or the end of a run. */
const ANSWER_MS = 10_000;

/** Repeats a request if the cluster was unavailable for a moment, or if the response came from a proxy. */
const RETRY: NonNullable<Endpoint<unknown>['retry']> = {
  when: ({ status, body }) => isPassing(status) || (isSuccess(status) && typeof body === 'string'),
  pausesMs: Array.from({ length: MOST_TRIES - 1 }, () => 200),
};

/** Thrown if it is not possible to find out whether another run measures the cluster. */
class Unknowable extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/**
 * Returns a function that sends requests about the lease to the target. The function rejects with an {@link Unknowable} for an unexpected
 * response.
 */
const asksAt =
  (client: ElasticsearchClient): AskForLease =>
  (endpoint, expected) =>
    ask(withDefaults(client, { timeoutMs: ANSWER_MS }), { ...endpoint, retry: RETRY }, 'store its lease', {
      failed: ({ status, reason, error }) => {
        throw new Unknowable(reason || messageOf(error), status);
      },
      ...expected,
    });

const orUnknown = (error: unknown): undefined => {
  if (!(error instanceof Unknowable)) throw error;
};

/** Placeholder for the holder of the lease. Used by code that only reads the lease. */
const NOBODY: TargetHolder = {
  run: { id: '' },
  experiment: { name: '' },
  carrier: { host: '', pid: 0, instance: '' },
};

const isSame = (one: TargetHolder, other: TargetHolder): boolean =>
  one.run.id === other.run.id &&
  one.carrier.host === other.carrier.host &&
  one.carrier.instance === other.carrier.instance;

const MAPPINGS = { dynamic: false, _meta: { dyno: { lease: true } } };

async function makeIndex(asks: AskForLease): Promise<void> {
  const create = (settings: object): Endpoint<unknown> =>
    api.createIndex(LEASE_INDEX, { settings, mappings: MAPPINGS });
  const exists = { exists: () => undefined };
  const settings = { 'index.hidden': true, 'index.auto_expand_replicas': '0-1' };
  // Old and serverless clusters do not support some settings.
  await asks(create(settings), { ...exists, illegal: () => asks(create({}), exists) });
}

/** Returns an object that reads and writes the lease. `ms`: time from each write until the lease expires. */
const leaseFor = (
  asks: AskForLease,
  holder: TargetHolder,
  ms: number,
  isGone: IsGone = () => false,
): LeaseDocument<TargetLeaseDocument> =>
  new LeaseDocument(asks, {
    index: LEASE_INDEX,
    id: 'lease',
    isOurs: (lease) => isSame(lease, holder),
    isAbandoned: (lease, now) => isGone(lease) || now >= parseTime(lease.until),
    next: (now, before) => ({
      ...holder,
      since: before?.since ?? new Date(now).toISOString(),
      until: new Date(now + ms).toISOString(),
    }),
    makeIndex: () => makeIndex(asks),
    taken: (by) => (by ? busy(by) : new Unknowable('others take and release it at the same moment', 409)),
    lost,
    releaseMs: RELEASE_MS,
    isHopeless: (error) => error instanceof Unknowable && error.status === 401,
    removeIndex: async () =>
      (await asks(api.deleteIndex(LEASE_INDEX), { missing: () => true, failed: () => false })) !== false,
  });

/** Describes the holder of a lease, for example `run r (shards, process 7 on bench)`. */
export const describeHolder = ({ run, experiment, carrier }: TargetHolder): string =>
  `run ${run.id} (${experiment.name}, process ${carrier.pid} on ${carrier.host})`;

const busy = (lease: TargetLeaseDocument): DynoError =>
  runError(
    'target.busy',
    '',
    `${describeHolder(lease)} has been running on this cluster since ${lease.since}, and both would disturb each other; wait for its ` +
      `end. It has the cluster until ${lease.until} and asks for more before each trial; if that process is gone for ` +
      `certain, wait until then, or delete the index ${LEASE_INDEX} there`,
  );

/**
 * Takes the lease of a cluster for a run, at first for `ms`. Replaces the lease of another run only if it has expired, or if the process of
 * that run has ended ({@link IsGone}). Writes nothing while another run holds the lease. Rejects with a DynoError `target.busy` that names
 * the holder, or with the errors of the client. Resolves to the lease. If Dyno cannot find out who holds the lease, resolves to a sentence
 * about this.
 */
export async function takeTargetLease(
  target: ElasticsearchClient,
  holder: TargetHolder,
  { ms, isGone }: { ms: number; isGone: IsGone },
): Promise<TargetLease | string> {
  const asks = asksAt(target);
  let isWriting = false;
  try {
    await leaseFor(asks, holder, ms, isGone).take(() => (isWriting = true));
    return {
      renew: (renewMs) => leaseFor(asks, holder, renewMs).renew(),
      release: (by) => giveUp(by ? asksAt(by) : asks, holder),
    };
  } catch (error) {
    // The request may have written the lease although no answer arrived.
    if (isWriting) await giveUp(asks, holder);
    if (!(error instanceof Unknowable)) throw error;
    return `Dyno cannot find out whether another run measures this cluster too: its lease cannot be stored there (index ${LEASE_INDEX}): ${messageOf(error)}`;
  }
}

/** Releases the lease. Never rejects. */
const giveUp = (asks: AskForLease, holder: TargetHolder): Promise<void> =>
  leaseFor(asks, holder, REMOVAL_MS)
    .release()
    .catch(() => undefined);

const lost = (by: TargetLeaseDocument): DynoError =>
  runError(
    'target.lease-lost',
    '',
    `${describeHolder(by)} has taken this cluster since ${by.since}, after the lease of this run had expired: each would affect the measurements of the other`,
  );

/**
 * Reads the lease. `isAbandoned`: whether to return a lease that is abandoned (it has expired, or its process has ended). If false, returns
 * only a lease that a run still holds. Undefined if there is no such lease, or if this cannot be found out.
 */
async function findLease(
  client: ElasticsearchClient,
  isGone: IsGone,
  isAbandoned: boolean,
): Promise<api.StoredDocument<TargetLeaseDocument> | undefined> {
  const lease = leaseFor(asksAt(client), NOBODY, 0, isGone);
  const found = await lease.read().catch(orUnknown);
  return found && (await lease.isAbandoned(found)) === isAbandoned ? found : undefined;
}

/**
 * Returns the run that measures the cluster now. Undefined if no run does, or if this cannot be found out. Rejects with the errors of the
 * client.
 */
export const findTargetHolder = async (
  client: ElasticsearchClient,
  isGone: IsGone,
): Promise<TargetHolder | undefined> => (await findLease(client, isGone, false))?._source;

/**
 * Removes the lease of a run that no longer measures the cluster. Returns the holder of the removed lease. Rejects with the errors of the
 * client.
 */
export async function removeAbandonedLease(
  client: ElasticsearchClient,
  remover: TargetHolder['carrier'],
  isGone: IsGone,
): Promise<TargetHolder | undefined> {
  const found = await findLease(client, isGone, true);
  if (!found) return undefined;
  const own = leaseFor(asksAt(client), { ...found._source, carrier: remover }, REMOVAL_MS);
  return (await own.remove(found).catch(orUnknown)) ? found._source : undefined;
}
