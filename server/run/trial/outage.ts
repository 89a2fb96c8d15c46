/** Whether the target was away while it was loaded, so that what was measured says nothing of it. */
import { runError } from '../../../common/problem';
import { formatDuration } from '../../../common/units/format';
import type { LoadOutcome } from '../../load/contract';

/** The code of a trial whose load met an outage. */
export const OUTAGE = 'trial.outage';
/** A target that takes no connection for less than this is slow and not away, ms: threads tell once a second. */
export const AWAY_FROM_MS = 1000;

/** Throws a DynoError {@link OUTAGE} where the load met one. */
export function checkAway({ awayMs }: Pick<LoadOutcome, 'awayMs'>): void {
  if (awayMs < AWAY_FROM_MS) return;
  throw runError(
    OUTAGE,
    '',
    `no node of the target took a connection for ${formatDuration(awayMs)} while it was loaded`,
  );
}
