/** Whether the results cluster takes documents, and when to try again after it refused them. */
import type { Problem } from '../../common/problem';

const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 15_000;

/** All times are by `performance.now()`, which no change of the clock moves. */
export class Outage {
  /** Why nothing is sent at the moment; '' while the cluster takes documents. */
  reason = '';
  /** Start of the first try that failed; undefined while the cluster takes documents. */
  since: number | undefined;
  private backoffMs = 0;
  private nextTryAt = 0;

  get mayTry(): boolean {
    return this.reason === '' || performance.now() >= this.nextTryAt;
  }

  /** The next try may begin at once. */
  tryNow(): void {
    this.nextTryAt = 0;
  }

  /** Notes that a try failed which began at `since`. Returns whether this is news. */
  failed({ message }: Problem, since: number): boolean {
    const isNews = message !== this.reason;
    this.reason = message;
    this.since ??= since;
    this.backoffMs = Math.min(LONGEST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, this.backoffMs * 2));
    // At random, so that many processes do not return at the same moment.
    this.nextTryAt = performance.now() + this.backoffMs * (0.5 + Math.random() / 2);
    return isNews;
  }

  /** Notes that the cluster took documents. Returns whether this ends an outage. */
  ended(): boolean {
    const isNews = this.reason !== '';
    this.reason = '';
    this.since = undefined;
    this.backoffMs = 0;
    return isNews;
  }
}
