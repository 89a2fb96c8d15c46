/** Records whether the results cluster accepts documents. After a failure, determines when to try again. */
import type { Problem } from '../../common/problem';

const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 15_000;

/**
 * State of an outage of the results cluster. All times are in ms of `performance.now()`, which changes of the system's clock do not affect.
 */
export class Outage {
  /** Error message of the last failure, because of which nothing is sent now. '' while the cluster accepts documents. */
  reason = '';
  /** Time at which the first failed attempt began. Undefined while the cluster accepts documents. */
  since: number | undefined;
  private backoffMs = 0;
  private nextTryAt = 0;

  get mayTry(): boolean {
    return this.reason === '' || performance.now() >= this.nextTryAt;
  }

  /** Allows the next attempt without waiting for the end of the current pause. */
  tryNow(): void {
    this.nextTryAt = 0;
  }

  /**
   * Records that an attempt failed. `since`: time at which the attempt began. Returns whether the error message differs from that of the
   * previous failure, so that it should be reported.
   */
  failed({ message }: Problem, since: number): boolean {
    const isNews = message !== this.reason;
    this.reason = message;
    this.since ??= since;
    this.backoffMs = Math.min(LONGEST_BACKOFF_MS, Math.max(FIRST_BACKOFF_MS, this.backoffMs * 2));
    // The pause has a random part, so that many processes do not try again at the same moment.
    this.nextTryAt = performance.now() + this.backoffMs * (0.5 + Math.random() / 2);
    return isNews;
  }

  /** Records that the cluster accepted documents. Returns whether this ended an outage. */
  ended(): boolean {
    const isNews = this.reason !== '';
    this.reason = '';
    this.since = undefined;
    this.backoffMs = 0;
    return isNews;
  }
}
