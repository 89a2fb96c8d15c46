import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DynoError } from '../../../common/problem';
import { checkDocumentFile, recogniseFile } from './file-head';

const folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-head-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Buffer): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};

const refusal = async (file: string, format: 'ndjson' | 'lines' = 'ndjson'): Promise<DynoError | null> =>
  checkDocumentFile(file, format).then(
    () => null,
    (error: unknown) => {
      if (!(error instanceof DynoError)) throw error;
      return error;
    },
  );

/** The error for an unusable file recommends a command that converts the file. Runs this command and returns the converted text. */
async function afterCommand(file: string): Promise<string> {
  const { message } = (await refusal(file))!;
  const [, command, output] = /with: (.* > (\S+?))(?: \(|$)/.exec(message.split(' (allowed')[0]!)!;
  execFileSync('sh', ['-c', command!], { cwd: folder });
  return readFileSync(path.join(folder, output!.replaceAll("'", '')), 'utf8');
}

test.each([
  ['commas.json', '{"a":1},\n{"a":2}\n'],
  ['sequence.json', '\u001E{"a":1}\n\u001E{"a":2}\n'],
  ['head.json', 'HTTP/1.1 200 OK\r\nserver: a\r\n\r\n{"a":1}\n{"a":2}\n'],
  ['requests.txt', '# two\nPOST a/_doc\n{"a":1}\nPOST a/_doc\n{"a":2}\n'],
  ['pod.log', '2026-10-05T08:00:00.1Z stdout F {"a":1}\n2026-10-05T08:00:00.2Z stdout F {"a":2}\n'],
])('%s is readable after the command of its refusal', async (name, text) => {
  expect(await afterCommand(write(name, text))).toBe(DOCUMENTS);
});

test('a slow log with something before each line is readable after the command of its refusal', async () => {
  const line =
    '[2018-03-13T00:01:09,810][WARN ][i.s.s.query] [n] [i][0] took[1ms], took_millis[1], source[{}], ';
  const file = write('syslog.log', `May  1 10:00:00 host elasticsearch[123]: ${line}\n`);
  expect(await afterCommand(file)).toBe(`${line}\n`);
});

/** On machines without jq, its commands are not tested. */
const hasJq = spawnSync('jq', ['--version']).status === 0;

const DOCUMENTS = '{"a":1}\n{"a":2}\n';

test('gzip and zstd are unpacked whatever the name, and looked at', async () => {
  expect(await recogniseFile(write('packed', gzipSync(DOCUMENTS)))).toMatchObject({
    kind: 'documents',
    packing: 'gzip',
  });
  expect(
    (await refusal(write('hits', gzipSync('{"_index":"a","_id":"1","_source":{}}\n'))))?.message,
  ).toContain('gzip -dc <');
});

test('a plain file that is named .gz is refused in those words', async () => {
  expect((await refusal(write('plain.gz', DOCUMENTS)))?.message).toContain(
    'is not gzip, though its name says so',
  );
});

test.each(['ndjson', 'lines'] as const)('UTF-16 is refused with iconv, read as %s', async (format) => {
  const bytes = Buffer.from(`\ufeff${DOCUMENTS}`, 'utf16le');
  const error = await refusal(write('windows.json', bytes), format);
  expect(error?.message).toContain('is UTF-16 text; convert it with: iconv -f UTF-16 -t UTF-8');
  expect((await refusal(write('packed.json', gzipSync(bytes)), format))?.message).toContain('gzip -dc <');
});

test('a byte that is not UTF-8 is refused with its place and iconv, unless the lines are text', async () => {
  const file = write('windows-1252.ndjson', Buffer.from('{"a":1}\n{"a":"café"}\n', 'latin1'));
  expect((await refusal(file))?.message).toContain('is not UTF-8 (line 2, byte 10)');
  expect(await refusal(file, 'lines')).toBeNull();
  expect(await afterCommand(file)).toBe('{"a":1}\n{"a":"café"}\n');
});

test('any text may be read as lines', async () => {
  for (const text of ['{"index":{"_id":"1"}}\n{}\n', '[\n1\n]\n', '192.0.2.1 - -\n'])
    expect(await refusal(write('any.log', text), 'lines')).toBeNull();
});

test('an array of more than is looked at is known by its beginning', async () => {
  const file = write('large.json', `[${'{"a":1},'.repeat(1_200_000)}{"a":2}]`);
  expect((await recogniseFile(file)).kind).toBe('json-array');
});

const COMMANDS: readonly (readonly [name: string, text: string, documents: string])[] = [
  [
    'bulk.ndjson',
    [
      '{"index":{"_id":"1"}}',
      '{"delete":{"_id":"x"},"a":{"index":1}}',
      '{"delete":{"_id":"2"}}',
      '',
      ' { "create" : {"_id":"3"} }',
      '{"a":9007199254740993,"b":1.0}',
      '{"update":{"_id":"4"}}',
      '{"doc":{"a":3}}',
      '{"delete":{"_id":"5"}}',
      '{"index":{}}',
      '{"index":{"_id":"document"}}',
    ].join('\n'),
    '{"delete":{"_id":"x"},"a":{"index":1}}\n{"a":9007199254740993,"b":1.0}\n{"index":{"_id":"document"}}\n',
  ],
  [
    'hits.json',
    '{"_index":"a","_id":"1","_source":{"a":1}}\n{"_index":"a","_id":"2","_source":{"a":2}}\n',
    DOCUMENTS,
  ],
  [
    'answer.json',
    JSON.stringify(
      { took: 1, timed_out: false, hits: { hits: [{ _source: { a: 1 } }, { _source: { a: 2 } }] } },
      null,
      2,
    ),
    DOCUMENTS,
  ],
  ['array.json', '[{"a":1},\n{"a":2}]', DOCUMENTS],
  ['pretty.json', '{\n"a":1\n}\n{\n"a":2\n}\n', DOCUMENTS],
  ['utf-16.json', Buffer.from(DOCUMENTS, 'utf16le').toString('latin1'), DOCUMENTS],
];

test.each(COMMANDS.filter(([name]) => hasJq || /^(?:bulk|utf)/.test(name)))(
  'the command for %s makes documents of it, which are read',
  async (name, text, documents) => {
    const made = await afterCommand(write(name, Buffer.from(text, 'latin1')));
    expect(made).toBe(documents);
    expect(await refusal(write('made.ndjson', made))).toBeNull();
  },
);
