/** Reads answers of the search API: a search that lost shards or ran out of time did not succeed, though its status is 200. */
import type { HeadVerdict } from '../transport/exchange';
import type { Refusal } from './refusal';

/** `timed_out` among the opening scalars, `failed` among those of `_shards`; hits and aggregations come behind. */
const HEAD =
  /^\s*\{[^[\]{}]*"timed_out"\s*:\s*(true|false)\b[^[\]{}]*"_shards"\s*:\s*\{[^[\]{}]*"failed"\s*:\s*(\d+)\s*[,}]/;
/** Something else opens: the answer is none that the head can tell. */
const BEHIND = /^\s*(?:[^\s{]|\{[^[\]{}]*(?:[[\]}]|(?<!"_shards"\s*:\s*)\{|\{[^[\]{}]*[[\]{}]))/;

export function readSearchHead(head: string): HeadVerdict {
  const found = HEAD.exec(head);
  if (found !== null) return found[1] === 'false' && found[2] === '0' ? 'well' : 'keep';
  return BEHIND.test(head) ? 'keep' : 'more';
}

interface SearchAnswer {
  timed_out?: boolean;
  _shards?: { failed?: number; failures?: { reason?: { type?: string; reason?: string } }[] };
}

/** Why a search with status 2xx did not succeed; null when it did. */
export function readSearchFailure(body: Buffer): Refusal | null {
  const text = body.toString('utf8');
  const bad = { type: 'bad-answer', reason: text };
  let answer: SearchAnswer;
  try {
    answer = JSON.parse(text) as SearchAnswer;
  } catch {
    return bad;
  }
  if (typeof answer?.timed_out !== 'boolean' || typeof answer._shards?.failed !== 'number') return bad;
  if (answer._shards.failed > 0) {
    const reason = answer._shards.failures?.[0]?.reason;
    return {
      type: reason?.type ?? 'shard-failure',
      reason: reason?.reason ?? `${answer._shards.failed} shards failed`,
    };
  }
  return answer.timed_out ? { type: 'search-timed-out', reason: 'the search reached its own timeout' } : null;
}
