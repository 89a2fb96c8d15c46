/** The trust in a run, from what is stored with it: the same on every page, in every list, report and alert. */
import type { RunDocument, Verdict } from '../experiment/run';
import { plural } from '../units/format';
import { worseTrust, type Trust, type TrustReason } from './trust';

/** The parts of a run that decide how far it can be trusted. Lists, pages and reports all have them. */
export interface TrustedRun {
  run: Pick<RunDocument['run'], 'state'>;
  progress: Pick<RunDocument['progress'], 'trials' | 'completed'>;
  verdict: Verdict | null;
}

/** Returns the trust in a run; null for a run without a verdict or without a completed trial. */
export function trustOf({ run: { state }, progress, verdict }: TrustedRun): Trust | null {
  if (verdict === null || progress.completed === 0) return null;
  const ofTrials = verdict.trust ?? trustOfEarlier(verdict);
  const ended = state === 'completed' ? [] : [unfinished(progress)];
  return ended.length === 0 ? ofTrials : withReasons(ofTrials, ended);
}

const unfinished = ({ trials, completed }: TrustedRun['progress']): TrustReason => ({
  cause: 'run-unfinished',
  text: `Only ${completed} of ${plural(trials, 'trial')} completed`,
});

/** Adds reasons that make the trust limited at best. */
function withReasons({ level, line, reasons }: Trust, more: readonly TrustReason[]): Trust {
  const limited = worseTrust(level, 'limited');
  return {
    level: limited,
    line: level === 'high' ? `Trust: ${limited}. ${more[0]!.text}` : line,
    reasons: [...reasons, ...more],
  };
}

/** Verdicts of versions without levels name the gravest warning about their trials in `doubt`. */
function trustOfEarlier({ doubt }: Verdict): Trust {
  if (doubt === undefined) return { level: 'high', line: 'Trust: high', reasons: [] };
  const text = `${doubt.charAt(0).toUpperCase()}${doubt.slice(1)}`;
  return { level: 'limited', line: `Trust: limited. ${text}`, reasons: [{ cause: 'earlier-version', text }] };
}
