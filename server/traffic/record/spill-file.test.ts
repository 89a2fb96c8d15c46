import { existsSync, fstatSync, mkdtempSync, readSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SpillFile } from './spill-file';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-spill-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the file is full when too much of it is in use, however much was written before', async () => {
  const file = path.join(folder, 'ring');
  const spill = await SpillFile.open(file, 100);
  expect(existsSync(file)).toBe(false);
  const contents = new Map<number, string>();
  const write = async (text: string): Promise<number | undefined> => {
    const offset = spill.reserve(text.length);
    if (offset === undefined) return undefined;
    expect(await spill.write(Buffer.from(text), offset)).toBe(true);
    contents.set(offset, text);
    return offset;
  };
  const offsets = [await write('a'.repeat(40)), await write('b'.repeat(40))];
  for (let round = 0; round < 50; round += 1) {
    expect(await write('too much'.repeat(8))).toBeUndefined();
    const first = offsets.shift()!;
    const bytes = Buffer.alloc(40);
    readSync(spill.descriptor, bytes, 0, 40, first);
    expect(bytes.toString()).toBe(contents.get(first));
    spill.release();
    offsets.push(await write(String.fromCharCode(97 + (round % 26)).repeat(40)));
    expect(offsets).not.toContain(undefined);
  }
  expect(fstatSync(spill.descriptor).size).toBeLessThanOrEqual(100);
  await spill.close();
});

test('the space is used again when nothing waits', async () => {
  const spill = await SpillFile.open(path.join(folder, 'kept'));
  for (let round = 0; round < 3; round += 1) {
    expect(spill.reserve(1000)).toBe(0);
    await spill.write(Buffer.alloc(1000, 'x'), 0);
    spill.release();
  }
  expect(fstatSync(spill.descriptor).size).toBe(1000);
  await spill.close();
});

test('a file that cannot be created, or written, is reported', async () => {
  const taken = path.join(folder, 'taken');
  writeFileSync(taken, 'precious');
  await expect(SpillFile.open(taken)).rejects.toMatchObject({ code: 'EEXIST' });
  const spill = await SpillFile.open(path.join(folder, 'closed'));
  await spill.close();
  expect(await spill.write(Buffer.from('x'), 0)).toBe(false);
});
