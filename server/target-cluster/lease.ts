/**
 * The right of one run to measure a cluster, kept in that cluster itself: runs whose results are kept in different places
 * know nothing else of each other.
 *
 * One document in an index of its own. It is written between trials only, and each time covers the longest trial, so that
 * nothing of it falls into what is measured. When it expires is judged by the cluster's own clock.
 */
import { errorType, isDone, isPassing, isSuccess, reasonOf } from '../../common/elasticsearch/answer';
import type {
  ElasticsearchClient,
  ElasticsearchRequest,
  ElasticsearchResponse,
} from '../../common/elasticsearch/client';
import { messageOf, runError, type DynoError } from '../../common/problem';
import { parseTime } from '../../common/units/time';

export const LEASE_INDEX = 'dyno-lease';

const DOCUMENT = `/${LEASE_INDEX}/_doc/lease`;

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

interface Found {
  _seq_no: number;
  _primary_term: number;
  _source: TargetLeaseDocument;
}

/** To take what others give up, or take, at the same moment. */
const MOST_TRIES = 5;
const BETWEEN_TRIES_MS = 200;
/** Keeps others away while the index is removed, ms. */
const REMOVAL_MS = 60_000;

/** To give up what a proxy garbles, or a cluster that is away, keeps from being given up, ms: then it expires. */
const RELEASE_MS = 8000;

const pause = (ms = BETWEEN_TRIES_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Of one answer: a run neither begins nor ends later for a cluster that is silent, ms. */
const ANSWER_MS = 10_000;

/** Asks again where the cluster could not answer at this moment. */
const patient = (client: ElasticsearchClient): ElasticsearchClient => ({
  async request<T>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>> {
    for (let tries = 1; ; tries++) {
      const answer = await client.request<T>({ timeoutMs: ANSWER_MS, ...request });
      const isGarbled = isSuccess(answer.status) && !isDone(answer);
      if ((!isPassing(answer.status) && !isGarbled) || tries === MOST_TRIES) return answer;
      await pause();
    }
  },
});

/** The cluster lets nobody know whether another run measures there. */
class Unknowable extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

const isSame = (one: TargetHolder, other: TargetHolder): boolean =>
  one.run.id === other.run.id &&
  one.carrier.host === other.carrier.host &&
  one.carrier.instance === other.carrier.instance;

/** The document, or what there is of its place. */
async function look(client: ElasticsearchClient): Promise<Found | 'no index' | 'no document'> {
  const { status, body } = await client.request<Partial<Found> & { found?: boolean }>({
    method: 'GET',
    path: DOCUMENT,
  });
  if (status === 404) return body?.found === false ? 'no document' : 'no index';
  if (!isSuccess(status) || body?._source?.carrier === undefined) throw unknowable(status, body);
  return body as Found;
}

async function read(client: ElasticsearchClient): Promise<Found | undefined> {
  const found = await look(client);
  return typeof found === 'string' ? undefined : found;
}

const unknowable = (status: number, body: unknown): Unknowable =>
  new Unknowable(
    reasonOf(body) || `it answered ${status}${isSuccess(status) ? ', but not as Elasticsearch does' : ''}`,
    status,
  );

/** By the clock of the cluster, whole seconds since the epoch: `_cat` shows it next to a count. Undefined where it does not. */
export async function clusterSeconds(client: ElasticsearchClient): Promise<number | undefined> {
  const { status, body } = await client.request<{ epoch?: string }[]>({
    method: 'GET',
    path: `/_cat/count/${LEASE_INDEX}`,
    query: { format: 'json', h: 'epoch' },
  });
  const seconds = isSuccess(status) && Array.isArray(body) ? Number(body[0]?.epoch) : NaN;
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** By the clock of the cluster, ms since the epoch; ours where it does not report it. */
async function clockOf(client: ElasticsearchClient): Promise<number> {
  const seconds = await clusterSeconds(client);
  return seconds === undefined ? Date.now() : seconds * 1000;
}

const MAPPINGS = { dynamic: false, _meta: { dyno: { lease: true } } };

async function makeIndex(client: ElasticsearchClient): Promise<void> {
  const create = (settings: object): Promise<ElasticsearchResponse<unknown>> =>
    client.request({ method: 'PUT', path: `/${LEASE_INDEX}`, body: { settings, mappings: MAPPINGS } });
  let { status, body } = await create({ 'index.hidden': true, 'index.auto_expand_replicas': '0-1' });
  const exists = (): boolean => errorType(body) === 'resource_already_exists_exception';
  // Old clusters and serverless ones know fewer settings.
  if (status === 400 && !exists()) ({ status, body } = await create({}));
  if (!isDone({ status, body }) && !exists()) throw unknowable(status, body);
}

async function write(
  client: ElasticsearchClient,
  holder: TargetHolder,
  ms: number,
  over: Found | undefined,
): Promise<ElasticsearchResponse<unknown>> {
  const now = await clockOf(client);
  const since = over && isSame(over._source, holder) ? over._source.since : new Date(now).toISOString();
  const lease: TargetLeaseDocument = { ...holder, since, until: new Date(now + ms).toISOString() };
  return await client.request({
    method: 'PUT',
    path: DOCUMENT,
    query: over ? { if_seq_no: over._seq_no, if_primary_term: over._primary_term } : { op_type: 'create' },
    body: lease,
  });
}

/** Whether nobody measures by it any more: its process is gone, or it has expired. */
async function isAbandoned(
  client: ElasticsearchClient,
  { _source }: Found,
  isGone: IsGone,
): Promise<boolean> {
  return isGone(_source) || (await clockOf(client)) >= parseTime(_source.until);
}

/** `run r (shards, process 7 on bench)` */
export const describeHolder = ({ run, experiment, carrier }: TargetHolder): string =>
  `run ${run.id} (${experiment.name}, process ${carrier.pid} on ${carrier.host})`;

const busy = (lease: TargetLeaseDocument): DynoError =>
  runError(
    'target.busy',
    '',
    `${describeHolder(lease)} is at work on this cluster since ${lease.since}: both would measure each other; wait for its ` +
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
  const client = patient(target);
  let isWriting = false;
  try {
    for (let tries = 1; ; tries++) {
      const found = await read(client);
      const isOurs = found !== undefined && isSame(found._source, holder);
      if (found && !isOurs && !(await isAbandoned(client, found, isGone))) throw busy(found._source);
      isWriting = true;
      if (!found) await makeIndex(client);
      const { status, body } = await write(client, holder, ms, found);
      if (isDone({ status, body })) return leaseOf(client, holder);
      // Another was faster; or whoever had it has just removed the index.
      const again = status === 409 || status === 404;
      if (!again || tries === MOST_TRIES) throw unknowable(status, body);
      isWriting = false;
      await pause();
    }
  } catch (error) {
    // What was asked may have been done, though nobody answered.
    if (isWriting) await giveUp(client, holder);
    if (!(error instanceof Unknowable)) throw error;
    return `whether another run measures this cluster too cannot be known: its lease cannot be kept there (index ${LEASE_INDEX}): ${messageOf(error)}`;
  }
}

function leaseOf(client: ElasticsearchClient, holder: TargetHolder): TargetLease {
  return {
    async renew(ms) {
      const found = await read(client);
      if (found && !isSame(found._source, holder)) throw lost(found._source);
      // Somebody has deleted it by hand.
      if (!found) await makeIndex(client);
      const { status, body } = await write(client, holder, ms, found);
      if (isDone({ status, body })) return;
      const by = await read(client);
      if (by && !isSame(by._source, holder)) throw lost(by._source);
      throw unknowable(status, body);
    },
    release: (by) => giveUp(by ? patient(by) : client, holder),
  };
}

/** Credentials that the cluster does not accept release nothing, however often they try. */
const isHopeless = (error: unknown): boolean => error instanceof Unknowable && error.status === 401;

/** Tries for {@link RELEASE_MS}. Never rejects. */
async function giveUp(client: ElasticsearchClient, holder: TargetHolder): Promise<void> {
  const begun = performance.now();
  for (let waitMs = BETWEEN_TRIES_MS; ; waitMs *= 2) {
    if (await isGivenUp(client, holder).catch(isHopeless)) return;
    if (performance.now() - begun + waitMs > RELEASE_MS) return;
    await pause(waitMs);
  }
}

/** Whether nothing of the holder's stands there any more. Rejects where that cannot be known. */
async function isGivenUp(client: ElasticsearchClient, holder: TargetHolder): Promise<boolean> {
  const found = await look(client);
  if (found === 'no index') return true;
  // Made for a document that could not be written.
  if (found === 'no document') return await remove(client, holder, undefined);
  return !isSame(found._source, holder) || (await remove(client, holder, found));
}

const lost = (by: TargetLeaseDocument): DynoError =>
  runError(
    'target.lease-lost',
    '',
    `${describeHolder(by)} has taken this cluster since ${by.since}, after the lease of this run had expired: both would measure each other`,
  );

/** The index goes as a whole: as long as its document stands, nobody else can put one there. */
async function remove(
  client: ElasticsearchClient,
  holder: TargetHolder,
  found: Found | undefined,
): Promise<boolean> {
  // It may have expired a moment ago: from here on it is nobody else's until the index is gone.
  if (!isDone(await write(client, holder, REMOVAL_MS, found))) return false;
  const removed = await client.request({ method: 'DELETE', path: `/${LEASE_INDEX}` });
  if (isDone(removed) || removed.status === 404) return true;
  // Who may not delete the index may delete what stands in it.
  return isDone(await client.request({ method: 'DELETE', path: DOCUMENT }));
}

/** The run that measures the cluster now; undefined where none does, or where that cannot be known. Rejects as the client does. */
export async function findTargetHolder(
  client: ElasticsearchClient,
  isGone: IsGone,
): Promise<TargetHolder | undefined> {
  try {
    const found = await read(client);
    return found && !(await isAbandoned(client, found, isGone)) ? found._source : undefined;
  } catch (error) {
    if (error instanceof Unknowable) return undefined;
    throw error;
  }
}

/** Removes a lease that nobody measures by any more; returns whose it was. Rejects as the client does. */
export async function removeAbandonedLease(
  client: ElasticsearchClient,
  remover: TargetHolder['carrier'],
  isGone: IsGone,
): Promise<TargetHolder | undefined> {
  try {
    const found = await read(client);
    if (!found || !(await isAbandoned(client, found, isGone))) return undefined;
    const { _source: left } = found;
    return (await remove(client, { ...left, carrier: remover }, found)) ? left : undefined;
  } catch (error) {
    if (error instanceof Unknowable) return undefined;
    throw error;
  }
}
