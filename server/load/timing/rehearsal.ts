/**
 * A load at a low rate gives V8 so little to do that it compiles the code of a load thread all through the load, 0.8 CPU seconds
 * within the first half minute; on a machine of few cores its compiler threads then stand in the way of the load thread and of a target
 * beside it, for up to 4 ms. So a thread that is to keep a rate first sends some thousand requests to itself, and says that it
 * is ready once its code is compiled. At 200 requests a second it added 1.3 to 1.6 ms to a p99 of 5 ms without any, 0.7 to 1.3 with one load,
 * whose code was thrown away at the first requests of the real load and compiled again through it, and 0.24 to 0.43 with three (ten rounds
 * of `npm run bench -- truth`; k6 0.38 to 0.50).
 */
import { stringifyPlain } from '../../../common/json/exact';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { executorNamed } from '../../../common/executors/registry';
import { searchJob } from '../../../common/tasks/search';
import { loadStart } from './clock';
import type { ShareJob } from '../contract';
import { ShareRun } from '../threads/share';

/**
 * One load after the other. V8 compiles for what it has seen, and throws the code away where it meets anything else: the first load is
 * slow and longer than a second, so that it waits for timers and ends a second; the third has other objects than the second.
 */
const LOADS = [
  { perSecond: 250, ms: 1100 },
  { perSecond: 4000, ms: 600 },
  { perSecond: 4000, ms: 600 },
];
const MOST_CLIENTS = 8;
/** So that its end is known to the compiler as well, ms. */
const WARMUP_MS = 100;
/** An answer of this thread itself that takes longer is not waited for, ms. */
const TIMEOUT_MS = 1000;
/** What is still on its way then, ms. */
const DRAIN_MS = 500;
/** Shorter measured phases have too few values behind their tails to be worth the wait, ms. */
const SHORTEST_MS = 5000;

const HOST = '127.0.0.1';
const BODY = { size: 0 };
const REQUEST_END = Buffer.from(stringifyPlain(BODY));
const ANSWER_BODY = stringifyPlain({
  took: 1,
  timed_out: false,
  _shards: { total: 1, failed: 0 },
  hits: { hits: [] },
});
const ANSWER = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${ANSWER_BODY.length}\r\n\r\n${ANSWER_BODY}`,
);

/** Answers each of the rehearsal's requests, which end with their body. */
const answering = (): Server =>
  createServer({ noDelay: true }, (socket) => {
    socket.on('data', (chunk) => {
      if (chunk.subarray(-REQUEST_END.length).equals(REQUEST_END)) socket.write(ANSWER);
    });
    socket.on('error', () => socket.destroy());
  });

const jobTo = (port: number, { perSecond, ms }: (typeof LOADS)[number]): ShareJob => ({
  indices: ['rehearsal'],
  route: 'in-turn',
  target: {
    nodes: [`http://${HOST}:${port}`],
    headers: {},
    verifyCertificates: true,
    requestTimeoutMs: TIMEOUT_MS,
  },
  tasks: [
    {
      name: 'rehearsal',
      operation: searchJob({ name: '', body: BODY }),
      executor: { kind: 'constant-rate', perSecond, maxClients: MOST_CLIENTS },
    },
  ],
  seed: 1,
  warmupMs: WARMUP_MS,
  measureMs: ms,
  documents: null,
  drainMs: DRAIN_MS,
  share: { index: 0, of: 1 },
});

/** Closed executors send so much that their warm-up compiles everything. */
const needsRehearsal = ({ tasks, measureMs }: ShareJob): boolean =>
  (measureMs ?? Infinity) >= SHORTEST_MS &&
  tasks.some(({ executor }) => executorNamed(executor.kind).loop !== 'closed');

/**
 * Prepares this thread for `job`. Resolves to how many requests it answered to itself: 0 where none are needed, or where the
 * machine lets it have no port, for no figure depends on it. Never rejects.
 */
export async function rehearse(job: ShareJob): Promise<number> {
  if (!needsRehearsal(job)) return 0;
  const server = answering();
  try {
    const port = await portOf(server);
    if (port === null) return 0;
    let answered = 0;
    // To the compiler, strings that came from another thread, as those of every job did, are of another kind: hence the clone.
    for (const load of LOADS) answered += await answeredBy(structuredClone(jobTo(port, load)));
    return answered;
  } finally {
    server.close();
  }
}

/** Null where the machine has none. */
const portOf = (server: Server): Promise<number | null> =>
  new Promise((resolve) => {
    server.once('error', () => {
      resolve(null);
    });
    server.listen(0, HOST, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

/** How many requests of one load the server there answered; 0 where it failed. */
const answeredBy = (job: ShareJob): Promise<number> =>
  new Promise((resolve) => {
    const run = new ShareRun(
      job,
      (message) => {
        // It may be told before the constructor has returned.
        if (message.kind === 'ready') setImmediate(() => run.begin(loadStart(Date.now())));
        else if (message.kind === 'outcome') resolve(message.outcome.tasks[0]!.total.accepted);
        else if (message.kind === 'failed') resolve(0);
      },
      {},
    );
  });
