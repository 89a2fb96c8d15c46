/**
 * Control requests wait for a target that is away for a while: a refused connection, or a 429 at the wrong moment, must not
 * cost a run. What is measured never comes through here.
 *
 * Repeated is what cannot have been carried out (a connection refused, a 429), and after an unknown outcome (a connection cut,
 * a timeout, a 503 or an answer that is garbled) only what does no more twice than once.
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
/** So often a garbled answer is asked for again: what stands there may not be Elasticsearch at all. */
const MOST_GARBLED = 3;

export interface Patience {
  /** How long the target may be away before a request that it does not take fails, ms. */
  withinMs: number;
  /** Once aborted, nothing is waited for any more. */
  signal: AbortSignal;
  /** Told once the target takes requests again. */
  onBack: (outage: Outage) => void;
}

export interface Outage {
  /** ms since the epoch; `since`: of the first request that failed. */
  since: number;
  until: number;
  /** What the first of them met. */
  why: string;
}

/** What stands in the way of a request, and might not in a moment. */
interface Obstacle {
  why: string;
  mayBeDone: boolean;
  isGarbled: boolean;
  /** As the answer asks for, ms. */
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

  /** As the connection does, or as its last try did once the patience has run out. */
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
      // Another request may have found out before this one that nobody is there.
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

  /** False where nobody waits any more. */
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
    // Elasticsearch refuses with 429 before it begins; a 503 may come when it has waited for its master in vain.
    const why = `it answered ${status}: ${reasonOf(body) || 'no reason given'}`;
    return { why, mayBeDone: status !== 429, isGarbled: false, afterMs };
  }
  if (!isSuccess(status) || typeof body !== 'string') return null;
  return { why: 'its answer was no JSON', mayBeDone: true, isGarbled: true, afterMs };
}
