/** The end of a trial: determines its state, and the consequence of a failure for the run. */
import { codeOf, DynoError, messageOf } from '../../../../common/problem';
import { orAborted } from '../../../target-cluster/or-aborted';
import { waitUntilNotRed } from '../../../target-cluster/readiness';
import { seeClock, timesOf } from '../document';
import type { Needs } from '../input';
import { AWAY_FROM_MS, OUTAGE } from '../outage';
import { BY_DEFINITION } from './early-stop';

/** Codes of failures that concern only one trial. The next trial may succeed. */
const CONDEMNS_ONE = new Set(['trial.miscount', 'trial.index-replaced', 'generator.stuck']);

/** Codes of failures that contain no information about the target once it is available again. */
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

/** Sets the state of a trial that did not complete. Throws `error` again if it is a bug in Dyno. */
export function noteFailure({ signal, document }: Needs<'signal' | 'document'>, error: unknown): void {
  if (!(error instanceof DynoError) && !signal.aborted) throw error;
  document.trial.state = signal.aborted ? 'cancelled' : 'failed';
  // An error after the signal was aborted is only a consequence of the abort.
  document.trial.reason = messageOf(signal.aborted ? signal.reason : error);
}

export interface Verdict {
  /** Reason why no further trial can succeed; '' if further trials can. */
  fatal: string;
  /** Whether the definition itself is the cause. */
  byDefinition: boolean;
}

/** Decides whether the run can continue after this trial, and reports the end of the trial. `failure`: null if nothing failed. */
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

/** Waits for the target for as long as its connection waits. Returns whether the target is healthy again. */
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
  // If the target was reachable all the time, the load generator cannot reach its nodes. This would be the same in every trial.
  return codeOf(failure) !== 'target.unreachable' || Date.now() - begun >= AWAY_FROM_MS;
}
