/**
 * Sends server-sent events as the body of Kibana's response. If the response is compressed, each message is flushed, so that it arrives at
 * once.
 */
import { PassThrough } from 'node:stream';
import { openEventStream } from '../host/http/event-stream';

/** The stream with which hapi (Kibana's HTTP server) compresses a response. */
interface Compressor {
  flush(): void;
}

class EventBody extends PassThrough {
  private compressor: Compressor | undefined;

  /** Called by hapi (Kibana's HTTP server) before it pipes this stream into the compressor. */
  setCompressor(compressor: Compressor): void {
    this.compressor = compressor;
  }

  /** Writes a text. Returns false if the browser reads slowly and the buffer is full. */
  say(text: string): boolean {
    const more = this.write(text);
    // The flush is delayed until the text has reached the compressor.
    setImmediate(() => this.compressor?.flush());
    return more;
  }
}

/** Opens a stream of the values. Waits for the first value. If that value rejects, this function rejects too, before anything is sent. */
export async function eventStream(
  values: AsyncIterable<unknown>,
  signal: AbortSignal,
): Promise<NodeJS.ReadableStream> {
  const events = await openEventStream(values);
  const body = new EventBody();
  body.on('error', () => undefined);
  void events.pourInto(body, signal, (text) => body.say(text));
  return body;
}
