/** The first lines of a file, for looking at it before a run. */
import { LineReader } from './lines';
import { checkReadable, readUnpacked } from './unpack';

/** At most `most` that are not blank, and no more once they have `mostBytes`. Rejects as {@link checkReadable} does, and with what the stream fails with. */
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
