/**
 * Lets V8 compile the code of a load thread before the load begins. Otherwise, at a low rate, V8 would compile during the whole load, and
 * delay the load thread on a machine with few cores.
 *
 * A thread that must keep a rate first sends a few thousand requests to itself. Then it reports that it is ready.
 *
 * Without a rehearsal, the load generator added 1.3 to 1.6 ms to a p99 of 5 ms at 200 requests per second. With a rehearsal of three loads,
 * it adds 0.24 to 0.43 ms (ten rounds of `npm run bench -- truth`).
 */
import { stringifyPlain } from '../../../common/json/exact';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { executorNamed } from '../../../common/executors/registry';
import { searchJob } from '../../../common/tasks/search';
import { loadStart } from './clock';
import type { ShareJob } from '../contract';
import { ShareRun } from '../threads/share';

/**
 * The loads of the rehearsal, one after the other. V8 compiles code for the types of objects that it has seen, and discards the code when
 * it meets other types. The first load is slow and takes more than a second, so that timers fire and reports are sent. The third load makes
 * V8 compile again, because its objects have other types than those of the second one.
 */
const LOADS = [
  { perSecond: 250, ms: 1100 },
  { perSecond: 4000, ms: 600 },
  { perSecond: 4000, ms: 600 },
];
const MOST_CLIENTS = 8;
/** Length of the rehearsal's warm-up, in ms. Without a warm-up, V8 would not compile the code that ends a warm-up. */
const WARMUP_MS = 100;
/** Timeout of a request of the rehearsal, in ms. The load thread answers these requests itself. */
const TIMEOUT_MS = 1000;
/** Maximum length of the drain of a rehearsal, in ms. */
const DRAIN_MS = 500;
/** Minimum length of the measured phase, in ms, for a rehearsal. A shorter phase has too few values for tail percentiles. */
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

/** Creates a server that answers the requests of the rehearsal. The server recognises the end of a request by its body. */
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

/**
 * Returns whether the job needs a rehearsal: it has a task with a fixed or recorded rate, and its measured phase is long enough. Tasks with
 * a fixed number of clients send enough requests in their own warm-up.
 */
const needsRehearsal = ({ tasks, measureMs }: ShareJob): boolean =>
  (measureMs ?? Infinity) >= SHORTEST_MS &&
  tasks.some(({ executor }) => executorNamed(executor.kind).loop !== 'closed');

/**
 * Rehearses `job` in this thread. Resolves to the number of requests that the thread sent to itself: 0 if the job needs no rehearsal, or if
 * no port was free. Never rejects, because no result depends on the rehearsal.
 */
export async function rehearse(job: ShareJob): Promise<number> {
  if (!needsRehearsal(job)) return 0;
  const server = answering();
  try {
    const port = await portOf(server);
    if (port === null) return 0;
    let answered = 0;
    // V8 represents strings that come from another thread differently. In a real load, the job comes from another thread, and
    // `structuredClone` imitates that.
    for (const load of LOADS) answered += await answeredBy(structuredClone(jobTo(port, load)));
    return answered;
  } finally {
    server.close();
  }
}

/** Resolves to the port on which the server listens on the loopback interface; null if no port is free. */
const portOf = (server: Server): Promise<number | null> =>
  new Promise((resolve) => {
    server.once('error', () => {
      resolve(null);
    });
    server.listen(0, HOST, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });

/** Runs one load. Resolves to the number of requests that the server answered; 0 if the load failed. */
const answeredBy = (job: ShareJob): Promise<number> =>
  new Promise((resolve) => {
    const run = new ShareRun(
      job,
      (message) => {
        // `ShareRun` may send this message before its constructor has returned.
        if (message.kind === 'ready') setImmediate(() => run.begin(loadStart(Date.now())));
        else if (message.kind === 'outcome') resolve(message.outcome.tasks[0]!.total.accepted);
        else if (message.kind === 'failed') resolve(0);
      },
      {},
    );
  });
