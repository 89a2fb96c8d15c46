/** Detects that the target was unreachable during the load. Such a trial says nothing about the target. */
import { runError } from '../../../common/problem';
import { formatDuration } from '../../../common/units/format';
import type { LoadOutcome } from '../../load/contract';

/** Error code of a trial during whose load the target was unreachable. */
export const OUTAGE = 'trial.outage';
/**
 * Time without accepted connections, in ms, from which a target counts as unreachable. A shorter time only means that the target is slow.
 * Load threads report this time once a second.
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
