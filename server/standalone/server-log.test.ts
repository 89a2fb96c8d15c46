import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openServerLog, serverLogOf } from './server-log';
import type { Console } from './terminal/console';

let folder: string;
const printed: string[] = [];
const console: Console = {
  print: (text) => printed.push(text),
  say: (text) => printed.push(text),
  warn: (text) => printed.push(text),
  interactive: false,
  colour: false,
  width: 100,
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dyno-log-'));
  printed.length = 0;
});
afterEach(() => rm(folder, { recursive: true }));

test('writes messages to the console and, with time, to a file that only its owner may read', async () => {
  const log = await openServerLog(console, folder);
  log.console.say('one');
  log.console.warn('two');
  await log.close();
  expect(printed).toEqual(['one', 'two']);
  expect(await readFile(serverLogOf(folder), 'utf8')).toMatch(/^\S+Z INFO one\n\S+Z WARN two\n$/);
  expect((await stat(serverLogOf(folder))).mode & 0o077).toBe(0);
});

test('starts a new file when it is large, and keeps the previous one', async () => {
  const log = await openServerLog(console, folder, 60);
  for (const text of ['first', 'second', 'third', 'fourth']) log.console.say(text.repeat(8));
  await log.close();
  const [now, before] = await Promise.all(
    ['', '.1'].map((end) => readFile(serverLogOf(folder) + end, 'utf8')),
  );
  expect(now).toContain('fourth');
  expect(before).not.toContain('fourth');
});

test('the server continues if the log cannot be written', async () => {
  await writeFile(path.join(folder, 'file'), '');
  const log = await openServerLog(console, path.join(folder, 'file'));
  log.console.say('one');
  await log.close();
  expect(printed).toEqual(['one']);
});
