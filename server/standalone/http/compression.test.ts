import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import type { Handlers } from '../../routes/handler';
import { createServer } from './server';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-compression-'));
let app: FastifyInstance;
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A list of runs that is so long that its JSON is streamed. */
const long = Array.from({ length: 3000 }, (_, at) => ({ at, name: `run ${at}`, parts: [at, at + 1, null] }));
const report = (trials: unknown): object => ({ report: 7, run: {}, cells: [], verdict: {}, trials });
const file = gzipSync('a file that is compressed already'.repeat(500));

beforeAll(async () => {
  const handlers: Partial<Record<keyof Handlers, unknown>> = {
    getReport: ({ params: { id } }: { params: { id: string } }) =>
      Promise.resolve(report(id === 'long' ? long : id === 'short' ? [] : 'x'.repeat(5000))),
    exportReport: () =>
      Promise.resolve({ contentType: 'text/csv', fileName: 'a.csv', text: 'a,b\n'.repeat(2000) }),
    exportRuns: () =>
      Promise.resolve({ contentType: 'application/gzip', fileName: 'a.gz', stream: Readable.from([file]) }),
    streamRun: async () =>
      (async function* () {
        yield { type: 'end', state: 'completed' };
      })(),
  };
  app = await createServer({
    handlers: handlers as Handlers,
    access: { password: undefined, names: [] },
    appFolder: folder,
    version: '0',
    log: (text) => {
      throw new Error(text);
    },
  });
});

const get = (url: string, accepted?: string, method: 'GET' | 'HEAD' = 'GET') =>
  app.inject({
    method,
    url: `/api/dyno/${url}`,
    headers: { host: 'localhost', ...(accepted === undefined ? {} : { 'accept-encoding': accepted }) },
  });

const UNPACK: Record<string, (body: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };

test.each(['medium', 'long'])('%s JSON is sent in the encoding that the client accepts', async (id) => {
  const plain = await get(`runs/${id}/report`);
  expect(plain.headers['content-encoding']).toBeUndefined();
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1, br;q=0', 'gzip'],
    ['gzip', 'gzip'],
  ] as const) {
    const answer = await get(`runs/${id}/report`, accepted);
    expect(answer.headers).toMatchObject({
      'content-encoding': encoding,
      'content-type': 'application/json; charset=utf-8',
    });
    expect(answer.headers['vary']).toContain('accept-encoding');
    expect(UNPACK[encoding]!(answer.rawPayload).toString()).toBe(plain.body);
    expect(answer.rawPayload.length).toBeLessThan(plain.rawPayload.length / 4);
  }
  expect(plain.json()).toEqual(report(id === 'long' ? long : 'x'.repeat(5000)));
});

test('compresses text files, but not short responses, compressed files or events', async () => {
  const csv = await get('runs/1/export?format=csv', 'br');
  expect(csv.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(csv.rawPayload).toString()).toBe('a,b\n'.repeat(2000));
  expect((await get('runs/short/report', 'br')).headers['content-encoding']).toBeUndefined();
  const packed = await get('run-files?run=1', 'br');
  expect(packed.headers['content-encoding']).toBeUndefined();
  expect(packed.rawPayload).toEqual(file);
});

test('HEAD returns the headers of GET without a body', async () => {
  const answer = await get('runs/long/report', 'br', 'HEAD');
  expect(answer.statusCode).toBe(200);
  expect(answer.body).toBe('');
});

test('does not decompress requests', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/api/dyno/compare',
    headers: {
      ...{ host: 'localhost', 'x-dyno-request': '1' },
      ...{ 'content-type': 'application/json', 'content-encoding': 'gzip' },
    },
    payload: gzipSync('{"runs":["1","2"]}'),
  });
  expect(answer.statusCode).toBe(400);
});
