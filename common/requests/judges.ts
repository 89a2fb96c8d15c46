/** Judges of answers that several APIs share. */
import { failureOf } from '../elasticsearch/answer';
import { stringifyPlain } from '../json/exact';
import type { AnswerFailure, HeadVerdict, Judge } from './kind';

/** Accepts any answer with status 2xx. */
export const byStatus: Judge = { head: () => 'well', failure: () => null };

const BAD: AnswerFailure = { type: 'bad-answer', reason: 'the answer does not have the format of this API' };

type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

interface ShardFailures {
  failed?: number;
  failures?: { reason?: unknown }[];
}

/** Returns the failure that `_shards` reports; null if all shards answered. */
export function shardFailure(answer: unknown): AnswerFailure | null {
  const { failed, failures } = fieldsOf(fieldsOf(answer)['_shards']) as ShardFailures;
  if (typeof failed !== 'number') return BAD;
  if (failed === 0) return null;
  const { type, reason } = failureOf(Array.isArray(failures) ? failures[0]?.reason : null, 'shard-failure');
  return { type, reason: reason || `${failed} shards failed` };
}

/** Matches `_shards` without a failure, anywhere in the head. */
const ALL_SHARDS = /"_shards"\s*:\s*\{[^[\]{}]*"failed"\s*:\s*0\s*[,}]/;

/** Requires that no shard failed: `_count`, `_refresh`, `_forcemerge`. */
export const allShards: Judge = {
  head: (head) => (ALL_SHARDS.test(head) ? 'well' : 'more'),
  failure: shardFailure,
};

/** Matches `timed_out` among the first scalars, and `failed` among those of `_shards`. Hits and aggregations come later. */
const SEARCH_HEAD =
  /^\s*\{[^[\]{}]*"timed_out"\s*:\s*(true|false)\b[^[\]{}]*"_shards"\s*:\s*\{[^[\]{}]*"failed"\s*:\s*(\d+)\s*[,}]/;
/** Matches another list or object before these. The head then cannot decide. */
const BEHIND = /^\s*(?:[^\s{]|\{[^[\]{}]*(?:[[\]}]|(?<!"_shards"\s*:\s*)\{|\{[^[\]{}]*[[\]{}]))/;

function searchHead(head: string): HeadVerdict {
  const found = SEARCH_HEAD.exec(head);
  if (found !== null) return found[1] === 'false' && found[2] === '0' ? 'well' : 'keep';
  return BEHIND.test(head) ? 'keep' : 'more';
}

/** Judges one answer of the search API; null for a success. */
export function searchFailed(answer: unknown): AnswerFailure | null {
  const timedOut = fieldsOf(answer)['timed_out'];
  if (typeof timedOut !== 'boolean') return BAD;
  const shards = shardFailure(answer);
  if (shards !== null) return shards;
  return timedOut ? { type: 'search-timed-out', reason: 'the search reached its own timeout' } : null;
}

/** A search that lost shards or timed out failed, although its status is 200. */
export const wholeSearch: Judge = { head: searchHead, failure: searchFailed };

/** Matches the first scalars, before any list or object. */
const SCALARS = /^\s*\{[^[\]{}]*/;

/**
 * Requires that `flags` among the first scalars are false, or absent as in versions that do not know them. `types` are the failures for
 * those that are true.
 */
export const noFlags = (types: Readonly<Record<string, AnswerFailure>>): Judge => {
  const flagged = new RegExp(`"(?:${Object.keys(types).join('|')})"\\s*:\\s*true`);
  return {
    head: (head) => {
      const scalars = SCALARS.exec(head)?.[0];
      if (scalars === undefined) return head.trim() === '' ? 'more' : 'keep';
      if (scalars.length === head.length) return 'more';
      return flagged.test(scalars) ? 'keep' : 'well';
    },
    failure: (answer) => {
      const fields = fieldsOf(answer);
      const found = Object.entries(types).find(([flag]) => fields[flag] === true);
      return found === undefined ? null : found[1];
    },
  };
};

/** Judges an answer with several answers in it: returns the first failure. */
export const eachOf = (key: string, failureIn: (one: unknown) => AnswerFailure | null): Judge => ({
  head: () => 'keep',
  failure: (answer) => {
    const all = fieldsOf(answer)[key];
    if (!Array.isArray(all)) return BAD;
    for (const one of all as unknown[]) {
      const { error } = fieldsOf(one);
      if (error !== undefined) {
        const { type, reason } = failureOf(error, 'item-error');
        return { type, reason: reason || stringifyPlain(error) };
      }
      const failure = failureIn(one);
      if (failure !== null) return failure;
    }
    return null;
  },
});
