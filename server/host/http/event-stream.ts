/** Sends values as server-sent events: one message per value, and comments as keep-alives. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Interval of keep-alive comments in ms. Some proxies close connections that are idle for 30 s. */
const COMMENT_MS = 10_000;
/** Delay in ms after which a browser reconnects to an interrupted stream. */
const RETRY_MS = 2000;

export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export interface EventStream {
  /**
   * Writes to `body` until the values end or `signal` aborts, then ends `body`. If reading a value fails, also ends `body`: the browser
   * then reconnects and receives the error as an ordinary response. Never rejects. `say`: used instead of `body.write`; returns false if
   * the browser reads slowly.
   */
  pourInto(body: Writable, signal: AbortSignal, say?: (text: string) => boolean): Promise<void>;
}

/** Opens a stream of the values. Waits for the first value. If that value rejects, this function rejects too, before anything is sent. */
export async function openEventStream(values: AsyncIterable<unknown>): Promise<EventStream> {
  const iterator = values[Symbol.asyncIterator]();
  const first = await iterator.next();
  return {
    async pourInto(body, signal, say = (text) => body.write(text)) {
      const comments = setInterval(() => say(': nothing new\n\n'), COMMENT_MS);
      try {
        say(`retry: ${RETRY_MS}\n\n`);
        for (let next = first; !next.done && !signal.aborted; next = await iterator.next()) {
          if (!say(`data: ${JSON.stringify(next.value)}\n\n`)) await once(body, 'drain', { signal });
        }
      } catch {
        // The browser receives the error when it reconnects.
      } finally {
        clearInterval(comments);
        await iterator.return?.();
        body.end();
      }
    },
  };
}
