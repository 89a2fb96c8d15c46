/** Who carries a run, and whether it was asked to end: what the processes that share a results cluster say to each other. */
import { isSuccess } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { inputError } from '../../common/problem';
import { refusal } from './answer';
import { date, keyword, object, text, type Fields } from './mappings/field';
import { id } from './mappings/measured';

/** Stored under the name that leases had first. */
export const LEASES = 'dyno-claims';

type Carrier = RunDocument['run']['carrier'];

/** One for each run that has not ended, named like it. */
export interface Lease {
  /** When it was made, ISO 8601 UTC. */
  '@timestamp': string;
  run: { id: string };
  carrier: Carrier;
  /** Set by whoever wants the run to end. */
  end?: { reason: string; at: string };
}

const fields: Fields<Lease> = {
  '@timestamp': date,
  run: object<Lease['run']>(id),
  carrier: object<Carrier>({ host: keyword, pid: { type: 'long' }, instance: keyword }),
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

const DOING = 'take the lease of a run';

const isSame = (a: Carrier, b: Carrier): boolean => a.host === b.host && a.instance === b.instance;

export interface Leases {
  /**
   * Takes the run for a carrier. One that another holds is taken only when `isGone` says so of its lease, and of several
   * that try at once one succeeds. Rejects with a DynoError `run.claimed` (input) for the others.
   */
  take(runId: string, carrier: Carrier, isGone: (lease: Lease) => boolean): Promise<void>;
  /** Of the runs of these ids; those that nobody holds a lease of are missing. */
  read(runIds: readonly string[]): Promise<Map<string, Lease>>;
  /** Asks whoever carries the run to end it; false where nobody holds its lease. */
  askToEnd(runId: string, reason: string): Promise<boolean>;
  /** Gives up a lease that the carrier holds; one that it has lost is left alone. */
  release(runId: string, carrier: Carrier): Promise<void>;
}

/** All reject with a DynoError `results.*`, or as the client does. Reads see what was written before them. */
export function createLeases(client: ElasticsearchClient): Leases {
  async function stored(runId: string): Promise<Stored> {
    const { status, body } = await client.request<Stored>({ method: 'GET', path: pathOf(runId) });
    if (status === 404) return {};
    if (!isSuccess(status)) throw refusal(status, body, DOING);
    return body;
  }

  async function makeIndex(): Promise<void> {
    const { status } = await client.request({ method: 'HEAD', path: `/${LEASES}` });
    // Of two that make it at once the second is told that it is there.
    if (status === 404) await client.request({ method: 'PUT', path: `/${LEASES}`, body: INDEX });
  }

  return {
    async take(runId, carrier, isGone) {
      await makeIndex();
      const { _source: held, _seq_no, _primary_term } = await stored(runId);
      if (held && !isSame(held.carrier, carrier) && !isGone(held)) throw runTaken(runId, held.carrier);
      const lease: Lease = { '@timestamp': new Date().toISOString(), run: { id: runId }, carrier };
      const { status, body } = await client.request({
        method: 'PUT',
        path: pathOf(runId),
        query: held ? { if_seq_no: _seq_no!, if_primary_term: _primary_term! } : { op_type: 'create' },
        body: lease,
      });
      if (status === 409) throw runTaken(runId, undefined);
      if (!isSuccess(status)) throw refusal(status, body, DOING);
    },

    async read(runIds) {
      if (runIds.length === 0) return new Map();
      const { status, body } = await client.request<{ docs?: Stored[] }>({
        method: 'POST',
        path: `/${LEASES}/_mget`,
        body: { ids: runIds },
      });
      if (status === 404) return new Map();
      if (!isSuccess(status)) throw refusal(status, body, 'read the leases of runs');
      const leases = (body.docs ?? []).flatMap(({ _source }) => (_source ? [_source] : []));
      return new Map(leases.map((lease) => [lease.run.id, lease]));
    },

    async askToEnd(runId, reason) {
      const { status, body } = await client.request({
        method: 'POST',
        path: `/${LEASES}/_update/${encodeURIComponent(runId)}`,
        query: { retry_on_conflict: MOST_TRIES },
        body: { doc: { end: { reason, at: new Date().toISOString() } } },
      });
      if (status === 404) return false;
      if (!isSuccess(status)) throw refusal(status, body, 'ask for the end of a run');
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
        if (isSuccess(status) || status === 404) return;
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
