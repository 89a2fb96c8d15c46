/** Judges that several kinds of requests share. A judge decides whether a response with status 2xx is a success. */
import { failureOf } from '../elasticsearch/answer';
import { stringifyPlain } from '../json/exact';
import type { AnswerFailure, HeadVerdict, Judge } from './kind';

/** Accepts any response with status 2xx. */
export const byStatus: Judge = { head: () => 'well', failure: () => null };

const BAD: AnswerFailure = { type: 'bad-answer', reason: 'the answer does not have the format of this API' };

type Fields = Readonly<Record<string, unknown>>;
export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

interface ShardFailures {
  failed?: number;
  failures?: { reason?: unknown }[];
}

/** Returns the failure that `_shards` in a response reports; null if no shard failed. */
export function shardFailure(answer: unknown): AnswerFailure | null {
  const { failed, failures } = fieldsOf(fieldsOf(answer)['_shards']) as ShardFailures;
  if (typeof failed !== 'number') return BAD;
  if (failed === 0) return null;
  const { type, reason } = failureOf(Array.isArray(failures) ? failures[0]?.reason : null, 'shard-failure');
  return { type, reason: reason || `${failed} shards failed` };
}

/** Matches `_shards` without failed shards, anywhere in the first bytes of a response. */
const ALL_SHARDS = /"_shards"\s*:\s*\{[^[\]{}]*"failed"\s*:\s*0\s*[,}]/;

/** Accepts a response if no shard failed. It is used for `_count`, `_refresh` and `_forcemerge`. */
export const allShards: Judge = {
  head: (head) => (ALL_SHARDS.test(head) ? 'well' : 'more'),
  failure: shardFailure,
};

/**
 * Matches `timed_out` among the first scalars of a response, and `failed` among the scalars of `_shards`. Hits and aggregations come later
 * in a response.
 */
const SEARCH_HEAD =
  /^\s*\{[^[\]{}]*"timed_out"\s*:\s*(true|false)\b[^[\]{}]*"_shards"\s*:\s*\{[^[\]{}]*"failed"\s*:\s*(\d+)\s*[,}]/;
/**
 * Matches a response in which another list or object comes before `timed_out` and `_shards`. Its first bytes are not enough to decide
 * whether the search succeeded.
 */
const BEHIND = /^\s*(?:[^\s{]|\{[^[\]{}]*(?:[[\]}]|(?<!"_shards"\s*:\s*)\{|\{[^[\]{}]*[[\]{}]))/;

function searchHead(head: string): HeadVerdict {
  const found = SEARCH_HEAD.exec(head);
  if (found !== null) return found[1] === 'false' && found[2] === '0' ? 'well' : 'keep';
  return BEHIND.test(head) ? 'keep' : 'more';
}

/** Returns the failure in one response of the search API; null if the search succeeded. */
export function searchFailed(answer: unknown): AnswerFailure | null {
  const timedOut = fieldsOf(answer)['timed_out'];
  if (typeof timedOut !== 'boolean') return BAD;
  const shards = shardFailure(answer);
  if (shards !== null) return shards;
  return timedOut ? { type: 'search-timed-out', reason: 'the search reached its own timeout' } : null;
}

/**
 * Accepts the response of a search that neither lost shards nor timed out. All other searches count as failed, even if their status is 200.
 */
export const wholeSearch: Judge = { head: searchHead, failure: searchFailed };

/** Matches the scalars at the beginning of a response, before any list or object. */
const SCALARS = /^\s*\{[^[\]{}]*/;

/**
 * Accepts a response if none of the flags in `types` is true. Flags may be false or missing. Only values before the first list or object of
 * the response are examined. `types`: the name of each flag, and the failure that is reported if the flag is true.
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

/**
 * Returns a judge for responses that contain a list with several results, such as those of `_msearch`. The response fails with the first
 * failure in the list. `key`: key of the list. `failureIn`: returns the failure in one result.
 */
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
