/** Counts the documents of a file before a run, within a limited time. */
import { createReadStream } from 'node:fs';
import { checkReadable, isPacked, readUnpacked } from './unpack';

/** Maximum time for reading one file, in ms. */
const MOST_MS = 1000;

const LINE_FEED = 10;
/** The code of the space character. This code and all lower codes (control characters) are blank. */
const HIGHEST_BLANK = 32;

export interface CountedDocuments {
  documents: number;
  /**
   * How the number of documents was determined. `exactly`: the whole file was counted. `about`: estimated from a part of the file and its
   * size. `at-least`: counted in a part of a compressed file.
   */
  how: 'exactly' | 'about' | 'at-least';
  /** Mean unpacked size of a document, in bytes; 0 without documents. */
  documentBytes: number;
}

/**
 * Counts the lines that are not blank. Stops after `mostMs` (in ms); the number is then an estimate or a lower bound. Rejects with a
 * DynoError if the file cannot be read, and with errors of decompression.
 */
export async function countDocuments(file: string, mostMs: number = MOST_MS): Promise<CountedDocuments> {
  const size = await checkReadable(file);
  const until = performance.now() + mostMs;
  const stream = isPacked(file) ? readUnpacked(file) : createReadStream(file, { highWaterMark: 1024 * 1024 });
  let documents = 0;
  let bytes = 0;
  // Whether the incomplete line at the end of the last piece contains text.
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

/**
 * Returns whether the bytes contain a character that is not blank. Usually ends at the first character, because a document rarely begins
 * with a blank.
 */
function hasText(bytes: Buffer, from: number, until: number): boolean {
  for (let at = from; at < until; at += 1) if (bytes[at]! > HIGHEST_BLANK) return true;
  return false;
}
