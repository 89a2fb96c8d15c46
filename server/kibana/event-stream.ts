/** Sends server-sent events as the body of Kibana's response. The stream flushes the compressor after each message. */
import { PassThrough } from 'node:stream';
import { openEventStream } from '../host/http/event-stream';

/** The stream through which hapi pipes a response that is compressed. */
interface Compressor {
  flush(): void;
}

class EventBody extends PassThrough {
  private compressor: Compressor | undefined;

  /** Called by hapi before it pipes this stream. */
  setCompressor(compressor: Compressor): void {
    this.compressor = compressor;
  }

  /** Writes a text. Returns false if the reader is slow. */
  say(text: string): boolean {
    const more = this.write(text);
    // The flush is delayed until the text has reached the compressor.
    setImmediate(() => this.compressor?.flush());
    return more;
  }
}

/** Opens a stream. If the first value rejects, this function rejects too, before anything is sent. */
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
