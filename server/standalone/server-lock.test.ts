import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { lockDataFolder } from './server-lock';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-serving-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('refuses a second server on a folder and shows the address of the first', async () => {
  const first = await lockDataFolder(folder);
  await expect(lockDataFolder(folder)).rejects.toThrow('already serves this data folder and is starting');
  await first.publish('http://127.0.0.1:5605');
  const failure = lockDataFolder(folder);
  await expect(failure).rejects.toMatchObject({ kind: 'input', code: 'serve.running' });
  await expect(failure).rejects.toThrow(
    `process ${process.pid} already serves this data folder, at http://127.0.0.1:5605`,
  );
  await first.release();
  await (await lockDataFolder(folder)).release();
  expect(() => readFileSync(path.join(folder, 'serving.json'))).toThrow('ENOENT');
});

test('a dead server leaves no lock, even if its process id is used again', async () => {
  const file = path.join(folder, 'serving.json');
  const expectToBeLocked = async (): Promise<void> => {
    const lock = await lockDataFolder(folder);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await expect(lockDataFolder(folder)).rejects.toMatchObject({ code: 'serve.running' });
    await lock.release();
  };
  for (const dead of [
    { pid: 2 ** 22 + 1, instance: 'x', host: hostname(), url: '' },
    { pid: process.pid, instance: `${process.pid}-1`, host: hostname(), url: '' },
  ]) {
    writeFileSync(file, JSON.stringify(dead));
    await expectToBeLocked();
  }
  writeFileSync(file, 'torn');
  await expectToBeLocked();
});
