/**
 * Lets control requests wait for a target that is temporarily unavailable. A refused connection or a single 429 therefore does not end a
 * run. The measured load does not use this code.
 *
 * A request that was certainly not executed (after a refused connection or a 429) is repeated. If Dyno does not know whether the cluster
 * executed the request, the request is repeated only if it is idempotent. This applies after a lost connection, a timeout, a 503, or a
 * response that is not JSON.
 */
import { isSuccess, isUnavailable, reasonOf } from '../../common/elasticsearch/answer';
import { jitteredPause } from '../../common/elasticsearch/backoff';
import {
  isRepeatable,
  type ElasticsearchClient,
  type ElasticsearchRequest,
  type ElasticsearchResponse,
} from '../../common/elasticsearch/client';
import { messageOf } from '../../common/problem';
import type { Connection, TargetConnection } from './connection';
import { NoAnswer } from './failure';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;
/**
 * Maximum number of times that a request is repeated after responses that are not JSON. The number is small, because the server may not be
 * Elasticsearch.
 */
const MOST_GARBLED = 3;

export interface Patience {
  /** Maximum time in ms during which requests are repeated while the target is unavailable. After this time, the requests fail. */
  withinMs: number;
  /** Once this signal is aborted, failed requests are no longer repeated. */
  signal: AbortSignal;
  /** Called once the target accepts requests again. */
  onBack: (outage: Outage) => void;
}

export interface Outage {
  /** Time of the first request that failed, in ms since the epoch. */
  since: number;
  until: number;
  /** Error of the first request that failed, as text. */
  why: string;
}

/** A temporary failure of a request. The same request may succeed later. */
interface Obstacle {
  why: string;
  mayBeDone: boolean;
  isGarbled: boolean;
  /** Minimum delay in ms before the next attempt, from the response's `Retry-After` header; 0 without such a header. */
  afterMs: number;
}

export class PatientConnection implements TargetConnection {
  private outage: Omit<Outage, 'until'> | null = null;

  constructor(
    private readonly inner: TargetConnection,
    private readonly patience: Patience,
  ) {}

  get urls(): readonly string[] {
    return this.inner.urls;
  }

  get headers(): Readonly<Record<string, string>> {
    return this.inner.headers;
  }

  get ca(): string | undefined {
    return this.inner.ca;
  }

  get verifyCertificates(): boolean {
    return this.inner.verifyCertificates;
  }

  get atOnce(): ElasticsearchClient {
    return this.inner.atOnce;
  }

  to(urls: readonly string[], timeoutMs?: number): Connection {
    return this.inner.to(urls, timeoutMs);
  }

  /**
   * Sends a request, and repeats it while the target is unavailable, for at most `withinMs`. Settles with the result of the last attempt.
   */
  async request<T = unknown>(request: ElasticsearchRequest): Promise<ElasticsearchResponse<T>> {
    let since: number | null = null;
    for (let tries = 0; ; tries++) {
      const { answer, obstacle } = await this.tryOnce<T>(request);
      if (obstacle === null) {
        this.isBack();
        return answer();
      }
      const now = Date.now();
      since ??= now;
      this.outage ??= { since: now, why: obstacle.why };
      // Another request may have found the target unavailable before this request did.
      const left = Math.min(since, this.outage.since) + this.patience.withinMs - now;
      const pause = Math.max(
        obstacle.afterMs,
        jitteredPause(tries, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, { unit: Math.random }),
      );
      const isLost =
        (obstacle.mayBeDone && !isRepeatable(request)) || (obstacle.isGarbled && tries >= MOST_GARBLED);
      if (isLost || pause > left || !(await this.wait(pause, request.signal))) return answer();
    }
  }

  private async tryOnce<T>(
    request: ElasticsearchRequest,
  ): Promise<{ answer: () => ElasticsearchResponse<T>; obstacle: Obstacle | null }> {
    try {
      const response = await this.inner.request<T>(request);
      return { answer: () => response, obstacle: obstacleIn(response) };
    } catch (error) {
      if (!(error instanceof NoAnswer) || !error.isPassing) throw error;
      return {
        answer: () => {
          throw error;
        },
        obstacle: { why: messageOf(error), mayBeDone: error.mayBeDone, isGarbled: false, afterMs: 0 },
      };
    }
  }

  private isBack(): void {
    if (this.outage === null) return;
    const { outage } = this;
    this.outage = null;
    this.patience.onBack({ ...outage, until: Date.now() });
  }

  /**
   * Waits for `ms`. Resolves to true after the time, or to false as soon as `own` (the request's signal) or {@link Patience.signal} is
   * aborted.
   */
  private wait(ms: number, own?: AbortSignal): Promise<boolean> {
    const signals = [this.patience.signal, ...(own ? [own] : [])];
    if (signals.some(({ aborted }) => aborted)) return Promise.resolve(false);
    return new Promise((resolve) => {
      const end = (waited: boolean): void => {
        clearTimeout(timer);
        for (const signal of signals) signal.removeEventListener('abort', giveUp);
        resolve(waited);
      };
      const giveUp = (): void => end(false);
      const timer = setTimeout(end, ms, true);
      for (const signal of signals) signal.addEventListener('abort', giveUp, { once: true });
    });
  }
}

function obstacleIn({
  status,
  body,
  retryAfterMs: afterMs = 0,
}: ElasticsearchResponse<unknown>): Obstacle | null {
  if (isUnavailable(status)) {
    // Elasticsearch sends a 429 before it executes a request. It may send a 503 later, after it has waited for a master without success, so
    // a request with a 503 may have been executed.
    const why = `it answered ${status}: ${reasonOf(body) || 'no reason given'}`;
    return { why, mayBeDone: status !== 429, isGarbled: false, afterMs };
  }
  if (!isSuccess(status) || typeof body !== 'string') return null;
  return { why: 'its answer was not JSON', mayBeDone: true, isGarbled: true, afterMs };
}
