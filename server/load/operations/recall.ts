/**
 * Judges the recall of search responses by comparing them with the true neighbours of their queries. It finds the ids in the bytes without
 * parsing the response.
 */
import type { RecallJob } from '../../../common/requests/recall';
import { NeighbourLists } from '../neighbours/lists';
import type { TaskRecorder } from '../samples/recorder';
import type { Ending } from '../transport/exchange';

const UNDERSCORE = 95;
const I = 105;
const D = 100;
const SPACE = 32;
const COLON = 58;
const QUOTE = 34;
const ZERO = 48;

/** Judges the responses to one request in one load thread. */
export class RecallJudge {
  readonly k: number;
  readonly queries: number;
  private readonly share: number;
  private readonly lists: NeighbourLists;
  /**
   * Only a share of the responses is judged. This number grows by that share with each response. When it reaches 1, the next response is
   * judged, and the number decreases by 1.
   */
  private owed = 0;

  constructor({ k, queries, share, neighbours }: RecallJob) {
    this.k = k;
    this.queries = queries;
    this.share = share;
    this.lists = NeighbourLists.unpack(neighbours);
  }

  /** Returns whether the next response is judged. Judged responses are spread evenly over all responses. */
  takesNext(): boolean {
    this.owed += this.share;
    if (this.owed < 1 - 1e-9) return false;
    this.owed -= 1;
    return true;
  }

  /**
   * Returns the share of the true neighbours of `query` that the response contains, in [0, 1]; null if the query has no neighbours.
   * Documents at the same distance as the last neighbour count too, because each of them is as near as that neighbour.
   */
  recall(body: Buffer, query: number): number | null {
    const wanted = Math.min(this.k, this.lists.length(query));
    if (wanted === 0) return null;
    let found = 0;
    let hits = 0;
    // A loop is faster than `indexOf` because only a few hundred bytes are between two ids.
    for (let at = 1; at < body.length && hits < this.k; at += 1) {
      if (body[at] !== UNDERSCORE || body[at + 1] !== I || body[at + 2] !== D) continue;
      if (body[at + 3] !== QUOTE || body[at - 1] !== QUOTE) continue;
      at += 4;
      while (body[at] === SPACE || body[at] === COLON) at += 1;
      if (body[at] !== QUOTE) continue;
      at += 1;
      let number = 0;
      let digit = body[at]! - ZERO;
      const begin = at;
      while (digit >= 0 && digit <= 9) {
        number = number * 10 + digit;
        at += 1;
        digit = body[at]! - ZERO;
      }
      hits += 1;
      if (at > begin && body[at] === QUOTE && this.lists.has(query, number)) found += 1;
    }
    return Math.min(found, wanted) / wanted;
  }
}

/** Judges and records the recall of a request that succeeded. */
export function judgeRecall(
  recorder: TaskRecorder,
  { body, time }: Ending,
  judge: RecallJudge,
  name: string,
  query: number,
  due: number,
): void {
  const share = body === null ? null : judge.recall(body, query);
  if (share !== null) recorder.recalled(time, due, name, judge, share);
}
