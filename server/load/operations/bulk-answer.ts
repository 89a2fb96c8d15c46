/** Reads the head of an answer of the bulk API, which shows whether an item has an error. */
import type { HeadVerdict } from '../../../common/requests/kind';

/**
 * Finds `errors` among the scalars at the beginning of the answer. It reads nothing after the first `[` or a second `{`, because the items
 * are an array and may quote documents.
 */
const HEAD = /^\s*\{(?:[^[\]{}"]|"[^"\\[\]{}]*")*?"errors"\s*:\s*(true|false)\b/;
const BEHIND = /^\s*(?:[^\s{]|\{[^[{]*[[{}])/;

export function readBulkHead(head: string): HeadVerdict {
  const found = HEAD.exec(head);
  if (found !== null) return found[1] === 'false' ? 'well' : 'keep';
  return BEHIND.test(head) ? 'keep' : 'more';
}

/** Size of the shortest answer without an item, and of the shortest item, in bytes. */
const SHORTEST_ANSWER = '{"errors":false,"items":[]}'.length;
const SHORTEST_ITEM = '{"index":{"status":201}},'.length;

/** Whether an answer of `bytes` is too short to have an item for each of `documents`. */
export const lacksItems = (bytes: number, documents: number): boolean =>
  bytes < SHORTEST_ANSWER + documents * SHORTEST_ITEM - 1;
