import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DynoError } from '../../../common/problem';
import { detectFormat } from './detect-format';

const folder = mkdtempSync(path.join(os.tmpdir(), 'dyno-format-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string | Buffer): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

const QUERY = '1451880953.249|product|{"a": 1}\n';
const SLOW =
  '[2018-03-13T00:01:09,810][WARN ][i.s.s.query] [n] [i][0] took[1ms], took_millis[1], source[{}], \n';

const problemOf = async (file: string): Promise<{ code: string; message: string }> =>
  detectFormat(file).then(
    (format) => ({ code: 'detected', message: format }),
    (error: unknown) => {
      if (!(error instanceof DynoError)) throw error;
      return { code: error.code, message: error.message };
    },
  );

test('the first lines decide on the format, packed or not, whatever follows', async () => {
  expect(await detectFormat(write('a.log', `\n${QUERY.repeat(20)}${SLOW.repeat(50)}`))).toBe('query-log');
  expect(await detectFormat(write('b.log.gz', gzipSync(SLOW.repeat(3))))).toBe('slow-log-text');
});

test('an unknown format is reported with the allowed ones', async () => {
  const { code, message } = await problemOf(write('c.log', 'GET / 200\n'.repeat(5)));
  expect(code).toBe('source.format');
  expect(message).toMatch(/does not recognise the format.*query-log, slow-log, slow-log-text, ndjson/);
});

test('an empty log and a missing one are reported', async () => {
  expect((await problemOf(write('d.log', '\n\n'))).code).toBe('source.empty');
  expect((await problemOf(path.join(folder, 'none.log'))).code).toMatch(/^source\./);
});

test('long lines are looked at up to a bound', async () => {
  const long = `1451880953.249|product|{"a": "${'x'.repeat(1_000_000)}"}\n`;
  expect(await detectFormat(write('e.log', long.repeat(30)))).toBe('query-log');
});
