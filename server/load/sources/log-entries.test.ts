import { Readable } from 'node:stream';
import type { LogFormat } from '../../../common/replay/formats/registry';
import { LogEntries } from './log-entries';

/** Returns the entries of a log with the numbers of their first lines. The log arrives in chunks of `chunk` bytes. */
async function entriesOf(log: string | Buffer, format: LogFormat, chunk = 7): Promise<[number, string][]> {
  const bytes = Buffer.from(log);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, at) =>
    bytes.subarray(at * chunk, (at + 1) * chunk),
  );
  const entries = new LogEntries(Readable.from(chunks, { objectMode: false }), format);
  const found: [number, string][] = [];
  for (;;) {
    const next = entries.next();
    if (next === 'ended') return found;
    if (next === 'line')
      found.push([entries.number, entries.bytes.toString('utf8', entries.start, entries.end)]);
    else await new Promise<void>((resolve) => entries.whenMore(resolve));
  }
}

const docker = (log: string, stream = 'stdout'): string =>
  `${JSON.stringify({ log, stream, time: '2026-10-05T08:00:00.000123Z' })}\n`;
const cri = (text: string, tag = 'F', stream = 'stdout'): string =>
  `2026-10-05T08:00:00.000123456Z ${stream} ${tag} ${text}\n`;

test('each line that is not blank is an entry', async () => {
  expect(await entriesOf('{"a":1}\n\n  {"a":2} \r\n{"a":3}', 'ndjson')).toEqual([
    [1, '{"a":1}'],
    [3, '{"a":2}'],
    [4, '{"a":3}'],
  ]);
});

test('the wrapping of Docker is removed, and cut lines are joined by their stream', async () => {
  const log =
    docker('{"a":"x ') +
    docker('other\n', 'stderr') +
    docker(' y",') +
    docker('"b":1}\n') +
    docker('\n') +
    docker('last');
  expect(await entriesOf(log, 'slow-log')).toEqual([
    [2, 'other'],
    [1, '{"a":"x  y","b":1}'],
    [6, 'last'],
  ]);
});

test('the wrapping of CRI is removed, and parts are joined with the blanks at their ends', async () => {
  const log = cri('{"a":"x ', 'P') + cri('other', 'F', 'stderr') + cri(' y",', 'P') + cri('"b":1}') + cri('');
  expect(await entriesOf(log, 'slow-log')).toEqual([
    [2, 'other'],
    [1, '{"a":"x  y","b":1}'],
  ]);
});

test('lines that continue an entry of a text log belong to it', async () => {
  const [first, second] = ['[2026-06-13T11:54:45,125][WARN ]', '[2026-06-13T11:54:46,125][WARN ]'];
  const log = `lost\n${first} source[\n{\n  "size" : 1\n\n}], \n${second} source[{}], \n`;
  const found: [number, string][] = [
    [1, 'lost'],
    [2, `${first} source[\n{\n  "size" : 1\n}],`],
    [7, `${second} source[{}],`],
  ];
  expect(await entriesOf(log, 'slow-log-text')).toEqual(found);
  const wrapped = log
    .split('\n')
    .slice(0, -1)
    .map((line) => cri(line))
    .join('');
  expect((await entriesOf(wrapped, 'slow-log-text')).map(([number]) => number)).toEqual([1, 2, 7]);
});

test('objects and lines that only look wrapped stay as they are', async () => {
  const lines = [
    '{"log":{"level":"WARN"}}',
    '{"log":"x"}',
    '{"log":"x","stream":"other"}',
    '{"log":',
    '2026-10-05 stdout F x',
  ];
  expect((await entriesOf(lines.join('\n'), 'slow-log')).map(([, text]) => text)).toEqual(lines);
});

test('a line of Docker that is no UTF-8 stays as it is', async () => {
  const line = Buffer.concat([
    Buffer.from('{"log":"'),
    Buffer.from([0xff]),
    Buffer.from('\\n","stream":"stdout"}'),
  ]);
  expect(await entriesOf(line, 'slow-log')).toMatchObject([[1, expect.stringContaining('{"log":')]]);
});
