/** Runs one load thread's work in the test's own process, against small servers on the loopback interface that behave in defined ways. */
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';
import { loadStart } from '../timing/clock';
import type { ShareJob, TaskJob, TaskOutcome } from '../contract';
import type { FromShare, TaskSecond } from '../messages';
import { ShareRun } from '../threads/share';
import type { RefusedConnections } from '../transport/nodes';
import { searchJob } from '../../../common/tasks/search';

/** Returns the answer to a bulk request with this many documents, all of which were stored. */
export const accepted = (documents: number): string =>
  JSON.stringify({
    errors: false,
    took: 1,
    items: Array.from({ length: documents }, () => ({
      index: { _index: 'trial-1', _id: 'a', _version: 1, result: 'created', status: 201 },
    })),
  });
export const FOUND =
  '{"took":1,"timed_out":false,"_shards":{"total":1,"successful":1,"skipped":0,"failed":0},"hits":{}}';

export const answerText = (body: string, status = 200): string =>
  `HTTP/1.1 ${status} X\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

/** Called once for each complete request. `number`: position of the request on the server. */
export type Reply = (socket: Socket, number: number, body: string) => void;

export interface Loopback {
  url: string;
  requests: number;
  close(): Promise<void>;
}

/** Starts a server. It expects one request at a time on a connection, as the load sends them. */
export async function loopback(reply: Reply): Promise<Loopback> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    let received = '';
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const head = received.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0);
      if (head < 0 || received.length < head + 4 + length) return;
      const body = received.slice(head + 4);
      received = '';
      reply(socket, target.requests++, body);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const target: Loopback = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: 0,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return target;
}

export const ingest = (executor: TaskJob['executor'], docs = 10): TaskJob => ({
  name: 'ingest',
  operation: {
    kind: 'ingest',
    source: { kind: 'generator', generator: 'systembase' },
    parse: null,
    bulk: { docs },
    retries: { attempts: 2, baseMs: 1, maxMs: 5 },
  },
  executor,
});

export const search = (executor: TaskJob['executor']): TaskJob => ({
  name: 'search',
  operation: searchJob({ name: 'all', body: { size: 0 } }),
  executor,
});

export interface ShareResult {
  /** Outcome of the first task. */
  outcome: TaskOutcome;
  seconds: TaskSecond[];
  refusedConnections: RefusedConnections[];
  /** Longest time in ms for which all connections were lost or refused. The maximum over the reports of all seconds. */
  silentMs: number;
}

export interface ShareOptions extends Partial<ShareJob> {
  requestTimeoutMs?: number;
  /** Checked repeatedly. Once it returns true, no further requests are sent. */
  until?: () => boolean;
}

/** Runs the tasks until `until` returns true, or for `measureMs`. Resolves to the results. */
export function runShare(
  nodes: string[],
  tasks: TaskJob[],
  { requestTimeoutMs = 20_000, until, ...more }: ShareOptions = {},
): Promise<ShareResult> {
  const seconds: TaskSecond[] = [];
  let silentMs = 0;
  return new Promise((resolve, reject) => {
    const send = (message: FromShare): void => {
      if (message.kind === 'seconds') {
        seconds.push(...message.seconds);
        silentMs = Math.max(silentMs, message.reach.silentMs);
      } else if (message.kind === 'failed') reject(new Error(message.problems[0]?.message));
      else if (message.kind === 'outcome') {
        const { tasks: outcomes, refusedConnections } = message.outcome;
        resolve({ outcome: outcomes[0]!, seconds, refusedConnections, silentMs });
      }
    };
    const job: ShareJob = {
      indices: ['trial-1'],
      route: 'in-turn',
      target: { nodes, headers: {}, verifyCertificates: true, requestTimeoutMs },
      tasks,
      seed: 7,
      warmupMs: 0,
      measureMs: 20_000,
      documents: null,
      drainMs: 1000,
      share: { index: 0, of: 1 },
      ...more,
    };
    const run = new ShareRun(job, send, {});
    run.begin(loadStart(Date.now() + 5));
    if (until === undefined) return;
    const watch = setInterval(() => {
      if (!until()) return;
      clearInterval(watch);
      run.finish();
    }, 2).unref();
  });
}
