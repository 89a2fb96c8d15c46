/** Reads the entries of logs. Prefixes that container platforms add to each line, such as a time, are removed. */
import type { LogFormat } from '../../../common/replay/formats/registry';
import { LogEntries } from '../../load/sources/log-entries';
import { readUnpacked } from '../../load/sources/unpack';

/** Yields each entry with the number of its first line. Rejects with the error of the file. `format`: determines where an entry begins. */
export async function* logLines(
  file: string,
  format: LogFormat,
): AsyncGenerator<{ text: string; number: number }> {
  const entries = new LogEntries(readUnpacked(file), format);
  try {
    for (;;) {
      const next = entries.next();
      if (next === 'ended') return;
      if (next === 'none')
        await new Promise<void>((resolve) => {
          entries.whenMore(resolve);
        });
      else yield { text: entries.bytes.toString('utf8', entries.start, entries.end), number: entries.number };
    }
  } finally {
    entries.close();
  }
}
