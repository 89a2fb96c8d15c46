/** Checks a file of documents before a run. An unusable file then fails before the first trial, and not later in the run. */
import { parsePlain } from '../../../common/json/exact';
import path from 'node:path';
import { DynoError, inputError, messageOf } from '../../../common/problem';
import { checkDocumentFile } from './file-head';
import { LineReader, LineTooLong } from './lines';
import { checkReadable, readUnpacked } from './unpack';

/** Number of documents that are parsed completely. */
const CHECKED = 1000;

/** Returns the absolute path of a file in a definition. `folder`: the folder to which the path in the definition is relative. */
export const sourceFile = (file: string, folder: string): string => path.resolve(folder, file);

/** Facts about a file, derived from its first documents. */
export interface SourceFacts {
  /** Number of documents that were read: at most 1000. */
  documents: number;
  /** Mean unpacked size of a document, in bytes. */
  documentBytes: number;
  /** Size of the file as it is on disk, in bytes. */
  fileBytes: number;
}

/** Checks the file. Rejects with a DynoError that names the file and the invalid line. */
export async function checkSource(file: string, format: 'ndjson' | 'lines'): Promise<SourceFacts> {
  const fileBytes = await checkReadable(file);
  await checkDocumentFile(file, format);
  const lines = new LineReader(readUnpacked(file));
  let documents = 0;
  let bytes = 0;
  try {
    while (documents < CHECKED) {
      const next = lines.next();
      if (next === 'ended') break;
      if (next === 'none') {
        await new Promise<void>((resolve) => {
          lines.whenMore(resolve);
        });
      } else if (lines.start < lines.end) {
        documents += 1;
        bytes += lines.end - lines.start;
        if (format === 'ndjson') checkJson(lines, file);
      }
    }
  } catch (error) {
    if (error instanceof DynoError) throw error;
    if (error instanceof LineTooLong)
      throw inputError('source.corrupt-line', `${file}:${lines.number}`, error.message);
    throw inputError('source.unreadable', file, `cannot be read: ${messageOf(error)}`);
  } finally {
    lines.close();
  }
  if (documents === 0) throw inputError('source.empty', file, 'holds no documents');
  return { documents, documentBytes: bytes / documents, fileBytes };
}

function checkJson({ bytes, start, end, number }: LineReader, file: string): void {
  const text = bytes.toString('utf8', start, end);
  let value: unknown;
  try {
    value = parsePlain(text);
  } catch (error) {
    throw inputError('source.corrupt-line', `${file}:${number}`, `is not JSON: ${messageOf(error)}`, {
      found: text.slice(0, 100),
    });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw inputError('source.corrupt-line', `${file}:${number}`, 'is not a JSON object', {
      found: text.slice(0, 100),
    });
  }
}
