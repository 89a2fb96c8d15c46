/**
 * The right of one run to measure a cluster, kept in that cluster itself: runs whose results are kept in different places
 * know nothing else of each other.
 *
 * One document in an index of its own. It is written between trials only, and each time covers the longest trial, so that
 * nothing of it falls into what is measured. When it expires is judged by the cluster's own clock.
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

/** The one that measures. */
export interface TargetHolder {
  run: { id: string };
  experiment: { name: string };
  /** The process that carries the run. */
  carrier: { host: string; pid: number; instance: string };
}

/** As it stands in the index; times are ISO 8601 UTC by the clock of the cluster. */
export interface TargetLeaseDocument extends TargetHolder {
  since: string;
  until: string;
}

export interface TargetLease {
  /** Covers `ms` from now on. Rejects with a DynoError `target.lease-lost` where it is another's by now, or as the client does. */
  renew(ms: number): Promise<void>;
  /**
   * Gives it up, and removes the index with it; one that is another's by now is left alone. Never rejects. `by`: where the
   * connection that it was taken with is closed.
   */
  release(by?: ElasticsearchClient): Promise<void>;
}

/** Whether a run is known to measure no more, whatever its lease says. */
export type IsGone = (holder: TargetHolder) => boolean;

/** Keeps others away while the index is removed, ms. */
const REMOVAL_MS = 60_000;

/** To give up what a proxy garbles, or a cluster that is away, keeps from being given up, ms: then it expires. */
const RELEASE_MS = 8000;

/** Of one answer: a run neither begins nor ends later for a cluster that is silent, ms. */
const ANSWER_MS = 10_000;

/** Asks again where the cluster could not answer at this moment, or a proxy answered for it. */
const RETRY: NonNullable<Endpoint<unknown>['retry']> = {
  when: ({ status, body }) => isPassing(status) || (isSuccess(status) && typeof body === 'string'),
  pausesMs: Array.from({ length: MOST_TRIES - 1 }, () => 200),
};

/** The cluster does not let anybody know whether another run measures there. */
class Unknowable extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** Rejects with an {@link Unknowable} for an answer that nobody expects. */
const asksAt =
  (client: ElasticsearchClient): AskForLease =>
  (endpoint, expected) =>
    ask(withDefaults(client, { timeoutMs: ANSWER_MS }), { ...endpoint, retry: RETRY }, 'keep its lease', {
      failed: ({ status, reason, error }) => {
        throw new Unknowable(reason || messageOf(error), status);
      },
      ...expected,
    });

const orUnknown = (error: unknown): undefined => {
  if (!(error instanceof Unknowable)) throw error;
};

/** For looks at a lease, whoever holds it. */
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
  // Old clusters and serverless ones know fewer settings.
  await asks(create(settings), { ...exists, illegal: () => asks(create({}), exists) });
}

/** `ms`: how long a write of it holds. */
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

/** `run r (shards, process 7 on bench)` */
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
 * Takes the cluster for a run, for `ms` at first. One that another run has is taken only when that has expired, or its
 * process {@link IsGone}. Nothing is written while another has it. Rejects with a DynoError `target.busy` that says who has
 * it, or as the client does. Resolves to a sentence where the cluster does not let anybody know.
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
    // What was asked may have been done, though nobody answered.
    if (isWriting) await giveUp(asks, holder);
    if (!(error instanceof Unknowable)) throw error;
    return `whether another run measures this cluster too cannot be known: its lease cannot be kept there (index ${LEASE_INDEX}): ${messageOf(error)}`;
  }
}

/** Never rejects. */
const giveUp = (asks: AskForLease, holder: TargetHolder): Promise<void> =>
  leaseFor(asks, holder, REMOVAL_MS)
    .release()
    .catch(() => undefined);

const lost = (by: TargetLeaseDocument): DynoError =>
  runError(
    'target.lease-lost',
    '',
    `${describeHolder(by)} has taken this cluster since ${by.since}, after the lease of this run had expired: both would measure each other`,
  );

/** Returns the lease if it is, or is not, abandoned; undefined if there is no such lease, or if nobody can know. */
async function findLease(
  client: ElasticsearchClient,
  isGone: IsGone,
  isAbandoned: boolean,
): Promise<api.StoredDocument<TargetLeaseDocument> | undefined> {
  const lease = leaseFor(asksAt(client), NOBODY, 0, isGone);
  const found = await lease.read().catch(orUnknown);
  return found && (await lease.isAbandoned(found)) === isAbandoned ? found : undefined;
}

/** The run that measures the cluster now; undefined if none does, or if nobody can know. Rejects as the client does. */
export const findTargetHolder = async (
  client: ElasticsearchClient,
  isGone: IsGone,
): Promise<TargetHolder | undefined> => (await findLease(client, isGone, false))?._source;

/** Removes a lease by which nobody measures any more; returns whose it was. Rejects as the client does. */
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
