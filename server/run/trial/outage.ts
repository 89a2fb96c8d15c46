/** Detects that the target was unreachable during the load. The trial then contains no information about the target. */
import { runError } from '../../../common/problem';
import { formatDuration } from '../../../common/units/format';
import type { LoadOutcome } from '../../load/contract';

/** Error code of a trial during whose load the target was unreachable. */
export const OUTAGE = 'trial.outage';
/**
 * Minimum time without accepted connections, in ms, after which a target counts as unreachable. Below that it is only slow. Threads report
 * once a second.
 */
export const AWAY_FROM_MS = 1000;

/** Throws a DynoError {@link OUTAGE} if the target was unreachable during the load. */
export function checkAway({ awayMs }: Pick<LoadOutcome, 'awayMs'>): void {
  if (awayMs < AWAY_FROM_MS) return;
  throw runError(
    OUTAGE,
    '',
    `no node of the target accepted a connection for ${formatDuration(awayMs)} during the load`,
  );
}
