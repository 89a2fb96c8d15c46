import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from './connection';
import { createIndex } from './index-lifecycle';
import { refresh } from './maintenance';
import { PatientConnection, type Outage } from './patience';

const REFUSED = { error: { type: 'es_rejected_execution_exception', reason: 'queue full' }, status: 429 };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const fine: Answer = (_, response) => void response.end('{"acknowledged":true}');
const cut: Answer = (request) => void request.socket.destroy();
const status =
  (code: number, headers: Record<string, string> = {}): Answer =>
  (_, response) =>
    void response.writeHead(code, headers).end(JSON.stringify(REFUSED));

/** Simulates a target with these answers in turn, and the last one from then on. */
async function target(answers: Answer[], withinMs = 5000) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume();
    request.on('end', () => (answers.length > 1 ? answers.shift()! : answers[0]!)(request, response));
  });
  const listen = (port: number): Promise<number> =>
    new Promise((resolve) =>
      server.listen(port, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
    );
  const port = await listen(0);
  const inner = new Connection({ hosts: [`http://127.0.0.1:${port}`] });
  const outages: Outage[] = [];
  const abort = new AbortController();
  const patient = new PatientConnection(inner, {
    withinMs,
    signal: abort.signal,
    onBack: (outage) => outages.push(outage),
  });
  const away = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  open.push(async () => {
    await inner.close();
    server.closeAllConnections();
    server.close();
  });
  return { seen, inner, patient, outages, abort, away, back: () => listen(port) };
}

const open: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

test('a refresh that is rejected with 429 is repeated, and the outage is reported', async () => {
  const { patient, seen, outages } = await target([status(429), fine]);
  await refresh(patient, 'a');
  expect(seen).toEqual(['POST /a/_refresh', 'POST /a/_refresh']);
  expect(outages).toMatchObject([{ why: 'it answered 429: queue full' }]);
});

test('every request waits for a target that refuses connections', async () => {
  const { patient, away, back, outages } = await target([fine]);
  await away();
  const returns = sleep(150).then(back);
  const answer = patient.request({ method: 'POST', path: '/_clone', body: {} });
  answer.catch(() => undefined);
  await returns;
  expect((await answer).status).toBe(200);
  expect(outages).toHaveLength(1);
});

test('a request that may have been carried out is repeated only if that is harmless', async () => {
  const { patient, seen } = await target([cut]);
  await expect(patient.request({ method: 'POST', path: '/_clone', body: {} })).rejects.toMatchObject({
    code: 'elasticsearch.unreachable',
  });
  expect(seen).toHaveLength(1);
  const other = await target([status(503), fine]);
  expect((await other.patient.request({ method: 'POST', path: '/_clone', body: {} })).status).toBe(503);
  await expect(
    (await target([status(503), fine])).patient.request({ method: 'GET', path: '/' }),
  ).resolves.toMatchObject({
    status: 200,
  });
});

test('an index whose creation lost its connection exists once, with our mark', async () => {
  let made: unknown;
  const create: Answer = (_, response) =>
    void response
      .writeHead(400)
      .end(JSON.stringify({ error: { type: 'resource_already_exists_exception' }, status: 400 }));
  const mapping: Answer = (_, response) => void response.end(JSON.stringify({ i: { mappings: made } }));
  const { inner, patient, seen } = await target([cut, create, mapping]);
  const request = inner.request.bind(inner);
  inner.request = (asked) => {
    if (asked.method === 'PUT') made = (asked.body as { mappings: unknown }).mappings;
    return request(asked);
  };
  const mark = { run: 'r', trial: 't', experiment: 'e' };
  await createIndex(patient, { index: 'i', settings: {}, mapping: {}, mark });
  expect(seen).toEqual([
    'PUT /i?wait_for_active_shards=0',
    'PUT /i?wait_for_active_shards=0',
    'GET /i/_mapping',
  ]);
});

test('waiting ends, and later requests do not wait again for the same outage', async () => {
  const { patient, seen } = await target([status(429)], 700);
  const begun = Date.now();
  expect((await patient.request({ method: 'GET', path: '/a' })).status).toBe(429);
  expect(Date.now() - begun).toBeLessThan(2000);
  const before = seen.length;
  expect(before).toBeGreaterThan(1);
  // The pause may have been cut short, so the test waits for the rest of it.
  await sleep(Math.max(0, begun + 900 - Date.now()));
  await patient.request({ method: 'GET', path: '/b' });
  expect(seen.length - before).toBe(1);
});

test('a pause is as long as the answer requests, and none begins that would exceed the limit', async () => {
  const { patient } = await target([status(429, { 'retry-after': '1' }), fine]);
  const begun = Date.now();
  await patient.request({ method: 'GET', path: '/' });
  expect(Date.now() - begun).toBeGreaterThanOrEqual(990);
  const long = await target([status(429, { 'retry-after': '60' })]);
  expect((await long.patient.request({ method: 'GET', path: '/' })).status).toBe(429);
  expect(long.seen).toHaveLength(1);
});

test('a cancelled run waits no longer', async () => {
  const { patient, abort } = await target([status(429)], 60_000);
  const asked = patient.request({ method: 'GET', path: '/' });
  setTimeout(() => abort.abort(new Error('cancelled')), 50);
  expect((await asked).status).toBe(429);
  expect((await patient.request({ method: 'GET', path: '/' })).status).toBe(429);
});

test('`atOnce` sends a request once, and an invalid target is not waited for', async () => {
  const { patient, seen, inner } = await target([status(429)]);
  expect((await patient.atOnce.request({ method: 'GET', path: '/' })).status).toBe(429);
  expect(seen).toHaveLength(1);
  const nowhere = new Connection({ hosts: [inner.urls[0]!.replace('http:', 'https:')] });
  open.push(() => nowhere.close());
  const patience = { withinMs: 60_000, signal: new AbortController().signal, onBack: () => undefined };
  await expect(
    new PatientConnection(nowhere, patience).request({ method: 'GET', path: '/' }),
  ).rejects.toMatchObject({ code: 'elasticsearch.unreachable' });
});

test('a request whose answer is not JSON is repeated a few times', async () => {
  const page: Answer = (_, response) => void response.end('<html>log in</html>');
  const once = await target([page, fine]);
  expect((await once.patient.request({ method: 'GET', path: '/' })).body).toEqual({ acknowledged: true });
  const always = await target([page]);
  expect((await always.patient.request({ method: 'GET', path: '/' })).body).toBe('<html>log in</html>');
  expect(always.seen).toHaveLength(4);
});
