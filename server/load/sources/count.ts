/** Counts the documents of a file before a run, in bounded time. */
import { createReadStream } from 'node:fs';
import { checkReadable, isPacked, readUnpacked } from './unpack';

/** Longest time to read one file, in ms. */
const MOST_MS = 1000;

const LINE_FEED = 10;
/** The space character; this one and all control characters below it are blank. */
const HIGHEST_BLANK = 32;

export interface CountedDocuments {
  documents: number;
  /** `about`: estimated from a part of the file and its size. `at-least`: a part of a compressed file was read. */
  how: 'exactly' | 'about' | 'at-least';
  /** Mean size of a document, unpacked, in bytes; 0 without documents. */
  documentBytes: number;
}

/** Counts lines that are not blank. Rejects as {@link checkReadable} does, and with errors of the stream. */
export async function countDocuments(file: string, mostMs: number = MOST_MS): Promise<CountedDocuments> {
  const size = await checkReadable(file);
  const until = performance.now() + mostMs;
  const stream = isPacked(file) ? readUnpacked(file) : createReadStream(file, { highWaterMark: 1024 * 1024 });
  let documents = 0;
  let bytes = 0;
  // Whether the line that is cut at the end of the last piece has text.
  let begun = false;
  let isCut = false;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    for (let from = 0; from < chunk.length;) {
      const feed = chunk.indexOf(LINE_FEED, from);
      const end = feed === -1 ? chunk.length : feed;
      begun ||= hasText(chunk, from, end);
      if (feed !== -1) {
        if (begun) documents += 1;
        begun = false;
      }
      from = end + 1;
    }
    bytes += chunk.length;
    isCut = performance.now() > until && (isPacked(file) || bytes < size);
    // Leaving the loop closes the stream.
    if (isCut) break;
  }
  if (begun && !isCut) documents += 1;
  const documentBytes = documents === 0 ? 0 : bytes / documents;
  if (!isCut) return { documents, how: 'exactly', documentBytes };
  if (isPacked(file)) return { documents, how: 'at-least', documentBytes };
  return { documents: documents === 0 ? 1 : Math.round(size / documentBytes), how: 'about', documentBytes };
}

/** Whether the bytes have a character that is not blank. For most documents it is the first one. */
function hasText(bytes: Buffer, from: number, until: number): boolean {
  for (let at = from; at < until; at += 1) if (bytes[at]! > HIGHEST_BLANK) return true;
  return false;
}
