/**
 * Tests the feeder (reader of lines), parsers and senders in one thread, connected by the same channels as separate threads: their queues
 * and their counts.
 */
import { loadStart } from '../timing/clock';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { until } from '../../../test/support/until';
import { Batch } from '../sources/batch';
import { RenderedSource } from '../sources/rendered';
import { ACTION_LINE } from '../sources/source';
import { Feeder } from './feeder';
import type { FromParserThread } from './messages';
import { Parser } from './parser';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-parse-'));
const ports: MessagePort[] = [];
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

/** Resolves to the result of `figure` once it has not changed for at least 0.1 s. */
async function settled(figure: () => number): Promise<number> {
  for (let last = -1, since = 0; since < 20;) {
    since = figure() === last ? since + 1 : 0;
    last = figure();
    await pause();
  }
  return figure();
}

function parserPool(
  lines: string[],
  parsers: number,
  bulk: { docs: number } | { bytes: number },
  shares = 1,
) {
  const file = path.join(folder, 'lines.log');
  writeFileSync(file, lines.join('\n'));
  const messages: FromParserThread[] = [];
  const send = (message: FromParserThread): void => void messages.push(message);
  const channel = (): MessageChannel => {
    const made = new MessageChannel();
    ports.push(made.port1, made.port2);
    return made;
  };
  const feeding = Array.from({ length: parsers }, channel);
  const sending = Array.from({ length: shares }, () => Array.from({ length: parsers }, channel));
  const all = feeding.map(({ port2 }, index) => {
    const parser = new Parser(
      {
        parse: {
          workers: parsers,
          patterns: ['^line %{INT:n:int}$'],
          definitions: {},
          timestamp: null,
          onFailure: 'tag',
        },
        bulk,
        actionLine: ACTION_LINE,
        warmupMs: 0,
        measureMs: null,
        progress: new Int32Array(1),
      },
      port2,
      sending.map((own) => own[index]!.port1),
      send,
    );
    parser.begin(loadStart(Date.now()));
    return parser;
  });
  const feeder = new Feeder(
    { source: { kind: 'file', file, format: 'lines', repeat: false }, seed: 1, seat: { index: 0, of: 1 } },
    feeding.map(({ port1 }) => port1),
    send,
  );
  const sources = sending.map(
    (own) =>
      new RenderedSource(
        own.map(({ port2 }) => port2),
        { index: 0, of: 1 },
        (error) => {
          throw error;
        },
      ),
  );
  /** Ends all threads. Returns the sums of their counts. */
  const stop = async () => {
    feeder.stop();
    for (const parser of all) parser.stop();
    await until(
      'the account of each parser',
      () => messages.filter(({ kind }) => kind === 'parsed').length === parsers,
    );
    const fed = messages.find((message) => message.kind === 'fed')!;
    const counts = messages.flatMap((message) => (message.kind === 'parsed' ? [message.counts] : []));
    const sum = (key: 'parsed' | 'unparsed' | 'waiting' | 'documents'): number =>
      counts.reduce((total, one) => total + one[key], 0);
    return {
      lines: fed.lines,
      parsed: sum('parsed'),
      unparsed: sum('unparsed'),
      waiting: sum('waiting') + fed.kept,
      documents: sum('documents'),
      times: messages.flatMap((message) => (message.kind === 'parsed' ? [message.times] : [])),
    };
  };
  return { sources, stop, messages };
}

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => (n % 10 === 9 ? 'odd' : `line ${n}`));

const messagesOf = (batch: Batch): string[] =>
  batch
    .body()
    .toString('utf8')
    .split('\n')
    .filter((_, place) => place % 2 === 1)
    .map((text) => (JSON.parse(text) as { message: string }).message);

/** Reads bulks until there are no more. */
async function drain(
  source: RenderedSource,
  limit = { docs: Infinity, bytes: Infinity },
): Promise<string[][]> {
  const bulks: string[][] = [];
  const batch = new Batch();
  for (;;) {
    const filled = source.fill(batch, limit);
    if (filled !== 'waiting') {
      if (batch.count > 0) bulks.push(messagesOf(batch));
      if (filled === 'ended') return bulks;
      batch.clear();
    } else
      await new Promise<void>((resolve) => {
        source.whenReady(resolve);
      });
  }
}

test.each([
  [1, 1],
  [3, 1],
  [2, 2],
])('%i parsers and %i senders pass on every line once', async (parsers, shares) => {
  const lines = numbered(3000);
  const { sources, stop } = parserPool(lines, parsers, { docs: 70 }, shares);
  const bulks = (await Promise.all(sources.map((source) => drain(source)))).flat();
  expect(bulks.flat().sort()).toEqual([...lines].sort());
  // All bulks are full, except the last one of each parser.
  expect(bulks.filter((bulk) => bulk.length !== 70).length).toBeLessThanOrEqual(parsers);
  expect(await stop()).toMatchObject({
    lines: 3000,
    parsed: 2700,
    unparsed: 300,
    waiting: 0,
    documents: 3000,
  });
});

test('without takers, parsers and feeder stop, and waiting lines are counted', async () => {
  const { stop, messages } = parserPool(numbered(50_000), 2, { docs: 10 });
  await settled(() => messages.length);
  const account = await stop();
  // For each of the two parsers, two bulks wait in the sender's queue and the parser holds one. Two chunks of lines wait for each parser.
  expect(account.documents).toBeLessThanOrEqual(2 * (2 + 1) * 10);
  expect(account.lines).toBeLessThanOrEqual(2 * 2 * 256 + account.documents);
  expect(account.waiting).toBeGreaterThan(0);
  expect(account.parsed + account.unparsed + account.waiting).toBe(account.lines);
  for (const { busyMs, blockedMs, hungryMs, elapsedMs } of account.times) {
    expect(busyMs + blockedMs + hungryMs).toBeCloseTo(elapsedMs, 6);
    expect(blockedMs).toBeGreaterThan(elapsedMs / 2);
  }
});

test('bulks are cut by bytes, and fewer documents than a bulk holds are taken from its beginning', async () => {
  const lines = numbered(1000);
  const { sources, stop } = parserPool(lines, 1, { bytes: 2000 });
  const batch = new Batch();
  await until('a bulk', () => {
    batch.clear();
    return sources[0]!.fill(batch, { docs: 3, bytes: 2000 }) === 'full';
  });
  expect(messagesOf(batch)).toEqual(lines.slice(0, 3));
  const rest = await drain(sources[0]!);
  expect(rest.flat()).toEqual(lines.slice(3));
  await stop();
});

test('a share without clients is handed nothing', async () => {
  const { messages } = parserPool([], 0, { docs: 1 });
  expect(messages).toEqual([]);
  const { port1, port2 } = new MessageChannel();
  ports.push(port1, port2);
  let asked = 0;
  port1.on('message', () => (asked += 1));
  new RenderedSource([port2], { index: 1, of: 1 }, () => undefined);
  await settled(() => asked);
  expect(asked).toBe(0);
});
