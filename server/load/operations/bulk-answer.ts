/** Reads answers of the bulk API: their head alone when all is well, item by item when something was refused. */
import type { HeadVerdict } from '../../../common/requests/kind';
import type { Refusal } from './refusal';

/**
 * `errors` among the scalars that open the answer. The items, which may quote documents, are an array, so nothing behind
 * the first `[` or a second `{` is looked at.
 */
const HEAD = /^\s*\{(?:[^[\]{}"]|"[^"\\[\]{}]*")*?"errors"\s*:\s*(true|false)\b/;
const BEHIND = /^\s*(?:[^\s{]|\{[^[{]*[[{}])/;

export function readBulkHead(head: string): HeadVerdict {
  const found = HEAD.exec(head);
  if (found !== null) return found[1] === 'false' ? 'well' : 'keep';
  return BEHIND.test(head) ? 'keep' : 'more';
}

/** What became of each document of a bulk. */
export interface ItemFates {
  accepted: number;
  /** Positions of the documents that were refused for load (429), ascending. */
  refused: number[];
  /** Why; of the first. */
  refusal: Refusal;
  /** Documents that failed for another reason. */
  failures: Refusal[];
}

interface Item {
  status: number;
  error?: unknown;
}

/** Null for what says nothing of a document. */
function itemOf(wrapped: unknown): Item | null {
  const [item] = typeof wrapped === 'object' && wrapped !== null ? (Object.values(wrapped) as unknown[]) : [];
  if (typeof item !== 'object' || item === null) return null;
  const { status, error } = item as { status?: unknown; error?: unknown };
  return typeof status === 'number' ? { status, error } : null;
}

/** Null when the answer is none of the bulk API's or does not answer for `documents` documents. */
export function readItems(body: Buffer, documents: number): ItemFates | null {
  let answer: { errors?: unknown; items?: unknown };
  try {
    answer = JSON.parse(body.toString('utf8')) as typeof answer;
  } catch {
    return null;
  }
  if (typeof answer !== 'object' || answer === null || typeof answer.errors !== 'boolean') return null;
  const fates: ItemFates = { accepted: 0, refused: [], refusal: { type: '', reason: '' }, failures: [] };
  if (!answer.errors) {
    fates.accepted = documents;
    return fates;
  }
  if (!Array.isArray(answer.items) || answer.items.length !== documents) return null;
  const items = answer.items.map(itemOf);
  if (items.includes(null)) return null;
  items.forEach((item, position) => {
    const { status, error } = item!;
    if (status >= 200 && status < 300) {
      fates.accepted += 1;
      return;
    }
    const { type, reason } = (error ?? {}) as { type?: unknown; reason?: unknown };
    const why = {
      type: typeof type === 'string' ? type : `http-${status}`,
      reason: typeof reason === 'string' ? reason : '',
    };
    if (status !== 429) fates.failures.push(why);
    else if (fates.refused.push(position) === 1) fates.refusal = why;
  });
  return fates;
}
