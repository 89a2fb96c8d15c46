/** The end of a trial: its state, and what its failure means for the run. */
import { codeOf, DynoError, messageOf } from '../../../../common/problem';
import { orAborted } from '../../../target-cluster/or-aborted';
import { waitUntilNotRed } from '../../../target-cluster/readiness';
import { seeClock, timesOf } from '../document';
import type { Needs } from '../input';
import { AWAY_FROM_MS, OUTAGE } from '../outage';
import { BY_DEFINITION } from './early-stop';

/** Codes of failures that say nothing about the next trial. */
const CONDEMNS_ONE = new Set(['trial.miscount', 'trial.index-replaced', 'generator.stuck']);

/** Codes of failures that, once the target is back, say nothing about the target. */
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

/** Sets the state of a trial that did not complete. Throws `error` again if it is an error in Dyno itself. */
export function noteFailure({ signal, document }: Needs<'signal' | 'document'>, error: unknown): void {
  if (!(error instanceof DynoError) && !signal.aborted) throw error;
  document.trial.state = signal.aborted ? 'cancelled' : 'failed';
  // An error after the signal was aborted is only a consequence.
  document.trial.reason = messageOf(signal.aborted ? signal.reason : error);
}

export interface Verdict {
  /** Why no further trial can succeed; ''. */
  fatal: string;
  /** Whether the definition itself is the cause. */
  byDefinition: boolean;
}

/** Decides whether the run can continue after this trial, and reports the end. `failure`: null if nothing failed. */
export async function judgeEnd(
  trial: Needs<'target' | 'wallClock' | 'signal' | 'listener' | 'document'>,
  failure: unknown,
): Promise<Verdict> {
  const { listener, document } = trial;
  seeClock(trial);
  const { state, reason } = document.trial;
  let fatal = '';
  // A trial that met an outage is repeated, if the outage is over.
  if (state === 'failed' && OUTAGES.has(codeOf(failure)) && (await outlasted(trial, failure)))
    document.trial.outage = reason;
  else if (failure !== null && !CONDEMNS_ONE.has(codeOf(failure))) fatal = reason;
  document.times.ended = new Date().toISOString();
  listener.onTimes(timesOf(document));
  return { fatal, byDefinition: fatal !== '' && isByDefinition(failure) };
}

/** Whether the same definition would fail again: a `stop-when` ended it, or the target refuses a part of it. */
export const isByDefinition = (error: unknown): boolean =>
  error instanceof DynoError && (error.kind === 'input' || error.code === BY_DEFINITION);

/** Waits for the target as long as its connection does. Returns whether it is healthy again. */
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
  // If the target was reachable all the time, its nodes are out of the generator's reach, in every trial.
  return codeOf(failure) !== 'target.unreachable' || Date.now() - begun >= AWAY_FROM_MS;
}
