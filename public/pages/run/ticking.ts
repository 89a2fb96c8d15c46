/** Progress between two answers of the server: times go on by themselves, second by second. */
import type { Progress } from '../../../common/measurement/progress';

/** Without news for longer nothing is invented. */
const MOST_MS = 5000;

/** The progress `sinceMs` after it was told. */
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

/** How much of the phase is done, in [0, 1]; null where its length is not known. */
export function phaseShare({ phase, phaseMs, phaseLengthMs, measured }: Progress): number | null {
  if (phase === 'measure' && measured > 0) return Math.min(1, measured);
  return phaseLengthMs === null || phaseLengthMs <= 0 ? null : Math.min(1, phaseMs / phaseLengthMs);
}
