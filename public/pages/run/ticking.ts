/** Progress between two responses of the server: the page advances the times every second. */
import type { Progress } from '../../../common/measurement/progress';

/** Maximum time without an update for which the page advances the times, in ms. */
const MOST_MS = 5000;

/** Returns an estimate of a run's progress `sinceMs` after the server sent it. Times are advanced, and the counts do not change. */
export function ticking(progress: Progress, sinceMs: number): Progress {
  const since = Math.min(MOST_MS, Math.max(0, sinceMs));
  const { phaseMs, phaseLengthMs, remainingMs } = progress;
  const now = phaseMs + since;
  return {
    ...progress,
    phaseMs: phaseLengthMs === null ? now : Math.min(now, Math.max(phaseMs, phaseLengthMs)),
    remainingMs: Math.max(0, remainingMs - since),
  };
}

/** Returns the completed share of the phase, in [0, 1]; null if its length is unknown. */
export function phaseShare({ phase, phaseMs, phaseLengthMs, measured }: Progress): number | null {
  if (phase === 'measure' && measured > 0) return Math.min(1, measured);
  return phaseLengthMs === null || phaseLengthMs <= 0 ? null : Math.min(1, phaseMs / phaseLengthMs);
}
