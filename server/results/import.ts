/** Stores what a file of results holds. Done again, it changes nothing. */
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask } from './answer';
import { deliver } from './bulk';
import { LateDocuments } from './late-documents';
import type { StoredDocument } from './stored';
import { installTemplates } from './templates';

/** What became of the documents of a file. */
export interface Imported {
  written: number;
  /** They stood there already, as they are in the file. */
  unchanged: number;
  /** A newer state stands there, or what another process has measured since: with the reasons, each once. */
  newer: { count: number; reasons: string[] };
  /** By what Elasticsearch says of them. */
  refused: { id: string; reason: string }[];
}

const AT_ONCE = 500;

/** Of each document, that of what stands there; undefined where nothing does. */
async function versionsOf(
  client: ElasticsearchClient,
  documents: readonly StoredDocument[],
): Promise<(number | undefined)[]> {
  if (documents.length === 0) return [];
  const { docs } = await ask(client, api.documentVersions(documents), 'read the results');
  return documents.map((_, at) => (docs[at]?.found === true ? docs[at]._version : undefined));
}

/**
 * Stores documents where nothing newer stands, runs that were deleted included. Rejects with a DynoError `results.*`, or as
 * the client does; what was stored until then stays, and the same import goes on from there.
 */
export async function importResults(
  client: ElasticsearchClient,
  documents: readonly StoredDocument[],
): Promise<Imported> {
  await installTemplates(client).catch((error: unknown) => {
    // Whoever may write but not install relies on the host's having installed them.
    if (!(error instanceof DynoError) || error.code !== 'results.forbidden') throw error;
  });
  const imported: Imported = { written: 0, unchanged: 0, newer: { count: 0, reasons: [] }, refused: [] };
  const late = new LateDocuments(client);
  for (let from = 0; from < documents.length; from += AT_ONCE) {
    const batch = documents.slice(from, from + AT_ONCE);
    const there = await versionsOf(client, batch);
    // A sample is written once.
    const different = batch.filter(
      ({ version }, at) => there[at] === undefined || (version !== undefined && there[at] !== version),
    );
    imported.unchanged += batch.length - different.length;
    // Whoever imports a run that was deleted wants it back.
    const { send, withheld } = await late.judge(different.map(({ known: _known, ...document }) => document));
    const first = await deliver(client, send);
    const overtaking = await late.overtaking(first.superseded);
    const standing = await versionsOf(client, overtaking);
    const second = await deliver(
      client,
      overtaking.map((document, at) => ({ ...document, version: (standing[at] ?? 0) + 1 })),
    );
    const hindrance = first.hindrance ?? second.hindrance;
    if (hindrance) throw new DynoError('run', [hindrance]);
    imported.written += first.written + second.written;
    const newer = first.superseded.length - overtaking.length + second.superseded.length;
    imported.newer.count += withheld.length + newer;
    const reasons = new Set([...imported.newer.reasons, ...withheld.map(({ why }) => why)]);
    if (newer > 0) reasons.add('a newer state stands there');
    imported.newer.reasons = [...reasons];
    for (const { document, reason } of [...first.rejected, ...second.rejected])
      imported.refused.push({ id: document.id, reason });
  }
  return imported;
}
