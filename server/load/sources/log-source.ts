/** Where the lines of a log come from: a file, or a generator that writes them while they are read. */
import type { Readable } from 'node:stream';
import type { LogGeneratorName } from '../../../common/experiment/replay';
import { createRandom, type Random } from '../../../common/random';
import type { LogSource } from '../contract';
import { storefrontLog } from './generators/storefront/searches';
import { MadeLog, type WriteLine } from './made-log';
import { checkReadable, readUnpacked } from './unpack';

/** What writes the lines of each made log. */
export const LOGS: Record<LogGeneratorName, (random: Random) => WriteLine> = { storefront: storefrontLog };

/** A stream of lines; destroy it to stop early. */
export const openLog = (source: LogSource): Readable =>
  source.kind === 'file'
    ? readUnpacked(source.file)
    : new MadeLog(LOGS[source.generator](createRandom(source.seed)));

/** For messages. */
export const logName = (source: LogSource): string =>
  source.kind === 'file' ? source.file : source.generator;

/** Rejects with a DynoError (input) when it is a file that cannot be read. */
export async function checkLogReadable(source: LogSource): Promise<void> {
  if (source.kind === 'file') await checkReadable(source.file);
}
