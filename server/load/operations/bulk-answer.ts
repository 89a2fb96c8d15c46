/** Reads the head of answers of the bulk API, which says whether an item has an error. */
import type { HeadVerdict } from '../../../common/requests/kind';

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

/** Bytes of the shortest answer without an item, and of the shortest item. */
const SHORTEST_ANSWER = '{"errors":false,"items":[]}'.length;
const SHORTEST_ITEM = '{"index":{"status":201}},'.length;

/** Whether an answer of `bytes` is too short to have an item for each of `documents`. */
export const lacksItems = (bytes: number, documents: number): boolean =>
  bytes < SHORTEST_ANSWER + documents * SHORTEST_ITEM - 1;
