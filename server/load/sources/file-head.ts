/** Reads the beginning of a file, and says what the file is before it is read as anything. */
import { foreignText, type Packing } from '../../../common/files/bytes';
import { recognise, type FileHead, type Recognised } from '../../../common/files/recognise';
import { asDocuments, foreignRefusal, type NamedFile } from '../../../common/files/refusals';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import { checkReadable, packingOfFile, readUnpacked } from './unpack';

/** Lines that are looked at, and bytes of them. */
const MOST_LINES = 1000;
const MOST_BYTES = 8 * 1024 ** 2;

const LINE_FEED = 10;

/** Throws a DynoError (input) with what to do where the first bytes of a file, unpacked, are not UTF-8 text. */
export function checkText(bytes: Uint8Array, named: NamedFile): void {
  const foreign = foreignText(bytes);
  if (foreign === null) return;
  throw new DynoError('input', [
    { code: 'source.encoding', path: named.file, ...foreignRefusal(foreign, named) },
  ]);
}

/**
 * The first lines of a file. Rejects with a DynoError (input) where it cannot be read, or where its bytes are not UTF-8 text, with what
 * to do.
 */
export async function readHead(file: string): Promise<FileHead & { packing: Packing | null }> {
  await checkReadable(file);
  const packing = packingOfFile(file);
  const { bytes, isWhole } = await firstBytes(file);
  checkText(bytes, { file, packing });
  const lines = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .split('\n', MOST_LINES + 1);
  // The piece behind the last line feed that was read is no whole line.
  const isCut = !isWhole && lines.length <= MOST_LINES;
  const shown = lines.slice(0, MOST_LINES).map((line) => line.trim());
  if (isCut && shown.filter(Boolean).length > 1) shown.pop();
  return {
    lines: shown.filter((line) => line !== ''),
    isCut: isCut && shown.filter(Boolean).length === 1,
    packing,
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

/** What a file is. Rejects as {@link readHead} does. */
export async function recogniseFile(file: string): Promise<Recognised & NamedFile> {
  const { packing, ...head } = await readHead(file);
  return { ...recognise(head), file, packing };
}

/**
 * Rejects with a DynoError (input) where a file is something other than what it is to be read as, with the command that makes it
 * readable. `lines`: plain lines, which may be of any kind.
 */
export async function checkDocumentFile(file: string, format: 'ndjson' | 'lines'): Promise<void> {
  const found = await recogniseFile(file);
  const refusal = format === 'ndjson' ? asDocuments(found, found) : null;
  if (refusal !== null) throw new DynoError('input', [{ code: 'source.kind', path: file, ...refusal }]);
}
