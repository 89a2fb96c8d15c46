/** What a process of this host does before it carries runs: it stores what an earlier one could not, and ends its orphans. */
import { recoverRuns, removeLeftovers, type Recovery } from '../run/queue/recovery';
import { putBackSettings } from '../run/trial/settings';
import type { Places } from './host';
import type { Console } from './terminal/console';

/** Time for storing what an earlier process left in the spool, ms; what is not stored then follows in the background. */
const DRAIN_TIMEOUT_MS = 60_000;

/** Rejects with a DynoError when results or target cannot be asked. */
export async function recover(
  { target, results, reader, writer }: Places,
  console: Pick<Console, 'say'>,
): Promise<Recovery> {
  // What an earlier process could not store tells how its run ended: it must be there before runs are judged orphaned.
  if ((await writer.drainLeftovers()) > 0) await writer.flush(DRAIN_TIMEOUT_MS);
  const recovery = await recoverRuns(reader, writer, results);
  for (const note of [
    ...recovery.notes,
    ...(await removeLeftovers(target, reader, writer)),
    ...(await putBackSettings(target, reader, writer)),
  ])
    console.say(note);
  return recovery;
}
