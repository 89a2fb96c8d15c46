/** Reads the entries of logs. Removes prefixes that container platforms add to each line, such as a time. */
import type { LogFormat } from '../../../common/replay/formats/registry';
import { LogEntries } from '../../load/sources/log-entries';
import { readUnpacked } from '../../load/sources/unpack';

/**
 * Yields each log entry with the number of its first line. `format`: determines where an entry begins. Rejects with the error of the file
 * system.
 */
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
