/** Answers with server-sent events: one message for each value, a comment while there is nothing to say. */
import { once } from 'node:events';
import type { FastifyReply } from 'fastify';

/** Proxies close what is silent for 30 s or more. */
const COMMENT_MS = 10_000;
/** After which a browser whose stream was cut tries again. */
const RETRY_MS = 2000;

/**
 * Rejects, before anything is sent, when the first value does; a later failure ends the stream, and the browser comes
 * again and gets it as an ordinary answer. Resolves when the stream is over.
 */
export async function sendEvents(
  reply: FastifyReply,
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const iterator = values[Symbol.asyncIterator]();
  let next = await iterator.next();
  const headers = reply.getHeaders();
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, {
    ...(headers as Record<string, string>),
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
  raw.write(`retry: ${RETRY_MS}\n\n`);
  const comments = setInterval(() => raw.write(': nothing new\n\n'), COMMENT_MS);
  try {
    while (!next.done && !signal.aborted) {
      if (!raw.write(`data: ${JSON.stringify(next.value)}\n\n`) && !signal.aborted) {
        await once(raw, 'drain', { signal });
      }
      next = await iterator.next();
    }
  } catch {
    // Told when the browser asks again.
  } finally {
    clearInterval(comments);
    await iterator.return?.();
    raw.end();
  }
}
