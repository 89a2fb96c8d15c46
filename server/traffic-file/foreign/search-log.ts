/**
 * Reads logs of searches: slow logs and the other formats of `common/replay/formats`. Each entry becomes a request `POST /INDEX/_search`. A
 * slow log contains a line for each shard of a search. Only one of these lines becomes a request; its index is that of this line. The logs
 * contain no responses.
 */
import { logFormat, type LogFormat } from '../../../common/replay/formats/registry';
import { SlowLogRepeats } from '../../../common/replay/slow-log-repeats';
import type { RecordedLine } from '../../../common/replay/formats/format';
import { logLines } from './log-lines';
import type { ForeignReader, Observed } from './observed';

export const searchLog = (format: LogFormat): ForeignReader<'slow-log'> => ({
  format: 'slow-log',
  async *read(file, losses) {
    let timeUs = 0;
    const repeats = new SlowLogRepeats({ format, everyShard: false });
    for await (const { text, number } of logLines(file, format)) {
      const read = logFormat(format).read(text, false);
      const line = repeats.repeats(text, read, read.kind === 'search' ? read.text : '') ?? read;
      if (line.kind === 'repeated') losses.add('repeated', 1);
      else if (line.kind === 'other') losses.add('other-line', 1, line.log);
      else if (line.kind === 'malformed') losses.add('malformed', 1, `line ${number}: it ${line.reason}`);
      else {
        // A search without a time is sent together with the search before it.
        if (line.time !== null) timeUs = Math.round(line.time * 1000);
        yield [observed(line, timeUs)];
      }
    }
  },
});

const observed = ({ index, searchType, text }: RecordedLine, timeUs: number): Observed => ({
  ...{
    timeUs,
    method: 'POST',
    path: index === undefined ? '/_search' : `/${encodeURIComponent(index)}/_search`,
  },
  query: searchType.startsWith('dfs_') ? `search_type=${encodeURIComponent(searchType)}` : '',
  ...{ contentType: 'application/json', body: Buffer.from(text), connection: '', answer: null },
});
