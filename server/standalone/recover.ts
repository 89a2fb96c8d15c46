/** What a process of this host does before it carries runs: it stores what an earlier one could not, and ends its orphans. */
import { cleanTarget, recoverRuns, type Recovery } from '../run/queue/queue';
import type { Places } from './host';
import type { Console } from './terminal/console';

/** Time for storing what an earlier process left in the spool, ms; what is not stored then follows in the background. */
const DRAIN_TIMEOUT_MS = 60_000;

/** `queue`: name of that of this process. Rejects with a DynoError when the results cannot be asked. */
export async function recover(
  { results, reader, writer }: Places,
  console: Pick<Console, 'say'>,
  queue?: string,
): Promise<Recovery> {
  // What an earlier process could not store tells how its run ended: it must be there before runs are judged orphaned.
  if ((await writer.drainLeftovers()) > 0) await writer.flush(DRAIN_TIMEOUT_MS);
  const recovery = await recoverRuns(reader, writer, results, queue);
  recovery.notes.forEach(console.say);
  return recovery;
}

/** Rids the target of what runs left there that are over. Rejects with a DynoError when results or target cannot be asked. */
export async function cleanOwnTarget(
  { target, results, reader, writer }: Places,
  console: Pick<Console, 'say'>,
): Promise<void> {
  (await cleanTarget({ connection: target, results, reader, writer })).forEach(console.say);
}
