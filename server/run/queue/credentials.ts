/** Detects that a cluster no longer accepts the credentials of a run, because an API key was invalidated or a password was changed. */
import { isUnavailable } from '../../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DynoError, messageOf } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';

/** How long a cluster must refuse the credentials without interruption before the run ends, in ms. */
const REFUSES_MS = 5000;
/**
 * How long a cluster must refuse the credentials without interruption before the run ends, after an outage of the cluster, in ms. This is
 * long, because a cluster that has restarted refuses valid credentials until it has recovered its index of users and keys.
 */
const REFUSES_AFTER_OUTAGE_MS = 60_000;

/** Timeout in ms of the request with which the target checks the credentials. */
const ANSWER_MS = 5000;

/**
 * Meaning of a response for the credentials.
 * - `accepted`: the cluster accepts them.
 * - `refused`: the cluster does not accept them. `why`: the reason.
 * - `none`: nothing. No response came, or the response does not depend on the credentials.
 */
export type Verdict = { kind: 'accepted' | 'none' } | { kind: 'refused'; why: string };

/** Evaluates the responses of one cluster to the credentials of one run, in the order of time. */
export class CredentialWatch {
  private refusedSince: number | undefined;
  private isBack = false;

  /**
   * Evaluates the next response. Returns the reason why the credentials no longer work. Returns '' if they work, or if this is not certain
   * yet. `now`: time of a monotonic clock, in ms.
   */
  see(verdict: Verdict, now = performance.now()): string {
    if (verdict.kind !== 'refused') {
      this.refusedSince = undefined;
      this.isBack = verdict.kind === 'none';
      return '';
    }
    this.refusedSince ??= now;
    const refusesMs = this.isBack ? REFUSES_AFTER_OUTAGE_MS : REFUSES_MS;
    return now - this.refusedSince >= refusesMs ? verdict.why : '';
  }
}

/** Returns what the result of a request to the results cluster says about the credentials. */
export const verdictOfResults = (work: Promise<unknown>): Promise<Verdict> =>
  work.then(
    (): Verdict => ({ kind: 'accepted' }),
    (error: unknown): Verdict =>
      error instanceof DynoError && error.code === 'results.unauthorised'
        ? { kind: 'refused', why: messageOf(error) }
        : { kind: 'none' },
  );

/** Asks the target which user the credentials belong to. The request needs no privilege. Never rejects. */
export async function askTarget(target: ElasticsearchClient): Promise<Verdict> {
  try {
    let verdict: Verdict = { kind: 'accepted' };
    await ask(withDefaults(target, { timeoutMs: ANSWER_MS }), api.authenticate(), 'ask who we are', {
      // A cluster without security does not know the path. It accepts all requests.
      failed: ({ status, error }) => {
        if (status === 401) verdict = { kind: 'refused', why: messageOf(error) };
        else if (isUnavailable(status)) verdict = { kind: 'none' };
      },
    });
    return verdict;
  } catch {
    return { kind: 'none' };
  }
}

/** Returns the reason that is stored with a run that ended because of its credentials. */
export const credentialsLost = (why: string): string =>
  `${why}. The run ends here and can be resumed with credentials that work`;
