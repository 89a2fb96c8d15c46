/**
 * The floor of the instrument: how long a message over the loopback interface takes to be noticed by a load thread, whatever
 * the reason: the system that wakes the thread, others that have its core, its own work. It is sent at random moments, for
 * what comes at fixed ones may always meet the same (PASTA: Wolff 1982), from a thread that has no part in the load.
 */
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import {
  createHistogram,
  encodeHistogram,
  recordMs,
  type EncodedHistogram,
} from '../../../common/measurement/histogram';
import { tick } from '../timing/clock';

/** Mean time from one to the next, ms. A delay of one request in a hundred must be in the sample of a measured phase of some seconds. */
const EVERY_MS = 5;
/** Each is the time at which it was sent, ms of {@link tick}, as a double. */
const BYTES = 8;

/** In a load thread: notes how long they took. */
export class PulseListener {
  private readonly server: Server;
  private readonly delays = createHistogram();

  /** `counts`: whether what is noticed now belongs to the measured phase. `onReady` gets the port; never called where there is no loopback interface. */
  constructor(
    private readonly counts: () => boolean,
    onReady: (port: number) => void,
  ) {
    this.server = createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined);
      socket.unref();
      // Answers are timed here too, before a listener is called: see `wire.ts`.
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

  /** Null where none was noticed. */
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

/** In the thread that holds the load: sends to one load thread. */
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
        // One that has not left yet would be sent with another's time.
        if (this.socket.writableLength > 0) return;
        this.message.writeDoubleLE(tick());
        this.socket.write(this.message);
      },
      -EVERY_MS * Math.log(1 - Math.random()),
    );
    this.timer.unref();
  }
}
