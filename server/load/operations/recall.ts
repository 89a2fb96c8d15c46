/** Judges answers of the search API by the true neighbours of their queries: by the ids in their bytes, nothing is parsed. */
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

/** Of one request in one load thread. */
export class RecallJudge {
  readonly k: number;
  readonly queries: number;
  private readonly share: number;
  private readonly lists: NeighbourLists;
  /** Of answers that are due to be judged; one is from 1 on. */
  private owed = 0;

  constructor({ k, queries, share, neighbours }: RecallJob) {
    this.k = k;
    this.queries = queries;
    this.share = share;
    this.lists = NeighbourLists.unpack(neighbours);
  }

  /** Whether the next answer is judged: as many as the share says, evenly spread. */
  takesNext(): boolean {
    this.owed += this.share;
    if (this.owed < 1 - 1e-9) return false;
    this.owed -= 1;
    return true;
  }

  /**
   * Which share of the true neighbours of `query` the answer holds, in [0, 1]; null where it has none. Documents that are as
   * near as the last of them count as neighbours, too: which of those are answered is nobody's fault.
   */
  recall(body: Buffer, query: number): number | null {
    const wanted = Math.min(this.k, this.lists.length(query));
    if (wanted === 0) return null;
    let found = 0;
    let hits = 0;
    // By hand: of a few hundred bytes between two ids, asking for the next place costs more than looking.
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

/** Of a request that succeeded. */
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
