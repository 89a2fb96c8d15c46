/**
 * Reads the lines of a traffic file that another tool has rewritten without blocks, for example with `zcat shop.traffic.gz | jq -c
 * 'select(...)' | gzip > less.gz`.
 */
import { inputError, messageOf } from '../../common/problem';
import { Losses } from '../../common/traffic/loss';
import type { TrafficHeader, TrafficRecord } from '../../common/traffic/record';
import { BodyParts } from './body-parts';
import { logLines } from './foreign/log-lines';
import { readBlockLine, readHeaderLine, readIndexLine } from './form/lines';
import { inTimeOrder, type Batch } from './time-order';

/**
 * Maximum memory for records that wait to be sorted by time, in bytes. Without an index, it is unknown whether an earlier record follows.
 */
const MOST_BYTES = 64 * 1024 ** 2;

/**
 * Opens a traffic file without blocks, which another tool such as `jq` has rewritten as plain lines. Rejects with a DynoError (input) if
 * its first line is not the header of a traffic file.
 */
export async function openLines(
  file: string,
): Promise<{ header: TrafficHeader; records: () => AsyncIterable<TrafficRecord>; losses: Losses }> {
  const losses = new Losses();
  let header: TrafficHeader | null = null;
  for await (const { text } of logLines(file, 'slow-log')) {
    header = readHeaderLine(text);
    break;
  }
  if (header === null)
    throw inputError(
      'traffic.header',
      file,
      'its first line is not the header of a recording: keep this line when you select others, as with jq -c \'select(has("dyno-traffic") or .path == "/_bulk")\'; or a newer version of Dyno wrote the file',
    );
  losses.add('earlier-file', header.part - 1);
  const { startedAt } = header;
  const records = (): AsyncIterable<TrafficRecord> =>
    inTimeOrder(batches(file, startedAt, losses), ({ at }) => at, MOST_BYTES);
  return { header, records, losses };
}

async function* batches(
  file: string,
  startedAt: number,
  losses: Losses,
): AsyncGenerator<Batch<TrafficRecord>> {
  const bodies = new BodyParts(losses);
  try {
    for await (const { text, number } of logLines(file, 'slow-log')) {
      const line = readBlockLine(text);
      if (line.as === 'part') bodies.add(line.part);
      else if (line.as === 'record') {
        const record = bodies.complete(line.record, line.parts);
        if (record !== null) yield { records: [record], nextTime: -Infinity };
      } else {
        const [header, index] = [readHeaderLine(text), readIndexLine(text)];
        if (header !== null && header.startedAt !== startedAt) {
          // The times of the following records are relative to another start.
          losses.add('other-recording', 1, `from line ${number}`);
          return;
        }
        if (header === null && index === null) losses.add('malformed', 1, `line ${number}: ${line.why}`);
        else losses.add('dropped', index?.dropped ?? 0);
      }
    }
  } catch (error) {
    losses.add('cut', 1, messageOf(error));
  }
}
