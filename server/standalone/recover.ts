/** Recovery before runs start: stores documents that an earlier process could not store, and ends runs whose process has died. */
import { cleanTarget, recoverRuns, type Recovery } from '../run/queue/queue';
import type { Places } from './host';
import type { Console } from './terminal/console';

/**
 * Maximum time in ms for storing the spooled documents of an earlier process before a run starts. The remaining documents are stored in the
 * background.
 */
const DRAIN_TIMEOUT_MS = 60_000;

/**
 * Stores the documents that an earlier process left on disk, and ends runs whose process has died. `queue`: name of this process's queue of
 * runs. Rejects with a DynoError if the results cluster is unavailable.
 */
export async function recover(
  { results, reader, writer }: Places,
  console: Pick<Console, 'say'>,
  queue?: string,
): Promise<Recovery> {
  // Spooled documents are stored first. They may contain the end of a run, which would otherwise look like a run whose process has ended.
  if ((await writer.drainLeftovers()) > 0) await writer.flush(DRAIN_TIMEOUT_MS);
  const recovery = await recoverRuns(reader, writer, results, queue);
  recovery.notes.forEach(console.say);
  return recovery;
}

/**
 * Removes indices, pipelines and settings that ended runs left on the target. Rejects with a DynoError if the results cluster or the target
 * is unavailable.
 */
export async function cleanOwnTarget(
  { target, results, reader, writer }: Places,
  console: Pick<Console, 'say'>,
): Promise<void> {
  (await cleanTarget({ connection: target, results, reader, writer })).forEach(console.say);
}
