/** Format of the journal's files: one document per line, as JSON. */
import type { StoredDocument } from './stored';

export const linesOf = (documents: readonly StoredDocument[]): string =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('');

/** Returns whether a value that was read from a file is a valid document. This must be checked, because the file may have been changed. */
const isStored = (value: unknown): value is StoredDocument => {
  if (typeof value !== 'object' || value === null) return false;
  const { index, id, version, source } = value as Partial<Record<keyof StoredDocument, unknown>>;
  return (
    typeof index === 'string' &&
    typeof id === 'string' &&
    (version === undefined || typeof version === 'number') &&
    typeof source === 'object' &&
    source !== null
  );
};

/**
 * Parses the text of a file with one document per line. `torn`: number of lines that are not valid documents, for example because they were
 * only partly written.
 */
export function parseLines(text: string): { documents: StoredDocument[]; torn: number } {
  const documents: StoredDocument[] = [];
  let torn = 0;
  for (const line of text.split('\n')) {
    if (line === '') continue;
    try {
      const document: unknown = JSON.parse(line);
      if (isStored(document)) documents.push(document);
      else torn += 1;
    } catch {
      torn += 1;
    }
  }
  return { documents, torn };
}
