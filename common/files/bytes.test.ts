import { compressionOf, foreignText, packingOf } from './bytes';

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
  ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x7b, 0, 0, 0]), 'UTF-32'],
  ['an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 1, 0]), 'binary'],
]) // oxfmt-ignore
('%s', (_what, head, found) => {
  expect(foreignText(head)).toBe(found);
});

test('compressions are known by their first bytes', () => {
  expect(packingOf(Buffer.from([0x1f, 0x8b, 8, 0]))).toBe('gzip');
  expect(packingOf(Buffer.from([0x28, 0xb5, 0x2f, 0xfd]))).toBe('zstd');
  expect(packingOf(bytes(LINE))).toBeNull();
  expect(compressionOf(bytes('BZh9'))?.name).toBe('bzip2');
  expect(compressionOf(bytes('PK\u0003\u0004'))?.name).toBe('zip');
  expect(compressionOf(bytes(LINE))).toBeNull();
});
