import { endedOf } from '../../../common/measurement/counts';
import {
  accepted,
  answerText,
  FOUND,
  ingest,
  loopback,
  runShare,
  search,
  type Reply,
} from '../testing/loopback';

const oneClient = { kind: 'constant-clients', clients: 1, thinkTimeMs: 20 } as const;
const well = answerText(accepted(10));

/**
 * Runs a load against a server that answers the third request with `reply`, and all others successfully. Returns the outcome of the task.
 */
async function thirdIs(reply: Reply, more: Parameters<typeof runShare>[2] = {}, task = ingest(oneClient)) {
  const fine = answerText(task.name === 'search' ? FOUND : accepted(10));
  const target = await loopback((socket, number, body) => {
    if (number === 2) reply(socket, number, body);
    else socket.write(fine);
  });
  try {
    const until = (): boolean => target.requests >= (more.drainMs === 50 ? 3 : 5);
    const { outcome } = await runShare([target.url], [task], { until, ...more });
    return outcome;
  } finally {
    await target.close();
  }
}

describe('documents whose answer never came are unknown', () => {
  test.each<[string, string, Reply]>([
    ['a connection that is lost after the request', 'connection-lost', (socket) => socket.destroy()],
    ['an answer that is cut off', 'connection-lost', (socket) => socket.end(well.slice(0, -10))],
    ['an answer that never comes', 'timeout', () => undefined],
    ['a gateway that got no answer', 'http-504', (socket) => socket.write(answerText('timeout', 504))],
    ['an answer that nobody can read', 'bad-answer', (socket) => socket.write(answerText('<html>'))],
  ])('%s: %s', async (_, kind, reply) => {
    const { total, failures } = await thirdIs(reply, { requestTimeoutMs: 150 });
    expect(total).toMatchObject({ unknown: 10, failed: 0, rejected: 0, failedRequests: 1 });
    expect(total.attempted).toBe(endedOf(total));
    expect(total.attempted).toBe(total.accepted + 10);
    expect(failures).toEqual({ [kind]: { count: 10, example: expect.any(String) as string } });
  });

  test('what is cut while it is on its way is unknown too', async () => {
    const { total, failures } = await thirdIs(() => undefined, { drainMs: 50 });
    expect(total).toMatchObject({ unknown: 10, failed: 0 });
    expect(failures['drain-timeout']).toMatchObject({ count: 10 });
  });

  test('a search too', async () => {
    const { total } = await thirdIs((socket) => socket.destroy(), {}, search(oneClient));
    expect(total).toMatchObject({ unknown: 1, failed: 0 });
  });
});

test('what was refused with an answer failed, and what never had a connection too', async () => {
  const refused = await thirdIs((socket) => socket.write(answerText('{"error":{"type":"x"}}', 400)));
  expect(refused.total).toMatchObject({ failed: 10, unknown: 0 });
  const gone = await loopback(() => undefined);
  await gone.close();
  const { outcome } = await runShare([gone.url], [ingest(oneClient)], { measureMs: 500 });
  expect(outcome.total).toMatchObject({ accepted: 0, unknown: 0 });
  expect(outcome.total.failed).toBeGreaterThan(0);
  expect(outcome.failures['connection']!.count).toBe(outcome.total.failed);
});
