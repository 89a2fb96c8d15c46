import { deflateRawSync, gzipSync } from 'node:zlib';
import { readArchive } from './archive';

const FILES: readonly [string, string][] = [
  ['geo/track.json', '{ "a": 1 }'],
  ['geo/parts/ä.json', 'ü'.repeat(2000)],
];

/** Returns a zip archive in which every second file is compressed. */
function zip(files: readonly (readonly [string, string])[]): Uint8Array {
  const parts: Buffer[] = [];
  const entries: Buffer[] = [];
  let at = 0;
  for (const [place, [name, text]] of files.entries()) {
    const content = Buffer.from(text);
    const packed = place % 2 === 0 ? content : deflateRawSync(content);
    const own = Buffer.from(name);
    const header = Buffer.alloc(26);
    header.writeUInt16LE(place % 2 === 0 ? 0 : 8, 4);
    header.writeUInt32LE(packed.length, 14);
    header.writeUInt32LE(content.length, 18);
    header.writeUInt16LE(own.length, 22);
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), header, own, packed]);
    const entry = Buffer.alloc(42);
    header.copy(entry, 2, 0, 22);
    entry.writeUInt16LE(own.length, 24);
    entry.writeUInt32LE(at, 38);
    entries.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), entry, own]));
    parts.push(local);
    at += local.length;
  }
  const central = Buffer.concat(entries);
  const end = Buffer.alloc(22);
  end.write('PK\u0005\u0006');
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, central, end]);
}

function tar(files: readonly (readonly [string, string, string?])[]): Uint8Array {
  const blocks = files.flatMap(([name, text, kind = '0']) => {
    const content = Buffer.from(text);
    const header = Buffer.alloc(512);
    header.write(name, 0);
    header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
    header.write(kind, 156);
    header.write('ustar', 257);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, Buffer.alloc(1024)]);
}

test.each([
  ['zip', zip(FILES)],
  ['tar', tar(FILES)],
  ['packed tar', gzipSync(tar(FILES))],
])('the files of a %s are read as they are', async (_, bytes) => {
  expect([...(await readArchive(new Uint8Array(bytes)))!]).toEqual(FILES);
});

test('long names in both kinds of tar are read', async () => {
  const long = `geo/${'a'.repeat(120)}.json`;
  const pax = ` path=${long}\n`;
  const record = `${pax.length + 3}${pax}`;
  for (const head of [
    ['././@LongLink', `${long}\0`, 'L'],
    ['pax', record, 'x'],
  ] as const)
    expect([...(await readArchive(tar([head, ['short', 'text']])))!]).toEqual([[long, 'text']]);
});

test('other files are recognised as such, and a damaged archive is refused', async () => {
  expect(await readArchive(Buffer.from('version: 1'))).toBeUndefined();
  expect(await readArchive(gzipSync('no archive'))).toBeUndefined();
  const damaged = zip(FILES);
  await expect(readArchive(damaged.subarray(0, damaged.length - 30))).rejects.toMatchObject({
    code: 'import.archive',
  });
  await expect(readArchive(gzipSync(tar(FILES)).subarray(0, 40))).rejects.toMatchObject({
    code: 'import.archive',
  });
});
