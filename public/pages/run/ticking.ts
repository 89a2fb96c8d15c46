/** Advances the times of a run's progress every second, until the next response of the server arrives. */
import type { Progress } from '../../../common/measurement/progress';

/** Maximum time in ms by which the page advances the times. If no update arrives for longer, the times stop. */
const MOST_MS = 5000;

/** Estimates a run's progress `sinceMs` after the server sent `progress`. Only the times are advanced; the counts stay the same. */
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

/** Returns the completed share of the phase, in [0, 1]; null if the length of the phase is unknown. */
export function phaseShare({ phase, phaseMs, phaseLengthMs, measured }: Progress): number | null {
  if (phase === 'measure' && measured > 0) return Math.min(1, measured);
  return phaseLengthMs === null || phaseLengthMs <= 0 ? null : Math.min(1, phaseMs / phaseLengthMs);
}
