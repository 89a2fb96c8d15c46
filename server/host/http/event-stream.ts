/** Server-sent events: one message for each value, a comment while there is nothing to say. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';

/** Proxies close what is silent for 30 s or more. */
const COMMENT_MS = 10_000;
/** After which a browser whose stream was cut tries again. */
const RETRY_MS = 2000;

export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

export interface EventStream {
  /**
   * Writes to `body` until the values end or `signal` aborts, and ends it. A failure ends it too: the browser comes again and
   * gets it as an ordinary answer. Never rejects. `say`: writes a text, and returns false when the reader is behind.
   */
  pourInto(body: Writable, signal: AbortSignal, say?: (text: string) => boolean): Promise<void>;
}

/** Rejects, before anything is sent, when the first value does. */
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
        // Told when the browser asks again.
      } finally {
        clearInterval(comments);
        await iterator.return?.();
        body.end();
      }
    },
  };
}
