/**
 * Sends documents to the results cluster. Reports which documents were written, which were refused permanently, and which must be sent
 * again.
 */
import { isPassing, isSuccess, reasonOf } from '../../common/elasticsearch/answer';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { DynoError, type Problem } from '../../common/problem';
import * as api from '../elasticsearch/api';
import { ask, refusal } from './answer';
import type { StoredDocument } from './stored';

export interface Delivery {
  written: number;
  /** Documents that were refused because of their content. Sending them again would not help. */
  rejected: { document: StoredDocument; reason: string }[];
  /** Documents that were not written because the cluster already contains a newer version of them. */
  superseded: StoredDocument[];
  /** Documents to send again. The cluster did not respond, was overloaded, or did not accept the credentials. */
  waiting: StoredDocument[];
  /** Reason why documents must be sent again; null if all were sent. */
  hindrance: Problem | null;
}

const DOCUMENTS_AT_ONCE = 500;
const BYTES_AT_ONCE = 5 * 1024 ** 2;
const TIMEOUT_MS = 30_000;

export const nothing = (): Delivery => ({
  written: 0,
  rejected: [],
  superseded: [],
  waiting: [],
  hindrance: null,
});

/**
 * Sends documents in bulk requests. If a request fails, sends no further ones. The documents of this request and of all later ones are then
 * in `waiting`. Rejects only if the client was aborted.
 */
export async function deliver(
  client: ElasticsearchClient,
  documents: readonly StoredDocument[],
  timeoutMs = TIMEOUT_MS,
): Promise<Delivery> {
  const total = nothing();
  for (const batch of batches(documents)) {
    if (total.hindrance !== null) total.waiting.push(...batch.map(({ document }) => document));
    else merge(total, await deliverBatch(client, batch, timeoutMs));
  }
  return total;
}

interface Line {
  document: StoredDocument;
  text: string;
}

function* batches(documents: readonly StoredDocument[]): Generator<Line[]> {
  let batch: Line[] = [];
  let size = 0;
  for (const document of documents) {
    const text = bulkLines(document);
    if (batch.length >= DOCUMENTS_AT_ONCE || (size > 0 && size + text.length > BYTES_AT_ONCE)) {
      yield batch;
      batch = [];
      size = 0;
    }
    batch.push({ document, text });
    size += text.length;
  }
  if (batch.length > 0) yield batch;
}

function bulkLines({ index, id, version, source }: StoredDocument): string {
  // With external_gte, an older version that arrives late never replaces a newer one, and a repeated request changes nothing.
  const versioned = version === undefined ? {} : { version, version_type: 'external_gte' };
  return `${JSON.stringify({ index: { _index: index, _id: id, ...versioned } })}\n${JSON.stringify(source)}\n`;
}

async function deliverBatch(
  client: ElasticsearchClient,
  batch: Line[],
  timeoutMs: number,
): Promise<Delivery> {
  const documents = batch.map(({ document }) => document);
  const wait = (hindrance: Problem): Delivery => ({ ...nothing(), waiting: documents, hindrance });
  try {
    const lines = batch.map(({ text }) => text).join('');
    const answer = await ask(client, api.bulk('index', lines, timeoutMs), 'write results', {
      // The answer does not contain the outcome of each document, so all documents are sent again.
      garbled: () => null,
      // Status 413: the request is too large. Status 400: one document makes the whole request invalid. In both cases, the halves are sent
      // separately, until the invalid document is alone.
      failed: ({ status, error }) => {
        if (status !== 400 && status !== 413) throw error;
        return error;
      },
    });
    if (!(answer instanceof DynoError)) return sortItems(documents, answer?.items ?? []);
    if (batch.length > 1) return await deliverHalves(client, batch, timeoutMs);
    return { ...nothing(), rejected: documents.map((document) => ({ document, reason: answer.message })) };
  } catch (error) {
    if (error instanceof DynoError) return wait(error.problems[0]!);
    throw error;
  }
}

async function deliverHalves(
  client: ElasticsearchClient,
  batch: Line[],
  timeoutMs: number,
): Promise<Delivery> {
  const middle = Math.ceil(batch.length / 2);
  const total = await deliverBatch(client, batch.slice(0, middle), timeoutMs);
  merge(total, await deliverBatch(client, batch.slice(middle), timeoutMs));
  return total;
}

function sortItems(documents: StoredDocument[], items: readonly { index: api.BulkItem }[]): Delivery {
  const sorted = nothing();
  documents.forEach((document, position) => {
    const { status, error } = items[position]?.index ?? {
      status: 502,
      error: 'the answer does not contain it',
    };
    if (isSuccess(status)) sorted.written += 1;
    else if (status === 409) sorted.superseded.push(document);
    else if (isPassing(status) || status === 401 || status === 403 || status === 404) {
      sorted.waiting.push(document);
      sorted.hindrance ??= refusal(status, error, `write to ${document.index}`).problems[0]!;
    } else sorted.rejected.push({ document, reason: reasonOf(error) || `status ${status}` });
  });
  return sorted;
}

function merge(into: Delivery, more: Delivery): void {
  into.written += more.written;
  into.superseded.push(...more.superseded);
  into.rejected.push(...more.rejected);
  into.waiting.push(...more.waiting);
  into.hindrance ??= more.hindrance;
}
