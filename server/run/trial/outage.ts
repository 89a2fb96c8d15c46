/** Detects that the target was unreachable during the load. The trial then says nothing about the target. */
import { runError } from '../../../common/problem';
import { formatDuration } from '../../../common/units/format';
import type { LoadOutcome } from '../../load/contract';

/** The code of a trial whose load met an outage. */
export const OUTAGE = 'trial.outage';
/** A target that accepts no connection for less than this is slow, not away, in ms. Threads report once a second. */
export const AWAY_FROM_MS = 1000;

/** Throws a DynoError {@link OUTAGE} if the target was away during the load. */
export function checkAway({ awayMs }: Pick<LoadOutcome, 'awayMs'>): void {
  if (awayMs < AWAY_FROM_MS) return;
  throw runError(
    OUTAGE,
    '',
    `no node of the target accepted a connection for ${formatDuration(awayMs)} during the load`,
  );
}
