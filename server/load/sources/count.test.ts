import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { countDocuments } from './count';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-count-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Time limit for counting a small file on a machine that may be busy for seconds, in ms. */
const ENOUGH_MS = 60_000;

const written = (name: string, content: string | Buffer): string => {
  const file = path.join(folder, name);
  writeFileSync(file, content);
  return file;
};

test.each([
  ['with a last line feed', '{"a":1}\n{"a":2}\n', 2],
  ['without one', '{"a":1}\n{"a":2}', 2],
  ['with blank lines and carriage returns', '\r\n{"a":1}\r\n \t\r\n{"a":2}\r\n\r\n', 2],
  ['that is empty', '', 0],
])('a file %s has its documents counted', async (name, content, documents) => {
  const plain = written(`${name}.json`, content);
  const packed = written(`${name}.json.gz`, gzipSync(content));
  for (const file of [plain, packed])
    expect(await countDocuments(file, ENOUGH_MS)).toMatchObject({ documents, how: 'exactly' });
});

test('a long file is counted in part: a plain one about, a packed one at least', async () => {
  const lines = Array.from({ length: 500_000 }, (_, n) => `{"number":${100_000 + n}}\n`).join('');
  const plain = await countDocuments(written('long.json', lines), 0);
  expect(plain.how).toBe('about');
  expect(plain.documents / 500_000).toBeCloseTo(1, 1);
  const packed = await countDocuments(written('long.json.gz', gzipSync(lines, { level: 1 })), 0);
  expect(packed.how).toBe('at-least');
  expect(packed.documents).toBeLessThan(500_000);
});
