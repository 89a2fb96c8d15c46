/** Source of the lines of a log: a file, or a generator that generates lines while they are read. */
import type { Readable } from 'node:stream';
import { logOf } from '../../../common/generators/registry';
import { createRandom } from '../../../common/random';
import type { LogSource } from '../../../common/tasks/replay';
import { lineWriter, MadeLog } from './made-log';
import { readHead } from './file-head';
import { readUnpacked } from './unpack';

/** Opens a stream of lines. To stop early, destroy the stream. */
export const openLog = (source: LogSource): Readable =>
  source.kind === 'file'
    ? readUnpacked(source.file)
    : new MadeLog(lineWriter(logOf(source.generator).lines(), createRandom(source.seed)));

/** Returns the name of a log for messages. */
export const logName = (source: LogSource): string =>
  source.kind === 'file' ? source.file : source.generator;

/** Checks that the log can be read. Rejects with a DynoError if it is a file that cannot be read, or that is not UTF-8 text. */
export async function checkLogReadable(source: LogSource): Promise<void> {
  if (source.kind === 'file') await readHead(source.file);
}
