import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { claimDataFolder } from './serving';

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-serving-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the second server on a folder is refused and told where the first one is', async () => {
  const first = await claimDataFolder(folder);
  await expect(claimDataFolder(folder)).rejects.toThrow('serves this data already and is about to listen');
  await first.announce('http://127.0.0.1:5605');
  const failure = claimDataFolder(folder);
  await expect(failure).rejects.toMatchObject({ kind: 'input', code: 'serve.running' });
  await expect(failure).rejects.toThrow(
    `process ${process.pid} serves this data already, at http://127.0.0.1:5605`,
  );
  await first.release();
  await (await claimDataFolder(folder)).release();
  expect(() => readFileSync(path.join(folder, 'serving.json'))).toThrow('ENOENT');
});

test('one that died leaves no claim, even where its process id was used again', async () => {
  const file = path.join(folder, 'serving.json');
  const expectToBeClaimed = async (): Promise<void> => {
    const claim = await claimDataFolder(folder);
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    await expect(claimDataFolder(folder)).rejects.toMatchObject({ code: 'serve.running' });
    await claim.release();
  };
  for (const dead of [
    { pid: 2 ** 22 + 1, instance: 'x', host: hostname(), url: '' },
    { pid: process.pid, instance: `${process.pid}-1`, host: hostname(), url: '' },
  ]) {
    writeFileSync(file, JSON.stringify(dead));
    await expectToBeClaimed();
  }
  writeFileSync(file, 'torn');
  await expectToBeClaimed();
});
