/** Server-sent events as the body of Kibana's answer: a stream that leaves no message in a compressor. */
import { once } from 'node:events';
import { PassThrough } from 'node:stream';

/** Proxies close what is silent for 30 s or more. */
const COMMENT_MS = 10_000;
/** After which a browser whose stream was cut tries again. */
const RETRY_MS = 2000;

export const EVENT_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** What hapi pipes a compressed answer through. */
interface Compressor {
  flush(): void;
}

class EventBody extends PassThrough {
  private compressor: Compressor | undefined;

  /** Called by hapi before it pipes. */
  setCompressor(compressor: Compressor): void {
    this.compressor = compressor;
  }

  /** False when the reader is behind. */
  say(text: string): boolean {
    const more = this.write(text);
    // Once what was written has come to the compressor.
    setImmediate(() => this.compressor?.flush());
    return more;
  }
}

/**
 * Rejects, before anything is sent, when the first value does; a later failure ends the stream, and the browser comes
 * again and gets it as an ordinary answer.
 */
export async function eventStream(
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<NodeJS.ReadableStream> {
  const iterator = values[Symbol.asyncIterator]();
  const first = await iterator.next();
  const body = new EventBody();
  body.on('error', () => undefined);
  void pour(body, iterator, first, signal);
  return body;
}

async function pour(
  body: EventBody,
  iterator: AsyncIterator<unknown>,
  first: IteratorResult<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const comments = setInterval(() => body.say(': nothing new\n\n'), COMMENT_MS);
  try {
    body.say(`retry: ${RETRY_MS}\n\n`);
    for (let next = first; !next.done && !signal.aborted; next = await iterator.next()) {
      if (!body.say(`data: ${JSON.stringify(next.value)}\n\n`)) await once(body, 'drain', { signal });
    }
  } catch {
    // Told when the browser asks again.
  } finally {
    clearInterval(comments);
    await iterator.return?.();
    body.end();
  }
}
