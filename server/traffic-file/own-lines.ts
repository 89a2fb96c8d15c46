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
    throw inputError('traffic.header', file, 'its header is damaged, or a newer version of Dyno wrote it');
  return { header, records: () => inTimeOrder(batches(file, losses), ({ at }) => at, MOST_BYTES), losses };
}

async function* batches(file: string, losses: Losses): AsyncGenerator<Batch<TrafficRecord>> {
  const bodies = new BodyParts(losses);
  try {
    for await (const { text, number } of logLines(file, 'slow-log')) {
      const line = readBlockLine(text);
      if (line.as === 'part') bodies.add(line.part);
      else if (line.as === 'record') {
        const record = bodies.complete(line.record, line.parts);
        if (record !== null) yield { records: [record], nextTime: -Infinity };
      } else if (readHeaderLine(text) === null) {
        const index = readIndexLine(text);
        if (index === null) losses.add('malformed', 1, `line ${number}: ${line.why}`);
        else losses.add('dropped', index.dropped);
      }
    }
  } catch (error) {
    losses.add('cut', 1, messageOf(error));
  }
}
