import { setTimeout as pause } from 'node:timers/promises';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { decodeWhole, isKnown, isPlain, PieceDecoder } from './decode';

const TEXT = Buffer.from('{"query":{}}\n'.repeat(50_000));

test.each([
  ['gzip', gzipSync(TEXT)],
  ['X-GZIP ', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
])('a body in %s is decoded at once and in pieces', async (encoding, bytes) => {
  expect(TEXT.equals(decodeWhole(bytes, encoding, TEXT.length))).toBe(true);
  expect(() => decodeWhole(bytes, encoding, TEXT.length - 1)).toThrow('larger');
  const pieces: Buffer[] = [];
  const decoder = new PieceDecoder(encoding, async (piece) => void pieces.push(piece));
  for (let at = 0; at < bytes.length; at += 100) await decoder.add(bytes.subarray(at, at + 100));
  await decoder.end();
  expect(TEXT.equals(Buffer.concat(pieces))).toBe(true);
});

test('deflate also means the compressed data alone', () => {
  expect(TEXT.equals(decodeWhole(deflateRawSync(TEXT), 'deflate', TEXT.length))).toBe(true);
});

test('a decoder waits until a piece is taken', async () => {
  let taking = 0;
  let most = 0;
  let bytes = 0;
  const decoder = new PieceDecoder('gzip', async (piece) => {
    taking += 1;
    most = Math.max(most, taking);
    await pause(1);
    bytes += piece.length;
    taking -= 1;
  });
  await decoder.add(gzipSync(TEXT));
  await decoder.end();
  expect([most, taking, bytes]).toEqual([1, 0, TEXT.length]);
});

test('malformed and incomplete bodies are rejected', async () => {
  const malformed = new PieceDecoder('gzip', () => Promise.resolve());
  await expect(malformed.add(Buffer.from('no gzip'))).rejects.toThrow('header');
  await expect(malformed.end()).rejects.toThrow('header');
  const cut = new PieceDecoder('gzip', () => Promise.resolve());
  await cut.add(gzipSync(TEXT).subarray(0, 50));
  await expect(cut.end()).rejects.toThrow('end of file');
});

test('encodings are known by name, and names of built-in members are not encodings', () => {
  expect(['', 'identity', 'Identity '].map(isPlain)).toEqual([true, true, true]);
  expect(['zstd', 'constructor', 'gzip, br'].map(isKnown)).toEqual([false, false, false]);
});
