import { isUtf8 } from 'node:buffer';
import { compressionOf, foreignText, invalidUtf8, packingOf } from './bytes';

const bytes = (text: string, encoding: BufferEncoding = 'utf8'): Uint8Array => Buffer.from(text, encoding);
const swapped = (text: string): Uint8Array => Buffer.from(text, 'utf16le').swap16();

const LINE = '{"name":"tea","price":3}\n';

test.each<[string, Uint8Array, string | null]>([
  ['ASCII', bytes(LINE), null],
  ['UTF-8', bytes('{"name":"größe 🦀"}\n'), null],
  ['UTF-8 with a byte order mark', bytes(`\ufeff${LINE}`), null],
  ['Latin-1', bytes('{"name":"größe"}\n', 'latin1'), null],
  ['nothing', bytes(''), null],
  ['escapes of a terminal', bytes('\u001b[31mred\u001b[0m\n'), null],
  ['a log with a zero byte', bytes(`${LINE.repeat(10)}\u0000${LINE}`), null],
  ['UTF-16 with a byte order mark', bytes(`\ufeff${LINE}`, 'utf16le'), 'UTF-16'],
  ['UTF-16, big-endian, with a byte order mark', swapped(`\ufeff${LINE}`), 'UTF-16'],
  ['UTF-16 without a byte order mark', bytes(LINE, 'utf16le'), 'UTF-16LE'],
  ['UTF-16, big-endian, without a byte order mark', swapped(LINE), 'UTF-16BE'],
  ['UTF-16 of Japanese without a byte order mark', bytes('{"名":"東京都渋谷区のお店"}\n'.repeat(3), 'utf16le'), 'UTF-16LE'],
  ['UTF-16 of Japanese, big-endian', swapped('{"名":"東京都渋谷区の一番店"}\n'.repeat(3)), 'UTF-16BE'],
  ['a tar archive', bytes(`docs.ndjson${'\u0000'.repeat(246)}ustar\u000000`), 'tar'],
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'UTF-32'],
  ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0]), 'binary'],
]) // oxfmt-ignore
('%s', (_what, head, found) => {
  expect(foreignText(head)).toBe(found);
});

test('compressions are recognised by their first bytes', () => {
  expect(packingOf(Buffer.from([0x1f, 0x8b, 8, 0]))).toBe('gzip');
  expect(packingOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).toBe('zstd');
  expect(packingOf(bytes(LINE))).toBeNull();
  expect(compressionOf(bytes('BZh9'))?.name).toBe('bzip2');
  expect(compressionOf(bytes('PK\u0003\u0004'))?.name).toBe('zip');
  expect(compressionOf(bytes(LINE))).toBeNull();
});

test('the first byte that is not UTF-8 is returned with its line and position', () => {
  expect(invalidUtf8(bytes('{"a":"größe 🦀"}\n'))).toBeNull();
  expect(invalidUtf8(bytes(`${LINE}{"a":"café"}\n`, 'latin1'))).toEqual({ line: 2, byte: 10 });
  expect(invalidUtf8(bytes('🦀').subarray(0, 3))).toEqual({ line: 1, byte: 1 });
});

test('the same bytes are valid as for Node.js', () => {
  const differing: string[] = [];
  for (let first = 0x80; first < 0x100; first += 1) {
    for (let second = 0x7f; second < 0x100; second += 1) {
      for (const rest of [[], [0x80], [0x80, 0xbf], [0x41]]) {
        const some = Uint8Array.from([first, second, ...rest]);
        if ((invalidUtf8(some) === null) !== isUtf8(some)) differing.push(some.join(' '));
      }
    }
  }
  expect(differing).toEqual([]);
});
