import { createServer } from 'node:http';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { runError, type Problem } from '../../common/problem';
import { until } from '../../test/support/until';
import { readResultsFile } from './results-file';
import { fakeCluster } from './testing/fake-cluster';
import { aProfile, aRun, aSample, aTrial } from './testing/made-documents';
import { waitingOnDisk } from './waiting-samples';
import { createResultsWriter, type ResultsWriter } from './writer';

/** Returns the answer to a bulk request with this number of documents. Tests replace this function. */
let answer: (documents: number) => { status: number; body: unknown };
let url: string;
let bulks: number[] = [];
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const documents = body.split('\n').length >> 1;
    bulks.push(documents);
    const { status, body: reply } = answer(documents);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  });
});

const client: ElasticsearchClient = {
  async request<T>({ method, path: where, body }: Parameters<ElasticsearchClient['request']>[0]) {
    try {
      const response = await fetch(url + where, { method, body: body as string });
      return { status: response.status, body: (await response.json()) as T };
    } catch (error) {
      throw runError('elasticsearch.unreachable', '', 'away', error);
    }
  },
};

const ok = (documents: number): { status: number; body: unknown } => ({
  status: 200,
  // The request is a bulk request or a search. No document is stored yet.
  body: {
    _shards: { total: 0 },
    items: Array.from({ length: documents }, () => ({ index: { status: 201 } })),
  },
});

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-writer-'));
const problems: Problem[] = [];
let writer: ResultsWriter;

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  answer = ok;
  bulks = [];
  problems.splice(0);
  writer = createResultsWriter({
    client,
    spoolDir: folder,
    onProblem: (problem) => problems.push(problem),
    templates: 'assumed',
  });
});
afterEach(() => writer.close());
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const addSamples = (count: number): void => {
  for (let second = 0; second < count; second++) writer.addSample(aSample('r', 't', second));
};

test.each([429, 500, 503, 401, 403])(
  'a bulk that is answered with %d waits and is sent again',
  async (status) => {
    answer = () => ({ status, body: { error: { reason: 'not now' } } });
    addSamples(10);
    expect(await writer.flush(0)).toBe(false);
    expect(await writer.flush(400)).toBe(false);
    // On a busy machine, writing to the disk takes longer.
    await until('they are on the disk', () => writer.stats().spooled === 10);
    expect(writer.stats()).toEqual({
      written: 0,
      spooled: 10,
      held: 0,
      dropped: 0,
      rejected: 0,
      withheld: 0,
    });
    expect(problems).toHaveLength(1);
    expect(problems[0]!.message).toContain('not now');
    answer = ok;
    expect(await writer.flush(5000)).toBe(true);
    expect(writer.stats()).toEqual({
      written: 10,
      spooled: 0,
      held: 0,
      dropped: 0,
      rejected: 0,
      withheld: 0,
    });
    expect(problems.at(-1)!.code).toBe('results.recovered');
  },
);

test('samples that are being sent, or refused, are listed as waiting until they are stored', async () => {
  const since = Date.parse(aSample('r', 't', 0)['@timestamp']);
  addSamples(3);
  expect(writer.waitingSamples()).toMatchObject([{ since }]);
  let asked = false;
  answer = (documents) => {
    // While the request is in flight, the samples are in no buffer.
    asked = writer.waitingSamples().length === 1;
    return ok(documents);
  };
  expect(await writer.flush(5000)).toBe(true);
  expect(asked).toBe(true);
  expect(writer.waitingSamples()).toEqual([]);
  answer = () => ({ status: 429, body: {} });
  addSamples(1);
  await writer.flush(0);
  await until('they are on the disk', () => writer.stats().spooled === 1);
  expect(writer.waitingSamples()).toEqual([]);
  expect(await waitingOnDisk(folder)).toMatchObject([{ since }]);
});

test('only the documents that were rejected because of load are sent again', async () => {
  answer = (documents) => ({
    status: 200,
    body: {
      items: Array.from({ length: documents }, (_, position) => ({
        index: position < 4 ? { status: 429, error: { reason: 'full' } } : { status: 201 },
      })),
    },
  });
  addSamples(10);
  await writer.flush(0);
  await writer.flush(300);
  expect(writer.stats()).toMatchObject({ written: 6, spooled: 4 });
  answer = ok;
  expect(await writer.flush(5000)).toBe(true);
  expect(bulks[0]).toBe(10);
  expect(bulks.at(-1)).toBe(4);
  expect(writer.stats()).toMatchObject({ written: 10, spooled: 0 });
});

test('a bulk that is too large is halved until it fits', async () => {
  answer = (documents) => (documents > 3 ? { status: 413, body: {} } : ok(documents));
  addSamples(10);
  expect(await writer.flush(5000)).toBe(true);
  expect(writer.stats()).toMatchObject({ written: 10, rejected: 0 });
});

test('a document that the answer does not mention does not count as stored', async () => {
  answer = () => ({ status: 200, body: {} });
  addSamples(2);
  await writer.flush(0);
  await writer.flush(300);
  expect(writer.stats()).toMatchObject({ written: 0, spooled: 2 });
  answer = ok;
  expect(await writer.flush(5000)).toBe(true);
});

test('while the cluster is unavailable, a run is written to disk without waiting for it', async () => {
  answer = () => ({ status: 503, body: {} });
  await writer.saveRun(aRun('r'));
  const asked = bulks.length;
  await writer.saveRun(aRun('r', { state: 'failed' }));
  expect(bulks).toHaveLength(asked);
  expect(writer.stats()).toMatchObject({ spooled: 1 });
  answer = ok;
  expect(await writer.flush(5000)).toBe(true);
});

test('samples are sent in few bulks', async () => {
  addSamples(1200);
  expect(await writer.flush(5000)).toBe(true);
  expect(bulks.length).toBeLessThanOrEqual(4);
  expect(Math.max(...bulks)).toBeLessThanOrEqual(500);
});

describe('if neither the cluster nor the disk accepts results', () => {
  const onNoDisk = (lastFolders: string[]): ResultsWriter =>
    createResultsWriter({
      client,
      spoolDir: path.join(__filename, 'a file is no folder'),
      onProblem: (problem) => problems.push(problem),
      templates: 'assumed',
      lastFolders,
    });
  const codes = (): string[] => problems.map(({ code }) => code);

  test('they are held in memory, and written to a file for an import at the end', async () => {
    answer = () => ({ status: 503, body: {} });
    const nowhere = onNoDisk([path.join(__filename, 'nor this'), path.join(folder, 'last')]);
    expect(await nowhere.saveRun(aRun('r'))).toBe(false);
    expect(await nowhere.saveTrial(aTrial('r', 'r-t01'))).toBe(false);
    expect(await nowhere.saveRun(aRun('r', { state: 'completed' }))).toBe(false);
    nowhere.addSample(aSample('r', 'r-t01', 0));
    await nowhere.flush(0);
    await nowhere.close();
    const [file] = readdirSync(path.join(folder, 'last'));
    const { documents } = readResultsFile(readFileSync(path.join(folder, 'last', file!), 'utf8'));
    expect(documents.map(({ source }) => source)).toEqual([
      aRun('r', { state: 'completed' }),
      expect.objectContaining({ trial: aTrial('r', 'r-t01').trial }),
      aSample('r', 'r-t01', 0),
    ]);
    expect(codes()).toContain('results.unstored');
    expect(codes().filter((code) => code === 'results.spool-failed')).toHaveLength(1);
    expect(nowhere.stats()).toMatchObject({ dropped: 0 });
  });

  test('they are stored once the cluster is back', async () => {
    answer = () => ({ status: 503, body: {} });
    const nowhere = onNoDisk([folder]);
    await nowhere.saveRun(aRun('r'));
    expect(nowhere.stats()).toMatchObject({ held: 1, written: 0 });
    answer = ok;
    expect(await nowhere.flush(5000)).toBe(true);
    expect(nowhere.stats()).toMatchObject({ held: 0, written: 1 });
    await nowhere.close();
  });

  test('documents that no folder accepts are counted as lost', async () => {
    answer = () => ({ status: 503, body: {} });
    const nowhere = onNoDisk([path.join(__filename, 'nor this')]);
    nowhere.addSample(aSample('r', 't', 0));
    await nowhere.close();
    expect(nowhere.stats()).toMatchObject({ dropped: 1, held: 0 });
    expect(codes()).toContain('results.dropped');
  });
});

test('a cluster that does not answer delays one save for a second and the next ones not at all, and receives all documents later', async () => {
  const cluster = fakeCluster();
  const slow = createResultsWriter({
    client: cluster.client,
    spoolDir: path.join(folder, 'slow'),
    onProblem: (problem) => problems.push(problem),
    templates: 'assumed',
  });
  cluster.state = 'hangs';
  const begun = Date.now();
  expect(await slow.saveRun(aRun('r'))).toBe(true);
  expect(await slow.saveTrial(aTrial('r', 'r-t01'))).toBe(true);
  expect(await slow.saveRun(aRun('r', { state: 'completed' }))).toBe(true);
  expect(Date.now() - begun).toBeLessThan(2500);
  expect(slow.stats()).toMatchObject({ spooled: 2 });
  cluster.state = 'answers';
  expect(await slow.flush(5000)).toBe(true);
  const stored = [...cluster.documents].map(([key, { source }]) => [key.split('-')[1], source]);
  expect(Object.fromEntries(stored)).toMatchObject({
    runs: { run: { state: 'completed' } },
    trials: { trial: { id: 'r-t01' } },
  });
  await slow.close();
});

describe('a state whose answer is late', () => {
  /** Returns a client that delays the first bulk request until `letGo` is called. All other requests are sent at once. */
  function holdingFirst(cluster: ReturnType<typeof fakeCluster>) {
    let letGo!: () => void;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    let bulksSeen = 0;
    const holding: ElasticsearchClient = {
      async request<T>(request: Parameters<ElasticsearchClient['request']>[0]) {
        if (request.path === '/_bulk' && ++bulksSeen === 1) await held;
        return await cluster.client.request<T>(request);
      },
    };
    return { holding, letGo };
  }

  const writerOn = (held: ElasticsearchClient, name: string): ResultsWriter =>
    createResultsWriter({
      client: held,
      spoolDir: path.join(folder, name),
      onProblem: (problem) => problems.push(problem),
      templates: 'assumed',
    });

  test('does not replace a newer state that was written from disk', async () => {
    const cluster = fakeCluster();
    const { holding, letGo } = holdingFirst(cluster);
    const slow = writerOn(holding, 'late');
    expect(await slow.saveRun(aRun('r'))).toBe(true);
    expect(await slow.saveRun(aRun('r', { state: 'completed' }))).toBe(true);
    expect(await slow.flush(1000)).toBe(true);
    letGo();
    await until('the late answer has come', () => !slow.isAway());
    const [stored] = [...cluster.documents.values()];
    expect(stored!.source).toMatchObject({ run: { state: 'completed' } });
    await slow.close();
  });

  test('replaces a state written by a host whose clock is ahead, also from disk', async () => {
    const cluster = fakeCluster();
    const first = writerOn(cluster.client, 'ahead');
    await first.saveRun(aRun('r'));
    await first.close();
    const [key] = [...cluster.documents.keys()];
    cluster.documents.get(key!)!.version += 3600_000;
    const { holding, letGo } = holdingFirst(cluster);
    const slow = writerOn(holding, 'behind');
    expect(await slow.saveRun(aRun('r', { state: 'completed' }))).toBe(true);
    expect(await slow.flush(1000)).toBe(true);
    expect(cluster.documents.get(key!)!.source).toMatchObject({ run: { state: 'completed' } });
    letGo();
    await until('the late answer has come', () => !slow.isAway());
    expect(cluster.documents.get(key!)!.source).toMatchObject({ run: { state: 'completed' } });
    await slow.close();
  });
});

test('an older state that waits on disk does not replace the newer one that is stored', async () => {
  const cluster = fakeCluster();
  let fail!: () => void;
  const failing = new Promise<void>((resolve) => (fail = resolve));
  let bulksSeen = 0;
  const crossing = createResultsWriter({
    client: {
      async request<T>(asked: Parameters<ElasticsearchClient['request']>[0]) {
        if (asked.path === '/_bulk' && ++bulksSeen === 1) {
          await failing;
          throw runError('elasticsearch.unreachable', '', 'its answer had no end');
        }
        return await cluster.client.request<T>(asked);
      },
    },
    spoolDir: path.join(folder, 'crossing'),
    onProblem: () => undefined,
    templates: 'assumed',
  });
  const older = crossing.saveRun(aRun('r'));
  expect(await crossing.saveRun(aRun('r', { state: 'completed' }))).toBe(true);
  fail();
  expect(await older).toBe(true);
  expect(crossing.stats()).toMatchObject({ spooled: 1 });
  expect(await crossing.flush(5000)).toBe(true);
  const [stored] = [...cluster.documents.values()];
  expect(stored!.source).toMatchObject({ run: { state: 'completed' } });
  await crossing.close();
});

describe('a saved trial has its samples, whatever happens to the process afterwards', () => {
  const savingTo = (cluster: ReturnType<typeof fakeCluster>, name: string): ResultsWriter =>
    createResultsWriter({
      client: cluster.client,
      spoolDir: path.join(folder, name),
      onProblem: () => undefined,
      templates: 'assumed',
    });

  test('in the results', async () => {
    const cluster = fakeCluster();
    const saving = savingTo(cluster, 'with-samples');
    saving.addSample(aSample('r', 'r-t01', 0));
    await saving.saveTrial(aTrial('r', 'r-t01'));
    expect([...cluster.documents.keys()].filter((key) => key.startsWith('dyno-samples'))).toHaveLength(1);
    await saving.close();
  });

  test('also the profile', async () => {
    const cluster = fakeCluster();
    const saving = savingTo(cluster, 'with-profile');
    const large = 'x'.repeat(1024 ** 2);
    saving.addProfile({ ...aProfile('r', 'r-t01'), stacks: large });
    await saving.saveTrial(aTrial('r', 'r-t01'));
    expect(cluster.documents.get('dyno-profiles-2026.11/r-t01-cpu')!.source).toMatchObject({ stacks: large });
    await saving.close();
  });

  test.each(['hangs', 'away'] as const)('on disk, if the cluster %s', async (state) => {
    const cluster = fakeCluster();
    cluster.state = state;
    const saving = savingTo(cluster, `with-samples-${state}`);
    saving.addSample(aSample('r', 'r-t01', 0));
    expect(await saving.saveTrial(aTrial('r', 'r-t01'))).toBe(true);
    expect(saving.stats()).toMatchObject({ spooled: 2 });
    cluster.state = 'answers';
    expect(await saving.flush(5000)).toBe(true);
    expect(cluster.documents.size).toBe(2);
    await saving.close();
  });
});

test('a result is on disk before it is sent, and removed from disk once it is stored', async () => {
  const cluster = fakeCluster();
  const own = path.join(folder, 'first-on-disk');
  const onDisk: string[][] = [];
  const first = createResultsWriter({
    client: {
      async request<T>(asked: Parameters<ElasticsearchClient['request']>[0]) {
        if (asked.path === '/_bulk') {
          const files = readdirSync(own, { recursive: true, withFileTypes: true }).filter((one) =>
            one.isFile(),
          );
          onDisk.push(files.map((file) => readFileSync(path.join(file.parentPath, file.name), 'utf8')));
        }
        return await cluster.client.request<T>(asked);
      },
    },
    spoolDir: own,
    onProblem: (problem) => problems.push(problem),
    templates: 'assumed',
  });
  first.addSample(aSample('r', 'r-t01', 0));
  expect(await first.saveTrial(aTrial('r', 'r-t01'))).toBe(true);
  expect(onDisk).toEqual([
    [expect.stringContaining('"index":"dyno-samples-')],
    [expect.stringContaining('"index":"dyno-trials-')],
  ]);
  expect(cluster.documents.size).toBe(2);
  expect(first.stats()).toMatchObject({ written: 2, spooled: 0 });
  await first.close();
  expect(readdirSync(own)).toEqual([]);
});

test('a flush repeats a lost request without waiting for its time limit', async () => {
  const cluster = fakeCluster();
  let bulksSeen = 0;
  const losing = createResultsWriter({
    client: {
      async request<T>(asked: Parameters<ElasticsearchClient['request']>[0]) {
        if (asked.path === '/_bulk' && ++bulksSeen === 1) await new Promise(() => undefined);
        return await cluster.client.request<T>(asked);
      },
    },
    spoolDir: path.join(folder, 'losing'),
    onProblem: () => undefined,
    templates: 'assumed',
  });
  expect(await losing.saveRun(aRun('r'))).toBe(true);
  expect([losing.isAway(), losing.stats().spooled]).toEqual([true, 1]);
  expect(await losing.flush(5000)).toBe(true);
  expect([losing.isAway(), cluster.documents.size]).toEqual([false, 1]);
  await losing.close();
});

test('documents that waited for only seconds are written without reading the cluster first', async () => {
  const cluster = fakeCluster();
  cluster.state = 'away';
  const short = createResultsWriter({
    client: cluster.client,
    spoolDir: path.join(folder, 'short'),
    onProblem: () => undefined,
    templates: 'assumed',
  });
  await short.saveRun(aRun('r'));
  cluster.state = 'answers';
  cluster.requests.splice(0);
  expect(await short.flush(5000)).toBe(true);
  expect(cluster.requests.map(({ path: asked }) => asked)).toEqual(['/_bulk']);
  await short.close();
});

test('nothing waits long for a cluster that is unavailable', async () => {
  const cluster = fakeCluster();
  cluster.state = 'away';
  const away = createResultsWriter({
    client: cluster.client,
    spoolDir: path.join(folder, 'away'),
    onProblem: () => undefined,
    templates: 'assumed',
  });
  await away.saveRun(aRun('r'));
  const begun = Date.now();
  expect(await away.flush(60_000)).toBe(false);
  expect(Date.now() - begun).toBeLessThan(5000);
  await away.close();
});
