import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Offered } from '../../../common/elasticsearch/capabilities';
import { resolveCells, type ResolvedCell } from '../../../common/experiment/resolved-cells';
import { readDefinition } from '../../../common/experiment/read';
import { existingIndices, replay as replayKind, type ReplayJob } from '../../../common/tasks/replay';
import type { TrafficJob } from '../../../common/traffic/job';
import type { TrafficRecord } from '../../../common/traffic/record';
import { madeFolder, madeRecord, utf8 } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import { checkReplays, replayJob, withFoundFormats } from './replay';

function jobOf(replay: object, index: object = {}, seed = 1): ReplayJob {
  const [{ definition }] = resolveCells(
    readDefinition({
      version: 1,
      name: 'a',
      seed,
      index,
      tasks: [{ name: 'shop', replay: { file: 'searches.log', ...replay } }],
    }),
  ) as [ResolvedCell];
  const [task] = definition.tasks;
  return replayJob({ ...task!, replay: task!.replay! }, definition, '/corpora') as ReplayJob;
}

const byStore = { field: 'store_id', by: 'hash' };

test('a file is resolved against the folder of the definition; a generated log depends only on the seed', () => {
  expect(jobOf({}).source).toEqual({ kind: 'file', file: '/corpora/searches.log' });
  const made = { file: undefined, generator: 'storefront' };
  expect(jobOf(made).source).toMatchObject({ kind: 'generator', generator: 'storefront' });
  expect(jobOf(made)).toEqual(jobOf(made));
  expect(jobOf(made, {}, 2).source).not.toEqual(jobOf(made).source);
});

test('a route names existing indices, indices of the trial by number, or all indices of the trial', () => {
  const indices = ['trial', { trial: 2 }, { existing: 'stores' }];
  const route = { field: 'store_id', modulo: 3, indices, names: ['a', 'b', 'c'] };
  expect(jobOf({ route }, { count: 2 }).route).toEqual({
    field: 'store_id',
    modulo: 3,
    by: 'remainder',
    indices: [null, 2, 'stores'],
    names: ['a', 'b', 'c'],
  });
  const { replay } = readDefinition({
    version: 1,
    name: 'a',
    index: { count: 2 },
    tasks: [{ name: 'shop', replay: { file: 'a', route } }],
  }).tasks[0]!;
  expect(existingIndices(replay!)).toEqual(['stores']);
});

test('searches use the route of the documents, in trials with one index too', () => {
  const routed = (count: number): ReplayJob['route'] =>
    jobOf({ route: 'index' }, { count, route: byStore }).route;
  expect(routed(3)).toEqual({ ...byStore, modulo: 3, indices: [1, 2, 3], names: null });
  expect(routed(1)).toEqual({ ...byStore, modulo: 1, indices: [1], names: null });
  expect(jobOf({ route: 'index' }).route).toBeNull();
});

describe('before a run, the searches of a log are compared with the features of the target', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'dyno-replay-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const KQL = '{"query":{"kql":{"query":"a: 1"}}}';
  const MATCH = '{"query":{"match":{"a":"b"}}}';
  const check = (lines: string[], isKnown = true): Promise<string[]> => {
    writeFileSync(join(folder, 'a.ndjson'), lines.map((line) => `${line}\n`).join(''));
    const cells = resolveCells(
      readDefinition({ version: 1, name: 'a', tasks: [{ name: 'shop', replay: { file: 'a.ndjson' } }] }),
    );
    const target: Offered = {
      engine: 'opensearch',
      version: '3.6.0',
      serverless: false,
      plugins: new Set<string>(),
    };
    return checkReplays({
      plan: { cells },
      folder,
      targetOf: () => (isKnown ? target : undefined),
    });
  };

  test('a note counts the searches that will fail', async () => {
    await expect(check([MATCH, KQL, MATCH])).resolves.toEqual([
      expect.stringMatching(
        /a\.ndjson: of its first 3 lines, 1 search will fail: OpenSearch 3\.6\.0 offers no query kql \(line 2; use/,
      ),
    ]);
    await expect(check([MATCH, MATCH])).resolves.toEqual([]);
  });

  test('a log without any search that the target can answer starts no run', async () => {
    await expect(check([KQL, KQL])).rejects.toMatchObject({ code: 'target.missing-feature' });
    await expect(check([KQL, KQL])).rejects.toThrow(
      /the target can answer none of its first 2 searches: 2 searches will fail: OpenSearch 3\.6\.0 offers no query kql/,
    );
  });

  test('nothing is compared while the features of the target are unknown', async () => {
    await expect(check([KQL], false)).resolves.toEqual([]);
  });
});

describe('recorded traffic', () => {
  const fileNamed = madeFolder();
  const checked = async (
    file: string,
    { engine = 'elasticsearch', ...replay }: { engine?: Offered['engine']; format?: string } = {},
  ): Promise<string> => {
    const tasks = [{ name: 'shop', replay: { file, ...replay } }];
    const cells = resolveCells(readDefinition({ version: 1, name: 'a', tasks }));
    const target: Offered = { engine, version: '3.6.0', serverless: false, plugins: new Set<string>() };
    return (await checkReplays({ plan: { cells }, folder: '/', targetOf: () => target })).join();
  };
  const written = async (name: string, records: readonly Partial<TrafficRecord>[]): Promise<string> => {
    const writer = await TrafficWriter.open(fileNamed(name), { startedAt: 0, origin: 'record', share: 1 });
    records.forEach((record, order) => writer.append(madeRecord({ order, at: order, ...record })));
    await writer.close();
    return fileNamed(name);
  };

  test('is checked for the engine of the target', async () => {
    const ids = ['YwJ3dpkBQ_m-x1Zq8w2L', 'ZwJ3dpkBQ_m-x1Zq8w2L'];
    const path = '/_search/point_in_time';
    const opened = ids.map((pitId) => ({
      ...{ path: `/shop${path}`, query: 'keep_alive=1m', body: null },
      answer: { status: 200, durationUs: 0, bytes: 1, facts: { pitId } },
    }));
    const closed = { method: 'DELETE', path, body: utf8(JSON.stringify({ pit_id: ids })) };
    const file = await written('points.traffic.gz', [...opened, closed]);
    expect(await checked(file, { engine: 'opensearch' })).toContain('3 of 3 requests can be sent');
    expect(await checked(file)).toContain('2 of 3 requests can be sent');
  });

  let files = 0;
  /** Returns the job of a replay that moves dates, at a time after the recording, with the given mappings of the indices. */
  async function shifted(
    replay: object,
    mappings: Record<string, object>,
  ): Promise<{ job: TrafficJob; asked: string[]; notes: string[] }> {
    const body = utf8('{"@timestamp":"1970-01-01T00:00:01Z"}');
    const file = await written(`dates-${(files += 1)}.traffic.gz`, [
      { method: 'DELETE', path: '/shop', body: null },
      { path: '/shop/_doc', body, at: 2_000_000 },
    ]);
    const tasks = [{ name: 'shop', replay: { file, times: 'shift', ...replay } }];
    const [{ definition }] = resolveCells(readDefinition({ version: 1, name: 'a', tasks })) as [ResolvedCell];
    const asked: string[] = [];
    const notes: string[] = [];
    const found = await withFoundFormats(definition, '/', 'elasticsearch', {
      names: ['trial-1'],
      mappingsOf: (names) => {
        asked.push(...names);
        return Promise.resolve(names.map((name) => ({ properties: mappings[name] })));
      },
      onNote: (note) => notes.push(note),
    });
    const { tasks: own, index } = found;
    const place = { name: 'shop', executor: { recorded: {} }, index, seed: 1, pipeline: undefined };
    const resolveFile = (name: string): string => name;
    const job = replayKind.job(own[0]!.replay!, { ...place, resolveFile, now: 10_500 }) as TrafficJob;
    return { job, asked, notes };
  }
  const date = { type: 'date' };

  test('with `times: shift`, dates move from the first request that is sent to the present', async () => {
    const { job, notes } = await shifted({}, { 'trial-1': { '@timestamp': date, price: { type: 'long' } } });
    expect(job.times).toEqual({ fields: [{ name: '@timestamp', format: null, isNanos: false }], seconds: 8 });
    expect(notes).toEqual([expect.stringContaining('1 date in @timestamp move')]);
  });

  test('the fields whose dates move are those of all indices that the requests go to, or those that `time-fields` names', async () => {
    const indices = { shop: { existing: 'shop-copy' } };
    const mappings = { 'trial-1': { at: date }, 'shop-copy': { seen: { ...date, format: 'epoch_second' } } };
    const { job, asked } = await shifted({ indices }, mappings);
    expect(asked).toEqual(['trial-1', 'shop-copy']);
    expect(job.times?.fields.map(({ name, format }) => [name, format])).toEqual([
      ['at', null],
      ['seen', 'epoch_second'],
    ]);
    const named = await shifted({ indices, 'time-fields': ['seen', 'new'] }, mappings);
    expect(named.job.times?.fields.map(({ name, format }) => [name, format])).toEqual([
      ['seen', 'epoch_second'],
      ['new', null],
    ]);
  });

  test('no load begins if there are no date fields, or if the formats of a field differ', async () => {
    await expect(shifted({}, { 'trial-1': {} })).rejects.toMatchObject({ code: 'replay.no-time-fields' });
    const indices = { shop: { existing: 'shop-copy' } };
    const other = { at: { ...date, format: 'epoch_second' } };
    await expect(shifted({ indices }, { 'trial-1': { at: date }, 'shop-copy': other })).rejects.toMatchObject(
      { code: 'replay.time-format' },
    );
  });

  test('is refused without `format` if the name of the file means searches, and searches if it means traffic', async () => {
    const day = await written('day.log', [{}]);
    await expect(checked(day)).rejects.toThrow(
      'contains recorded traffic, but its name is not that of a file of traffic (found traffic; allowed: format: traffic)',
    );
    expect(await checked(day, { format: 'traffic' })).toContain('1 of 1 request can be sent');
    const searches = fileNamed('searches.traffic');
    writeFileSync(searches, '1451880953.000|product|{"query":{"match_all":{}}}\n');
    await expect(checked(searches)).rejects.toMatchObject({ code: 'source.other-content' });
    await expect(checked(searches, { format: 'query-log' })).resolves.toBe('');
  });
});
