/**
 * Measures how late a load thread notices a response. It measures the delay of messages over the loopback interface, which are noticed in
 * the same way as responses. The result includes all causes: the system wakes the thread late, another process has its core, or the thread
 * is busy.
 *
 * Another thread, which generates no load, sends the messages at random moments. Messages at regular intervals could always coincide with
 * the same periodic event (PASTA: Wolff 1982).
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createHistogram,
  encodeHistogram,
  recordMs,
  type EncodedHistogram,
} from '../../../common/measurement/histogram';
import { tick } from '../timing/clock';

/** Mean time between two messages, in ms. It is short enough for a reliable p99 of the delay after a few seconds. */
const EVERY_MS = 5;
/** Size of a message in bytes. A message contains the time at which it was sent, in ms of {@link tick}, as a double. */
const BYTES = 8;

/** Receives the messages in a load thread and records their delays. */
export class PulseListener {
  private readonly server: Server;
  private readonly delays = createHistogram();

  /**
   * `counts`: returns whether the current moment is in the measured phase. `onReady`: called with the port on which this thread listens, or
   * never if the machine has no loopback interface.
   */
  constructor(
    private readonly counts: () => boolean,
    onReady: (port: number) => void,
  ) {
    this.server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined);
      socket.unref();
      // As in `wire.ts`, messages get their timestamps before a listener is called.
      const push = socket.push.bind(socket);
      socket.push = (chunk: Buffer | null, encoding?: BufferEncoding): boolean => {
        if (chunk !== null) this.notice(chunk);
        return push(chunk, encoding);
      };
      socket.resume();
    });
    this.server.on('error', () => undefined);
    this.server.listen(0, '127.0.0.1', () => {
      onReady((this.server.address() as AddressInfo).port);
    });
    this.server.unref();
  }

  /** Returns the histogram of the delays; null if no message arrived. */
  outcome(): EncodedHistogram | null {
    return this.delays.totalCount === 0 ? null : encodeHistogram(this.delays);
  }

  close(): void {
    this.server.close();
  }

  private notice(chunk: Buffer): void {
    const now = tick();
    if (!this.counts()) return;
    for (let at = 0; at + BYTES <= chunk.length; at += BYTES)
      recordMs(this.delays, Math.max(0, now - chunk.readDoubleLE(at)));
  }
}

/** Sends messages to one load thread. Runs in the main thread of the process, which sends no load. */
export class PulseSender {
  private readonly socket: Socket;
  private readonly message = Buffer.alloc(BYTES);
  private timer: NodeJS.Timeout | null = null;

  constructor(port: number) {
    this.socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.socket.unref();
    this.socket.on('error', () => {
      this.close();
    });
    this.socket.on('connect', () => {
      this.later();
    });
  }

  close(): void {
    if (this.timer !== null) clearTimeout(this.timer);
    this.timer = null;
    this.socket.destroy();
  }

  private later(): void {
    this.timer = setTimeout(
      () => {
        this.later();
        // Skips a message while the previous one is unsent, because both share one buffer.
        if (this.socket.writableLength > 0) return;
        this.message.writeDoubleLE(tick());
        this.socket.write(this.message);
      },
      -EVERY_MS * Math.log(1 - Math.random()),
    );
    this.timer.unref();
  }
}
