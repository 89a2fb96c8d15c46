/** A target for tests that works with bytes: it keeps all bytes that arrive, and sends the bytes that a test determines. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { MessageChannel } from 'node:worker_threads';
import { startRecording, type RecordOptions, type Recording } from '../recorder';
import { writeTraffic } from '../writing';

export interface RawTarget {
  port: number;
  sockets: Socket[];
  close(): Promise<void>;
}

/** Listens on a free port of the loopback interface. */
export async function rawTarget(serve: (socket: Socket, number: number) => void): Promise<RawTarget> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    socket.on('error', () => undefined);
    serve(socket, sockets.push(socket) - 1);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Returns a function that answers each request with `answer`. It understands only requests without a body or with a content length. */
export const answering =
  (answer: (head: string, body: string) => string) =>
  (socket: Socket): void => {
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (;;) {
        const end = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
        if (end < 0 || text.length < end + 4 + length) return;
        socket.write(answer(text.slice(0, end), text.slice(end + 4, end + 4 + length)), 'latin1');
        text = text.slice(end + 4 + length);
      }
    });
    socket.on('end', () => socket.end());
  };

export const jsonAnswer = (body: string, status = '200 OK'): string =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/**
 * Starts a recorder on a free port that records to `file`. `port`: port of the target. The code that writes the file runs in the thread of
 * the test.
 */
export const recordTo = (
  file: string,
  port: number,
  options: Partial<RecordOptions> = {},
): Promise<Recording> =>
  startRecording({
    target: { host: '127.0.0.1', port },
    listen: { host: '127.0.0.1', port: 0 },
    basePath: '',
    file,
    share: 1,
    rotateBytes: Infinity,
    mostBytes: Infinity,
    startWriting: (settings) => {
      const { port1, port2 } = new MessageChannel();
      void writeTraffic(port2, settings);
      return port1;
    },
    onProblem: () => undefined,
    ...options,
  });

/** Sends a text. Resolves to all bytes that come back until the connection is closed. */
export async function converse(
  port: number,
  text: string,
  isDone: (answer: string) => boolean,
): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let answer = '';
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
      if (isDone(answer)) socket.end();
    });
    socket.on('close', () => resolve());
    socket.on('error', () => undefined);
    socket.on('end', () => socket.end());
    socket.write(text, 'latin1');
  });
  return answer;
}
