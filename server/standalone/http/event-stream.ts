/** Sends server-sent events. */
import type { FastifyReply } from 'fastify';
import { EVENT_HEADERS, openEventStream } from '../../host/http/event-stream';

/**
 * Sends the values as server-sent events. Resolves when the stream has ended. If the first value rejects, this function rejects too, before
 * anything is sent.
 */
export async function sendEvents(
  reply: FastifyReply,
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<void> {
  const events = await openEventStream(values);
  const headers = reply.getHeaders();
  reply.hijack();
  reply.raw.writeHead(200, { ...(headers as Record<string, string>), ...EVENT_HEADERS });
  await events.pourInto(reply.raw, signal);
}
