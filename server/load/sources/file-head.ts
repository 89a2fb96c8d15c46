/** Reads the beginning of a file and detects its kind before the file is used. */
import { isUtf8 } from 'node:buffer';
import { foreignText, invalidUtf8, type Packing } from '../../../common/files/bytes';
import { isGor, recognise, type FileHead, type Recognised } from '../../../common/files/recognise';
import { asDocuments, foreignRefusal, invalidRefusal, type NamedFile } from '../../../common/files/refusals';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import { checkReadable, packingOfFile, readUnpacked } from './unpack';

/** Maximum number of lines that are read to detect the kind of a file. */
const MOST_LINES = 1000;
/** Maximum number of bytes that are read to detect the kind of a file. */
const MOST_BYTES = 8 * 1024 ** 2;

const LINE_FEED = 10;

/** Checks the first unpacked bytes of a file. Throws a DynoError with advice if they are not UTF-8 text. */
export function checkText(bytes: Uint8Array, named: NamedFile): void {
  const foreign = foreignText(bytes);
  if (foreign === null) return;
  throw new DynoError('input', [
    { code: 'source.encoding', path: named.file, ...foreignRefusal(foreign, named) },
  ]);
}

/** Throws a DynoError with the position and advice if the bytes are not UTF-8. `line`: number of the first byte's line, from 1. */
export function checkUtf8(bytes: Uint8Array, line: number, named: NamedFile): void {
  if (isUtf8(bytes)) return;
  const found = invalidUtf8(bytes)!;
  const place = { ...found, line: line + found.line - 1 };
  throw new DynoError('input', [
    { code: 'source.encoding', path: named.file, ...invalidRefusal(place, named) },
  ]);
}

/**
 * Returns the first lines of a file. Rejects with a DynoError that contains advice if the file cannot be read, or if it is not UTF-8 text.
 */
export async function readHead(
  file: string,
): Promise<FileHead & { packing: Packing | null; checkUtf8: () => void }> {
  await checkReadable(file);
  const packing = packingOfFile(file);
  const { bytes, isWhole } = await firstBytes(file);
  // A file of GoReplay may contain binary bodies, so it need not be UTF-8 text.
  if (!isGor(bytes.toString('utf8', 0, 300))) checkText(bytes, { file, packing });
  const lines = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n', MOST_LINES + 1);
  // The bytes after the last line feed may be an incomplete line.
  const isCut = !isWhole && lines.length <= MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => line.trim());
  if (isCut && shown.filter(Boolean).length > 1) shown.pop();
  return {
    lines: shown.filter((line) => line !== ''),
    isCut: isCut && shown.filter(Boolean).length === 1,
    packing,
    // The last character may be cut off.
    checkUtf8: () =>
      checkUtf8(isWhole ? bytes : bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1), 1, { file, packing }),
  };
}

async function firstBytes(file: string): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const stream = readUnpacked(file);
  const chunks: Buffer[] = [];
  let length = 0;
  let lines = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      length += chunk.length;
      for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1;
      if (lines > MOST_LINES || length >= MOST_BYTES) return { bytes: Buffer.concat(chunks), isWhole: false };
    }
    return { bytes: Buffer.concat(chunks), isWhole: true };
  } catch (error) {
    throw inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  }
}

/** Detects the kind of a file. Rejects with a DynoError if the file cannot be read, or if it is not UTF-8 text. */
export async function recogniseFile(
  file: string,
): Promise<Recognised & NamedFile & { checkUtf8: () => void }> {
  const { packing, checkUtf8: check, ...head } = await readHead(file);
  return { ...recognise(head), file, packing, checkUtf8: check };
}

/**
 * Checks that a file has the kind `format`. Otherwise, rejects with a DynoError whose message contains the command that converts the file.
 * The kind `lines` accepts any text file. Its bytes need not be UTF-8: when its lines are sent, invalid bytes are replaced.
 */
export async function checkDocumentFile(file: string, format: 'ndjson' | 'lines'): Promise<void> {
  const found = await recogniseFile(file);
  const refusal = format === 'ndjson' ? asDocuments(found, found) : null;
  if (refusal !== null) throw new DynoError('input', [{ code: 'source.kind', path: file, ...refusal }]);
  if (format === 'ndjson') found.checkUtf8();
}
