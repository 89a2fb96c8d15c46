import { mkdtempSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { until } from '../../../test/support/until';
import { BUFFER_BYTES, FRAME, framesOf, type BeginFrame, type ToWriting } from './frames';
import { Outbox } from './outbox';
import { placeOf } from './place';
import { SpillFile } from './spill-file';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-outbox-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const HEAD = { connection: 0, at: 0, method: 'POST', target: '/_bulk', contentType: '', contentEncoding: '' };
const END = { status: 200, durationMs: 1, bytes: 0, encoding: '', hasBody: true };
const BODY = Buffer.alloc(BUFFER_BYTES, 'x');

function outbox(buffers: number, spill: SpillFile | null = null) {
  const messages: ToWriting[] = [];
  const made = new Outbox(
    { postMessage: (message) => void messages.push(message) },
    { basePath: '', spill, buffers, mostBuffers: buffers },
  );
  return { made, messages, sink: made.sinkOf('127.0.0.1') };
}

/** Returns the first frame of each request. Only messages with a buffer are read, and no messages that refer to the spill file. */
const begunIn = (messages: readonly ToWriting[]): BeginFrame[] =>
  messages
    .flatMap((message) =>
      message.as === 'batch' ? [...framesOf(Buffer.from(message.buffer, 0, message.length))] : [],
    )
    .filter(({ kind }) => kind === FRAME.begin)
    .map(({ content }) => JSON.parse(content.toString()) as BeginFrame);

/** Returns the ids of the exchanges in the frames, in the order in which they were sent. */
function idsOf(messages: readonly ToWriting[], spill: SpillFile | null = null): string[] {
  return messages.flatMap((message) => {
    if (message.as === 'end') return ['end'];
    const bytes = Buffer.alloc(message.length);
    if (message.as === 'batch') Buffer.from(message.buffer, 0, message.length).copy(bytes);
    else readSync(spill!.descriptor, bytes, 0, message.length, message.offset);
    const names = Object.entries(FRAME);
    return [...framesOf(bytes)].map(
      ({ kind, id }) => `${names.find(([, number]) => number === kind)![0]} ${id}`,
    );
  });
}

test('without a free buffer, requests are dropped, counted and forgotten', async () => {
  const { made, messages, sink } = outbox(2);
  const first = sink.begin({ ...HEAD, order: 0 });
  expect(first).toEqual({ id: 1, keepsBodies: true });
  expect(sink.requestBody(1, BODY)).toBe(true);
  expect(sink.requestBody(1, BODY)).toBe(false);
  expect(sink.begin({ ...HEAD, order: 1 })).toMatchObject({ id: 0 });
  expect([made.dropped, made.unreported]).toEqual([2, 2]);
  const [batch] = messages;
  made.giveBack((batch as { buffer: ArrayBuffer }).buffer);
  await until('the news are sent', () => messages.length > 2);
  expect(messages.map((message) => message.news)).toContainEqual({ forgotten: [1], dropped: 2 });
  expect(made.unreported).toBe(0);
  await made.close();
});

test('bursts go through the spill file and keep their order', async () => {
  const spill = await SpillFile.open(path.join(folder, 'spill'));
  const { made, messages, sink } = outbox(8, spill);
  for (let order = 0; order < 4; order += 1) {
    const { id } = sink.begin({ ...HEAD, order });
    expect(sink.requestBody(id, BODY)).toBe(true);
    sink.end(id, END);
  }
  await made.close();
  expect(messages.some(({ as }) => as === 'spilled')).toBe(true);
  expect(made.dropped).toBe(0);
  const ids = idsOf(messages, spill);
  expect(ids.at(-1)).toBe('end');
  expect(ids.filter((text) => !text.startsWith('requestBody'))).toEqual([
    ...[1, 2, 3, 4].flatMap((id) => [`begin ${id}`, `end ${id}`]),
    'end',
  ]);
  await spill.close();
});

test('requests whose part of the spill file cannot be written are dropped', async () => {
  const spill = await SpillFile.open(path.join(folder, 'closed'));
  const { made, messages, sink } = outbox(2, spill);
  await spill.close();
  const { id } = sink.begin({ ...HEAD, order: 0 });
  sink.requestBody(id, BODY.subarray(0, BUFFER_BYTES - 1000));
  sink.begin({ ...HEAD, order: 1, target: `/${'a'.repeat(2000)}/_search` });
  await made.close();
  expect(made.dropped).toBe(2);
  expect(messages.flatMap((message) => message.news.forgotten).toSorted()).toEqual([1, 2]);
});

test('a request is counted once, although several of its buffers are lost', async () => {
  const spill = await SpillFile.open(path.join(folder, 'lost'));
  const { made, sink } = outbox(8, spill);
  await spill.close();
  const { id } = sink.begin({ ...HEAD, order: 0 });
  for (let piece = 0; piece < 20; piece += 1) sink.requestBody(id, BODY);
  sink.forget(id);
  await made.close();
  expect([made.dropped, made.unread]).toEqual([1, 0]);
});

test('a request that is forgotten is unread, although its buffers are lost afterwards', async () => {
  const spill = await SpillFile.open(path.join(folder, 'forgotten'));
  const { made, sink } = outbox(8, spill);
  await spill.close();
  const { id } = sink.begin({ ...HEAD, order: 0 });
  for (let piece = 0; piece < 3; piece += 1) sink.requestBody(id, BODY);
  sink.forget(id);
  await made.close();
  expect([made.dropped, made.unread]).toEqual([0, 1]);
});

test('bodies and queries of requests that administer the cluster are not passed on', async () => {
  const { made, messages, sink } = outbox(4);
  const keeps = (method: string, target: string): boolean =>
    sink.begin({ ...HEAD, order: 0, method, target: `${target}?source=secret` }).keepsBodies;
  expect(keeps('POST', '/shop/_search')).toBe(true);
  expect(keeps('POST', '/shop/_async_search')).toBe(true);
  expect(keeps('PUT', '/_security/user/a')).toBe(false);
  expect(keeps('POST', '/_reindex')).toBe(false);
  expect(keeps('PUT', '/_something/new')).toBe(false);
  await made.close();
  expect(begunIn(messages).map(({ path: place, query }) => [place, query])).toEqual([
    ['/shop/_search', 'source=secret'],
    ['/shop/_async_search', 'source=secret'],
    ['/_security/user/a', ''],
    ['/_reindex', ''],
    ['/_something/new', ''],
  ]);
});

test('a frame contains the request without its credentials', async () => {
  const { made, messages, sink } = outbox(4);
  sink.begin({ ...HEAD, order: 3, target: 'https://user:secret@host/shop/_search?q=a&api_key=secret' });
  await made.close();
  const [begin] = begunIn(messages);
  expect(begin).toMatchObject({ path: '/shop/_search', query: 'q=a', order: 3, kind: { name: 'search' } });
  expect(JSON.stringify(begin)).not.toContain('secret');
  expect(made.redacted).toBe(1);
});

test.each([
  ['/a?b=c?d', '', { path: '/a', query: 'b=c?d' }],
  ['/es', '/es', { path: '/', query: '' }],
  ['/es?pretty', '/es', { path: '/', query: 'pretty' }],
  ['/es/a', '/es', { path: '/a', query: '' }],
  ['/essay', '/es', null],
  ['/a', '/es', null],
  ['/a?q=me@x', '', { path: '/a', query: 'q=me@x' }],
  ['/a/_doc/http://x', '', { path: '/a/_doc/http://x', query: '' }],
  ['/\xC3\xA9?q=\xFF', '', { path: '/%C3%A9', query: 'q=%FF' }],
  ['http://user:se/cret@host/a', '', null],
  ['http://user:se?cret@host/a', '', null],
  ['//user:secret@host/a', '', null],
  ['//user:se?cret@host/a', '', null],
  ['/http://user:secret@host/a', '', null],
  ['*', '', null],
  ['host:443', '', null],
])('%s below %j is %j', (target, base, expected) => {
  expect(placeOf(target, base)).toEqual(expected);
});
