/** Notices that a cluster has stopped accepting the credentials of a run: an API key was invalidated, or a password changed. */
import { isUnavailable } from '../../../common/elasticsearch/answer';
import { withDefaults, type ElasticsearchClient } from '../../../common/elasticsearch/client';
import { DynoError, messageOf } from '../../../common/problem';
import * as api from '../../elasticsearch/api';
import { ask } from '../../target-cluster/answer';

/**
 * Time for which a cluster must refuse the credentials without an exception, in ms. A cluster that has just restarted refuses valid
 * credentials until it has recovered its index of users and keys, so after an outage the time is longer.
 */
const REFUSES_MS = 5000;
const REFUSES_AFTER_OUTAGE_MS = 60_000;

/** Timeout of the request to the target, in ms. */
const ANSWER_MS = 5000;

/** `refused`: the cluster does not accept the credentials, for the reason `why`. `none`: no response that depends on them. */
export type Verdict = { kind: 'accepted' | 'none' } | { kind: 'refused'; why: string };

/** The answers of one cluster to the credentials of one run, in order. */
export class CredentialWatch {
  private refusedSince: number | undefined;
  private isBack = false;

  /** Returns why the credentials no longer work, or '' while they do or may. `now`: ms of a clock that never jumps. */
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

/** Judges the credentials by the outcome of a request to the results cluster. */
export const verdictOfResults = (work: Promise<unknown>): Promise<Verdict> =>
  work.then(
    (): Verdict => ({ kind: 'accepted' }),
    (error: unknown): Verdict =>
      error instanceof DynoError && error.code === 'results.unauthorised'
        ? { kind: 'refused', why: messageOf(error) }
        : { kind: 'none' },
  );

/** Asks a target who we are, which needs no privilege. Never rejects. */
export async function askTarget(target: ElasticsearchClient): Promise<Verdict> {
  try {
    let verdict: Verdict = { kind: 'accepted' };
    await ask(withDefaults(target, { timeoutMs: ANSWER_MS }), api.authenticate(), 'ask who we are', {
      // A cluster without security does not know the path: it accepts anyone.
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

/** Returns the reason that is stored with a run that ends because of its credentials. */
export const credentialsLost = (why: string): string =>
  `${why}. The run ends here and can be resumed with credentials that work`;
