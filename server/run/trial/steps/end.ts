/** The end of a trial: determines the state of the trial, and what a failure means for the rest of the run. */
import { codeOf, DynoError, messageOf } from '../../../../common/problem';
import { orAborted } from '../../../target-cluster/or-aborted';
import { waitUntilNotRed } from '../../../target-cluster/readiness';
import { seeClock, timesOf } from '../document';
import type { Needs } from '../input';
import { AWAY_FROM_MS, OUTAGE } from '../outage';
import { BY_DEFINITION } from './early-stop';

/** Codes of failures that only concern one trial. The next trial may succeed. */
const CONDEMNS_ONE = new Set(['trial.miscount', 'trial.index-replaced', 'generator.stuck']);

/**
 * Codes of failures that an outage may have caused. Such a trial says nothing about the target, and can be repeated when the target is
 * available again.
 */
const OUTAGES = new Set([
  OUTAGE,
  'target.lost',
  'target.unreachable',
  'target.unavailable',
  'elasticsearch.unreachable',
  'elasticsearch.timeout',
  // A machine that generated the load was lost.
  'seat.lost',
  'seat.lease-lost',
]);

/** Sets the state of a trial that did not complete because of `error`. If `error` is a bug in Dyno, throws it again. */
export function noteFailure({ signal, document }: Needs<'signal' | 'document'>, error: unknown): void {
  if (!(error instanceof DynoError) && !signal.aborted) throw error;
  document.trial.state = signal.aborted ? 'cancelled' : 'failed';
  // Any error after the abort is only its consequence. The reason of the abort is stored.
  document.trial.reason = messageOf(signal.aborted ? signal.reason : error);
}

export interface Verdict {
  /** Reason why no further trial can succeed; '' if further trials can. */
  fatal: string;
  /** Whether the definition itself is the cause of the failure. */
  byDefinition: boolean;
}

/**
 * Decides whether the run can continue after this trial, and reports the end of the trial. `failure`: the error that ended the trial; null
 * if it did not fail.
 */
export async function judgeEnd(
  trial: Needs<'target' | 'wallClock' | 'signal' | 'listener' | 'document'>,
  failure: unknown,
): Promise<Verdict> {
  const { listener, document } = trial;
  seeClock(trial);
  const { state, reason } = document.trial;
  let fatal = '';
  // If an outage caused the failure, the trial is repeated, provided that the outage is over.
  if (state === 'failed' && OUTAGES.has(codeOf(failure)) && (await outlasted(trial, failure)))
    document.trial.outage = reason;
  else if (failure !== null && !CONDEMNS_ONE.has(codeOf(failure))) fatal = reason;
  document.times.ended = new Date().toISOString();
  listener.onTimes(timesOf(document));
  return { fatal, byDefinition: fatal !== '' && isByDefinition(failure) };
}

/**
 * Returns whether the same definition would fail again: a `stop-when` condition ended the trial, or the target refuses a part of the
 * definition.
 */
export const isByDefinition = (error: unknown): boolean =>
  error instanceof DynoError && (error.kind === 'input' || error.code === BY_DEFINITION);

/**
 * Waits until the target is healthy again, and returns whether it is. The wait ends when the requests give up, after the time that the
 * definition allows for outages (`patience`).
 */
async function outlasted(
  { target, signal, listener }: Needs<'target' | 'signal' | 'listener'>,
  failure: unknown,
): Promise<boolean> {
  const begun = Date.now();
  try {
    await orAborted(waitUntilNotRed(target.connection, signal), signal);
  } catch (error) {
    if (!signal.aborted) listener.onNote(`the target is not back: ${messageOf(error)}`);
    return false;
  }
  // Only the load could not reach the target; other requests could reach it all the time. So the load generator cannot reach the nodes, and
  // every trial would fail in the same way.
  return codeOf(failure) !== 'target.unreachable' || Date.now() - begun >= AWAY_FROM_MS;
}
