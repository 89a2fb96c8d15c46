/**
 * Leases of runs, by which the processes that share a results cluster know who carries a run and whether it is to end.
 * Their states are those of `server/elasticsearch/lease.ts`.
 */
import { errorType } from '../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { inputError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { clusterTime, LeaseDocument, MOST_TRIES, type AskForLease } from '../elasticsearch/lease';
import { ask, refusal } from './answer';
import { makeIndex, mappingsOf } from './own-index';
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

const INDEX = { name: LEASES, properties: fields };

/** What is left when they are more goes with the next look. */
const MOST_LISTED = 2000;

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
  const client = withDefaults(results, { timeoutMs: PATIENCE_MS });

  const asksFor =
    (doing: string): AskForLease =>
    (endpoint, expected) =>
      ask(client, endpoint, doing, expected);

  const leaseOf = (
    runId: string,
    carrier: Carrier,
    doing: string,
    isGone: (lease: Lease, now: number) => boolean = () => false,
  ): LeaseDocument<Lease> =>
    new LeaseDocument<Lease>(asksFor(doing), {
      index: LEASES,
      id: runId,
      isOurs: (held) => isSame(held.carrier, carrier),
      isAbandoned: isGone,
      next: (now, before) => ({
        ...(before ?? { '@timestamp': new Date().toISOString(), run: { id: runId }, carrier }),
        renewed: new Date(now).toISOString(),
      }),
      makeIndex: () => makeIndex(client, INDEX, doing),
      renewIndex: () => ask(client, api.putMapping(LEASES, mappingsOf(fields)), doing),
      taken: (by) => runTaken(runId, by?.carrier),
    });

  return {
    now: () => clusterTime(asksFor('read the clock of the results cluster'), LEASES),

    take: (runId, carrier, isGone) => leaseOf(runId, carrier, 'take the lease of a run', isGone).take(),

    async renew(runId, carrier) {
      const lease = leaseOf(runId, carrier, 'renew the lease of a run');
      const held = await lease.read();
      // A write in between asks for the end of the run, which the next look finds.
      if (held && isSame(held._source.carrier, carrier)) await lease.write(held);
    },

    async read(runIds) {
      if (runIds.length === 0) return new Map();
      const doing = 'read the leases of runs';
      const told = await ask(client, api.getDocuments<Lease>(LEASES, runIds), doing, {
        missing: () => undefined,
      });
      if (told === undefined) return new Map();
      // The carrier of a run without a lease lets it go, so each of them must be answered.
      const isWhole =
        told.docs.length === runIds.length &&
        told.docs.every((one) => ['', 'index_not_found_exception'].includes(errorType(one)));
      if (!isWhole) throw refusal(200, told, doing);
      const leases = told.docs.flatMap(({ _source }) => (_source ? [_source] : []));
      return new Map(leases.map((lease) => [lease.run.id, lease]));
    },

    async list() {
      const where = { index: LEASES, what: 'the leases of runs' };
      const { hits } = await searchIndex<Lease>(client, where, { size: MOST_LISTED, sort: '_doc' });
      return hits.map(({ _source }) => _source);
    },

    async askToEnd(runId, reason) {
      const end = { reason, at: new Date().toISOString() };
      const update = api.updateDocument(LEASES, runId, { end }, { retry_on_conflict: MOST_TRIES });
      const asked = await ask(client, update, 'ask for the end of a run', { missing: () => false });
      return asked !== false;
    },

    async release(runId, carrier) {
      const lease = leaseOf(runId, carrier, 'give up the lease on a run');
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const held = await lease.read();
        if (!held || !isSame(held._source.carrier, carrier) || (await lease.delete(held))) return;
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
