/** Reads the first lines of a file, to check it before a run. */
import { LineReader } from './lines';
import { checkReadable, readUnpacked } from './unpack';

/**
 * Returns at most `most` lines that are not blank. Stops after `mostBytes`. Rejects with a DynoError if the file cannot be read, and with
 * errors of decompression.
 */
export async function firstLines(file: string, most: number, mostBytes = Infinity): Promise<Buffer[]> {
  await checkReadable(file);
  const reader = new LineReader(readUnpacked(file));
  const found: Buffer[] = [];
  let bytes = 0;
  try {
    while (found.length < most && bytes < mostBytes) {
      const next = reader.next();
      if (next === 'ended') break;
      if (next === 'none') {
        await new Promise<void>((resolve) => {
          reader.whenMore(resolve);
        });
      } else if (reader.start < reader.end) {
        bytes += reader.end - reader.start;
        found.push(Buffer.from(reader.bytes.subarray(reader.start, reader.end)));
      }
    }
  } finally {
    reader.close();
  }
  return found;
}
