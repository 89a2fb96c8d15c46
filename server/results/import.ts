/** Stores the documents of a results file. Importing the same file again changes nothing. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { deliver } from './bulk';
import { LateDocuments } from './late-documents';
import type { StoredDocument } from './stored';
import { installTemplates } from './templates';

/** Result of importing the documents of a file. */
export interface Imported {
  /** Number of documents that were stored. */
  written: number;
  /** Number of documents that were already stored with the same content. */
  unchanged: number;
  /**
   * Documents that were not stored, because the results cluster contains a newer version, or because another process has executed the trial
   * again. `reasons`: the different reasons.
   */
  newer: { count: number; reasons: string[] };
  /** Documents that Elasticsearch refused, with the reasons. */
  refused: { id: string; reason: string }[];
}

const AT_ONCE = 500;

/** Returns the stored version of each document; undefined for a document that is not stored. */
async function versionsOf(
  client: ElasticsearchClient,
  documents: readonly StoredDocument[],
): Promise<(number | undefined)[]> {
  if (documents.length === 0) return [];
  const { docs } = await ask(client, api.documentVersions(documents), 'read the results');
  return documents.map((_, at) => (docs[at]?.found === true ? docs[at]._version : undefined));
}

/**
 * Stores documents, unless a newer version is already stored. Runs that were deleted are stored again. If an error occurs, the documents
 * that were already stored remain. Importing the same file again then stores the others.
 */
export async function importResults(
  client: ElasticsearchClient,
  documents: readonly StoredDocument[],
): Promise<Imported> {
  await installTemplates(client).catch((error: unknown) => {
    // Some credentials may write documents but not install templates. In that case, the host must have installed the templates.
    if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
  });
  const imported: Imported = { written: 0, unchanged: 0, newer: { count: 0, reasons: [] }, refused: [] };
  const late = new LateDocuments(client);
  for (let from = 0; from < documents.length; from += AT_ONCE) {
    const batch = documents.slice(from, from + AT_ONCE);
    const there = await versionsOf(client, batch);
    // Samples have no versions, because they are written only once.
    const different = batch.filter(
      ({ version }, at) => there[at] === undefined || (version !== undefined && there[at] !== version),
    );
    imported.unchanged += batch.length - different.length;
    // A user who imports a run that was deleted wants it back.
    const { send, withheld } = await late.judge(different.map(({ known: _known, ...document }) => document));
    const first = await deliver(client, send);
    const overtaking = await late.overtaking(first.superseded);
    const stored = await versionsOf(client, overtaking);
    const second = await deliver(
      client,
      overtaking.map((document, at) => ({ ...document, version: (stored[at] ?? 0) + 1 })),
    );
    const hindrance = first.hindrance ?? second.hindrance;
    if (hindrance) throw new DynoError('run', [hindrance]);
    imported.written += first.written + second.written;
    const newer = first.superseded.length - overtaking.length + second.superseded.length;
    imported.newer.count += withheld.length + newer;
    const reasons = new Set([...imported.newer.reasons, ...withheld.map(({ why }) => why)]);
    if (newer > 0) reasons.add('a newer state is stored');
    imported.newer.reasons = [...reasons];
    for (const { document, reason } of [...first.rejected, ...second.rejected])
      imported.refused.push({ id: document.id, reason });
  }
  return imported;
}
