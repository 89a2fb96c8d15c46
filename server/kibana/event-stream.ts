/** Server-sent events as the body of Kibana's answer: a stream that leaves no message in a compressor. */
import { PassThrough } from 'node:stream';
import { openEventStream } from '../host/http/event-stream';

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

/** Rejects, before anything is sent, when the first value does. */
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
