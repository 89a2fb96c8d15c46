import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../../../common/random';
import { BlockLines } from './block-lines';
import { LineReader, type Lines } from './lines';
import { readUnpacked } from './unpack';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-lines-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Returns all lines with their numbers. */
async function linesOf(lines: Lines): Promise<string[]> {
  const found: string[] = [];
  for (let next = lines.next(); next !== 'ended'; next = lines.next()) {
    if (next === 'line')
      found.push(`${lines.number}: ${lines.bytes.toString('latin1', lines.start, lines.end)}`);
    else await new Promise<void>((resolve) => lines.whenMore(resolve));
  }
  lines.close();
  return found;
}

test('blocks hold the same lines as a stream, wherever these end', async () => {
  const random = createRandom(7);
  const contents = [
    '',
    '\n',
    'a',
    '\uFEFF{"n":1}\r\n\r\n   \n {"n":2} \r\n{"n":3}',
    // A line feed is the last byte of one block, and another one is the first byte of a block.
    `${'x'.repeat(512 * 1024 - 1)}\ny\n`,
    `${'x'.repeat(512 * 1024)}\ny`,
    // A line that is longer than several blocks.
    `short\n${'long'.repeat(600_000)}\nshort`,
    ...Array.from({ length: 5 }, () =>
      Array.from({ length: 3000 }, () => 'z'.repeat(random.below(random.below(50) === 0 ? 9000 : 400))).join(
        '\n',
      ),
    ),
  ];
  for (const [at, content] of contents.entries()) {
    const file = path.join(folder, `${at}.txt`);
    writeFileSync(file, content);
    expect(await linesOf(new BlockLines(file))).toEqual(await linesOf(new LineReader(readUnpacked(file))));
  }
});

test('a file that cannot be opened fails when its first line is asked for', () => {
  const lines = new BlockLines(path.join(folder, 'none'));
  expect(() => lines.next()).toThrow('ENOENT');
  lines.close();
});
