/** Who carries a run, and whether it was asked to end: what the processes that share a results cluster say to each other. */
import { errorType, isDone, isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { inputError } from '../../common/problem';
import { refusal } from './answer';
import { searchIndex } from './search';
import { date, keyword, object, text, type Fields } from './mappings/field';
import { id } from './mappings/measured';
import { PATIENCE_MS } from './patience';

/** Stored under the name that leases had first. */
export const LEASES = 'dyno-claims';

type Carrier = RunDocument['run']['carrier'];

/** One for each run that has not ended, named like it. */
export interface Lease {
  /** When it was made, ISO 8601 UTC. */
  '@timestamp': string;
  run: { id: string };
  carrier: Carrier;
  /** When its carrier last gave a sign of life, by the clock of the results cluster; leases of earlier versions lack it. */
  renewed?: string;
  /** Set by whoever wants the run to end. */
  end?: { reason: string; at: string };
}

const fields: Fields<Lease> = {
  '@timestamp': date,
  run: object<Lease['run']>(id),
  carrier: object<Carrier>({ host: keyword, pid: { type: 'long' }, instance: keyword }),
  renewed: date,
  end: object<NonNullable<Lease['end']>>({ reason: text, at: date }),
};

const INDEX = {
  settings: { number_of_shards: 1, auto_expand_replicas: '0-1' },
  mappings: { dynamic: 'strict', properties: fields },
};

interface Stored {
  found?: boolean;
  _seq_no?: number;
  _primary_term?: number;
  _source?: Lease;
}

const pathOf = (runId: string): string => `/${LEASES}/_doc/${encodeURIComponent(runId)}`;

/** To give up a lease that others change at the same moment. */
const MOST_TRIES = 3;

/** What is left when they are more goes with the next look. */
const MOST_LISTED = 2000;

const DOING = 'take the lease of a run';

const isSame = (a: Carrier, b: Carrier): boolean => a.host === b.host && a.instance === b.instance;

export interface Leases {
  /**
   * Takes the run for a carrier. One that another holds is taken only when `isGone` says so of its lease, at a moment by the
   * results cluster's clock (ms), and of several that try at once one succeeds. Rejects with a DynoError `run.claimed`
   * (input) for the others.
   */
  take(runId: string, carrier: Carrier, isGone: (lease: Lease, now: number) => boolean): Promise<void>;
  /** A sign of life of whoever holds the lease; nothing where it is another by now. */
  renew(runId: string, carrier: Carrier): Promise<void>;
  /** By the clock of the results cluster, ms since the epoch, precise to a second; by ours where it does not tell. */
  now(): Promise<number>;
  /** Of the runs of these ids; those that nobody holds a lease of are missing. */
  read(runIds: readonly string[]): Promise<Map<string, Lease>>;
  /** All, up to some thousands. */
  list(): Promise<Lease[]>;
  /** Asks whoever carries the run to end it; false where nobody holds its lease. */
  askToEnd(runId: string, reason: string): Promise<boolean>;
  /** Gives up a lease that the carrier holds; one that it has lost is left alone. */
  release(runId: string, carrier: Carrier): Promise<void>;
}

/**
 * All reject with a DynoError `results.*`, or as the client does, within seconds: runs wait for them. Reads see what was
 * written before them.
 */
export function createLeases(results: ElasticsearchClient): Leases {
  const client: ElasticsearchClient = {
    request: (request) => results.request({ timeoutMs: PATIENCE_MS, ...request }),
  };

  async function stored(runId: string): Promise<Stored> {
    const { status, body } = await client.request<Stored>({ method: 'GET', path: pathOf(runId) });
    if (status === 404) return {};
    if (!isSuccess(status) || body?._source === undefined) throw refusal(status, body, DOING);
    return body;
  }

  async function makeIndex(): Promise<void> {
    const { status } = await client.request({ method: 'HEAD', path: `/${LEASES}` });
    // Of two that make it at once the second is told that it is there.
    if (status === 404) await client.request({ method: 'PUT', path: `/${LEASES}`, body: INDEX });
  }

  /** Written under conditions. An index that an earlier version has made does not know all fields yet. */
  async function put(
    lease: Lease,
    query: Record<string, string | number>,
  ): ReturnType<typeof client.request> {
    const write = (): ReturnType<typeof client.request> =>
      client.request({ method: 'PUT', path: pathOf(lease.run.id), query, body: lease });
    const first = await write();
    if (first.status !== 400) return first;
    await client.request({ method: 'PUT', path: `/${LEASES}/_mapping`, body: INDEX.mappings });
    return await write();
  }

  /** Its own clock is what `_cat` shows beside a count: no privilege but to read the index is needed for that. */
  async function now(): Promise<number> {
    const { status, body } = await client.request<{ epoch?: string }[]>({
      method: 'GET',
      path: `/_cat/count/${LEASES}`,
      query: { format: 'json', h: 'epoch' },
    });
    const seconds = isSuccess(status) && Array.isArray(body) ? Number(body[0]?.epoch) : NaN;
    return Number.isFinite(seconds) ? seconds * 1000 : Date.now();
  }

  return {
    now,

    async take(runId, carrier, isGone) {
      await makeIndex();
      const { _source: held, _seq_no, _primary_term } = await stored(runId);
      const at = await now();
      if (held && !isSame(held.carrier, carrier) && !isGone(held, at)) throw runTaken(runId, held.carrier);
      const lease: Lease = {
        '@timestamp': new Date().toISOString(),
        run: { id: runId },
        carrier,
        renewed: new Date(at).toISOString(),
      };
      const { status, body } = await put(
        lease,
        held ? { if_seq_no: _seq_no!, if_primary_term: _primary_term! } : { op_type: 'create' },
      );
      if (status === 409) throw runTaken(runId, undefined);
      if (!isDone({ status, body })) throw refusal(status, body, DOING);
    },

    async renew(runId, carrier) {
      const { _source: held, _seq_no, _primary_term } = await stored(runId);
      if (!held || !isSame(held.carrier, carrier)) return;
      const { status, body } = await put(
        { ...held, renewed: new Date(await now()).toISOString() },
        { if_seq_no: _seq_no!, if_primary_term: _primary_term! },
      );
      // Whoever changed it at this moment asks for its end, which is heard at the next look.
      if (!isDone({ status, body }) && status !== 409)
        throw refusal(status, body, 'renew the lease of a run');
    },

    async read(runIds) {
      if (runIds.length === 0) return new Map();
      const { status, body } = await client.request<{ docs?: Stored[] }>({
        method: 'POST',
        path: `/${LEASES}/_mget`,
        body: { ids: runIds },
      });
      if (status === 404) return new Map();
      // A run without a lease is let go, so only an answer about each of them may say that there is none.
      const isWhole =
        isSuccess(status) &&
        Array.isArray(body?.docs) &&
        body.docs.length === runIds.length &&
        body.docs.every((one) => ['', 'index_not_found_exception'].includes(errorType(one)));
      if (!isWhole) throw refusal(status, body, 'read the leases of runs');
      const leases = body.docs!.flatMap(({ _source }) => (_source ? [_source] : []));
      return new Map(leases.map((lease) => [lease.run.id, lease]));
    },

    async list() {
      const where = { index: LEASES, what: 'the leases of runs' };
      const { hits } = await searchIndex<Lease>(client, where, { size: MOST_LISTED, sort: '_doc' });
      return hits.map(({ _source }) => _source);
    },

    async askToEnd(runId, reason) {
      const { status, body } = await client.request({
        method: 'POST',
        path: `/${LEASES}/_update/${encodeURIComponent(runId)}`,
        query: { retry_on_conflict: MOST_TRIES },
        body: { doc: { end: { reason, at: new Date().toISOString() } } },
      });
      if (status === 404) return false;
      if (!isDone({ status, body })) throw refusal(status, body, 'ask for the end of a run');
      return true;
    },

    async release(runId, carrier) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const { _source: held, _seq_no, _primary_term } = await stored(runId);
        if (!held || !isSame(held.carrier, carrier)) return;
        const { status, body } = await client.request({
          method: 'DELETE',
          path: pathOf(runId),
          query: { if_seq_no: _seq_no!, if_primary_term: _primary_term! },
        });
        if (isDone({ status, body }) || status === 404) return;
        if (status !== 409) throw refusal(status, body, 'give up the lease on a run');
        // Somebody has asked that the run end, or has taken it, since it was read.
      }
    },
  };
}

/** A DynoError `run.claimed` (input). */
export const runTaken = (runId: string, by: Carrier | undefined): Error =>
  inputError(
    'run.claimed',
    '',
    by ? `the run is carried by process ${by.pid} on ${by.host}` : 'another process has just taken the run',
    { found: runId },
  );
