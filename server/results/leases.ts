/**
 * Leases of runs. A lease shows which process executes a run, and whether somebody has requested the end of the run. All processes that use
 * the same results cluster share the leases. `server/elasticsearch/lease.ts` describes how a lease changes.
 */
import { errorType } from '../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import { codeOf, inputError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { clusterTime, LeaseDocument, MOST_TRIES, type AskForLease } from '../elasticsearch/lease';
import { ask, refusal } from './answer';
import { makeIndex, mappingsOf } from './own-index';
import { searchIndex } from './search';
import { date, keyword, object, text, type Fields } from './mappings/field';
import { id } from './mappings/measured';
import { PATIENCE_MS } from './patience';

/** Name of the index. In the first version, leases were called claims. */
export const LEASES = 'dyno-claims';

type Carrier = RunDocument['run']['carrier'];

/** The lease of a run that has not ended. The id of its document is the id of the run. */
export interface Lease {
  /** Time at which the lease was created, ISO 8601 UTC. */
  '@timestamp': string;
  run: { id: string };
  carrier: Carrier;
  /**
   * Time at which the process that executes the run last renewed the lease, from the clock of the results cluster. Absent in leases of
   * older versions of Dyno.
   */
  renewed?: string;
  /** Request to end the run, from another process than the one that executes the run. */
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

/** Maximum time for releasing a lease, in ms. It is short, because the end of a run waits until the lease is released. */
const RELEASE_MS = 5000;

/** Maximum number of leases that one call of `list` returns. If more leases exist, a later call returns the others. */
const MOST_LISTED = 2000;

export const isSame = (a: Carrier, b: Carrier): boolean => a.host === b.host && a.instance === b.instance;

export type Leases = ReturnType<typeof createLeases>;

/** Returns whether the process that holds a lease has ended. `now`: time by the clock of the results cluster, in ms since the epoch. */
type IsGone = (lease: Lease, now: number) => boolean;

/**
 * Returns functions that read and write the leases of runs. All reject with a DynoError `results.*`, or with the errors of the client. They
 * settle within seconds, because runs wait for them. Reads include everything that was written before the call.
 */
export function createLeases(results: ElasticsearchClient) {
  const client = withDefaults(results, { timeoutMs: PATIENCE_MS });

  const asksFor =
    (doing: string): AskForLease =>
    (endpoint, expected) =>
      ask(client, endpoint, doing, expected);

  const leaseOf = (
    runId: string,
    carrier: Carrier,
    doing: string,
    isGone: IsGone = () => false,
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
      releaseMs: RELEASE_MS,
      isHopeless: (error) => codeOf(error) === 'results.unauthorised',
    });

  return {
    /**
     * Returns the time of the results cluster's clock in ms since the epoch, precise to a second. If the cluster does not report its time,
     * returns the time of this machine.
     */
    now: (): Promise<number> => clusterTime(asksFor('read the clock of the results cluster'), LEASES),

    /**
     * Takes the lease of a run for `carrier`, the process that will execute the run. A lease of another process is replaced only if
     * `isGone` returns true, which means that the other process has ended. Otherwise rejects with a DynoError `run.claimed` (input).
     */
    take: (runId: string, carrier: Carrier, isGone: IsGone): Promise<void> =>
      leaseOf(runId, carrier, 'take the lease of a run', isGone).take(),

    /** Renews the lease of the run if this process (`carrier`) still holds it. Otherwise does nothing. */
    async renew(runId: string, carrier: Carrier): Promise<void> {
      const lease = leaseOf(runId, carrier, 'renew the lease of a run');
      const held = await lease.read();
      // Another process has changed the lease: it requested the end of the run. The next check finds this request.
      if (held && isSame(held._source.carrier, carrier)) await lease.write(held);
    },

    /** Reads the leases of these runs. Runs without a lease are missing in the result. */
    async read(runIds: readonly string[]): Promise<Map<string, Lease>> {
      if (runIds.length === 0) return new Map();
      const doing = 'read the leases of runs';
      const answer = await ask(client, api.getDocuments<Lease>(LEASES, runIds), doing, {
        missing: () => undefined,
      });
      if (answer === undefined) return new Map();
      // If its lease is missing, a run ends, so an incomplete answer must be an error.
      const isWhole =
        answer.docs.length === runIds.length &&
        answer.docs.every((one) => ['', 'index_not_found_exception'].includes(errorType(one)));
      if (!isWhole) throw refusal(200, answer, doing);
      const leases = answer.docs.flatMap(({ _source }) => (_source ? [_source] : []));
      return new Map(leases.map((lease) => [lease.run.id, lease]));
    },

    /** Reads all leases, at most {@link MOST_LISTED}. */
    async list(): Promise<Lease[]> {
      const where = { index: LEASES, what: 'the leases of runs' };
      const { hits } = await searchIndex<Lease>(client, where, { size: MOST_LISTED, sort: '_doc' });
      return hits.map(({ _source }) => _source);
    },

    /** Requests the end of the run from the process that executes it. Resolves to false if the run has no lease. */
    async askToEnd(runId: string, reason: string): Promise<boolean> {
      const end = { reason, at: new Date().toISOString() };
      const update = api.updateDocument(LEASES, runId, { end }, { retry_on_conflict: MOST_TRIES });
      const asked = await ask(client, update, 'ask for the end of a run', { missing: () => false });
      return asked !== false;
    },

    /**
     * Releases the lease of the run if this process (`carrier`) holds it. Otherwise does nothing. Repeats failed tries for a few seconds.
     */
    release: (runId: string, carrier: Carrier): Promise<void> =>
      leaseOf(runId, carrier, 'release the lease of a run').release(),
  };
}

/** Returns a DynoError `run.claimed` (input). `by`: process that holds the lease; undefined if it is unknown. */
export const runTaken = (runId: string, by: Carrier | undefined): Error =>
  inputError(
    'run.claimed',
    '',
    by ? `the run is carried by process ${by.pid} on ${by.host}` : 'another process has just taken the run',
    { found: runId },
  );
