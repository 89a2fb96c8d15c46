/**
 * Tests index modes, bytes per document and data streams on the embedded Elasticsearch. It has index modes and `_disk_usage`, but not the
 * API of data streams. For trials that create data streams, a proxy provides this API (support/data-streams.ts).
 */
import { countDocuments, indexState } from '../../server/target-cluster/snapshot';
import { Connection } from '../../server/target-cluster/connection';
import { rollOver } from '../../server/target-cluster/data-streams';
import { findMarkedIndices } from '../../server/target-cluster/index-lifecycle';
import { withDataStreams, type StreamingElasticsearch } from './support/data-streams';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
let streams: StreamingElasticsearch;

beforeAll(async () => {
  streams = await withDataStreams(url());
});
afterAll(async () => {
  place.remove();
  await streams.close();
});

jest.setTimeout(60_000);

const definition = (more: object): object => ({
  version: 1,
  name: 'modes',
  index: { settings: { number_of_replicas: 0 } },
  tasks: [{ name: 'ingest', ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 500 } } }],
  measure: { documents: 2000 },
  trials: 1,
  ...more,
});

interface Trial {
  cell: { label: string };
  trial: { state: string };
  server: { partial: boolean; indexing: { docs: number } };
  tasks: { total: { accepted: number; conflicted: number } }[];
  index: {
    docs: number;
    storeBytes: number;
    segments: number;
    backing?: number;
    merged?: number;
    modes: { mode: string; source: string };
    fields?: Record<string, number>;
    recipe?: Record<string, number>;
  };
}

interface RunState {
  state: string;
  indices: string[];
}

async function found<T>(index: string, id: string, sort?: object): Promise<T[]> {
  await ask('POST', `${url()}/${index}/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: T }[] } }>('POST', `${url()}/${index}/_search`, {
    query: { term: { 'run.id': id } },
    ...(sort ? { sort: [sort] } : {}),
  });
  return body.hits.hits.map(({ _source }) => _source);
}

const idIn = (stderr: string): string => /run (\d{8}-\d{6}-[0-9a-f]{4}): modes/.exec(stderr)![1]!;

async function run(name: string, more: object, target = url()): Promise<{ trials: Trial[]; stdout: string }> {
  const file = place.write(name, definition(more));
  const { code, stdout, stderr } = await place.dyno('run', file, '--elasticsearch', target);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const trials = await found<Trial>('dyno-trials-*', idIn(stderr), { 'trial.order': 'asc' });
  return { trials, stdout: stdout.replaceAll(/\s+/g, ' ') };
}

/** Returns the names of all indices that runs of Dyno have created, including hidden ones. */
async function markedNames(): Promise<string[]> {
  const connection = new Connection({ hosts: [url()] });
  try {
    return (await findMarkedIndices(connection)).map(({ index }) => index);
  } finally {
    await connection.close();
  }
}

it('reports bytes per document, also by field, and the actual index modes, even if they are not the requested ones', async () => {
  const { trials, stdout } = await run('modes.json', {
    factors: [
      { 'index.settings.mode': 'standard', 'index.mapping': 'apache-logs' },
      { 'index.settings.mode': 'logsdb', 'index.mapping': 'apache-logs' },
      // Version 9 ignores this way of requesting synthetic source.
      { 'index.settings.mode': 'standard', 'index.mapping': { _source: { mode: 'synthetic' } } },
    ],
    thresholds: ['index.bytes_per_document < 1kb', 'index.field.message.bytes_per_document > 10b'],
    measure: { documents: 1500, 'force-merge': 1, 'disk-usage': true },
  });
  const [standard, logsdb, asked] = trials.map(({ index }) => index) as [
    Trial['index'],
    Trial['index'],
    Trial['index'],
  ];
  expect(standard).toMatchObject({
    docs: 1500,
    segments: 1,
    merged: 1,
    modes: { mode: 'standard', source: 'stored' },
  });
  expect(logsdb).toMatchObject({ docs: 1500, segments: 1, modes: { mode: 'logsdb', source: 'synthetic' } });
  expect(asked.modes).toEqual({ mode: 'standard', source: 'stored' });
  expect(logsdb.storeBytes).toBeLessThan(standard.storeBytes * 0.8);
  expect(standard.fields!['_source']).toBeGreaterThan(0);
  expect(logsdb.fields!['_source'] ?? 0).toBe(0);
  expect(stdout).toContain('The source of the documents was not synthetic in 1 of 3 trials (#3)');
});

it('times each step of the recipe that is applied to the indices after a load', async () => {
  const { trials, stdout } = await run('recipe.json', {
    index: { settings: { number_of_replicas: 0, number_of_shards: 1, refresh_interval: '-1' } },
    measure: {
      documents: 2000,
      recipe: [
        { name: 'merge', 'force-merge': 1 },
        { name: 'restore', settings: { refresh_interval: '1s' } },
        { name: 'green', wait: 'green' },
        { name: 'found', wait: 'searchable' },
      ],
    },
    thresholds: ['index.recipe.total.time < 50s'],
  });
  const [{ index }] = trials as [Trial];
  const { load, total, ...steps } = index.recipe!;
  expect(Object.keys(steps)).toEqual(['merge', 'restore', 'green', 'found']);
  const sum = Object.values(steps).reduce((all, ms) => all + ms, load!);
  expect(Math.abs(total! - sum)).toBeLessThan(10);
  expect(index).toMatchObject({ docs: 2000, segments: 1 });
  expect(stdout).toContain('index.recipe.total.time < 50s');
});

it('refuses a run with data streams before it begins if the target lacks their API', async () => {
  const file = place.write('lacks.json', definition({ index: { as: 'data-stream' } }));
  const { code, stderr } = await place.dyno('run', file, '--elasticsearch', url());
  expect(code).not.toBe(0);
  expect(stderr).toContain('index.as: the target does not offer data streams');
  expect(await markedNames()).toEqual([]);
});

it('creates a time series data stream, rolls it over, counts all of it, and removes it with its template', async () => {
  const { trials } = await run(
    'stream.json',
    {
      index: {
        as: 'data-stream',
        settings: { number_of_replicas: 0, mode: 'time_series' },
        dimensions: ['clientip'],
        lifecycle: { data_retention: '7d' },
        rollover: { documents: 100 },
      },
      measure: { warmup: '0s', duration: '3s' },
    },
    streams.url,
  );
  const [trial] = trials as [Trial];
  expect(trial.trial.state).toBe('completed');
  expect(trial.index.docs).toBe(trial.tasks[0]!.total.accepted);
  expect(trial.index.modes).toEqual({ mode: 'time_series', source: 'synthetic' });
  expect(trial.index.backing).toBeGreaterThan(1);
  expect(trial.server.partial).toBe(false);
  const [[name, template]] = [...streams.templates].slice(-1) as [[string, Record<string, unknown>]];
  expect(template).toMatchObject({
    index_patterns: [name],
    data_stream: {},
    _meta: { dyno: { stream: name } },
    template: { lifecycle: { data_retention: '7d' }, mappings: { _meta: { dyno: { stream: name } } } },
  });
  // The template is removed after its stream. Elasticsearch refuses the other order, and a bulk could create the stream again.
  expect(streams.calls.slice(-4)).toEqual([
    `PUT template ${name}`,
    `PUT stream ${name}`,
    `DELETE stream ${name}`,
    `DELETE template ${name}`,
  ]);
  expect(await markedNames()).toEqual([]);
});

it('removes the data stream of a killed run when the next one begins', async () => {
  const index = { as: 'data-stream', settings: { number_of_replicas: 0 } };
  const file = place.write('killed.json', definition({ index, measure: { warmup: '0s', duration: '1m' } }));
  const running = place.start('run', file, '--elasticsearch', streams.url);
  await running.says(/measure 0s of 1m/);
  running.child.kill('SIGKILL');
  const killed = idIn((await running.ended).stderr);
  expect(await markedNames()).toEqual([`dyno-trial-${killed}-01`]);
  const { code, stdout } = await place.dyno('runs', '--results', streams.url);
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: expect.stringContaining(`dyno-trial-${killed}-01`),
  });
  await run('next.json', { measure: { documents: 500 } }, streams.url);
  expect(await markedNames()).toEqual([]);
  const [{ run: left }] = (await found<{ run: RunState }>('dyno-runs-*', killed)) as [{ run: RunState }];
  expect(left).toMatchObject({ state: 'interrupted', indices: [] });
});

describe('a real data stream that a bulk creates', () => {
  const NAME = 'streamed-by-a-bulk';
  const mark = (own: object): object => ({ _meta: { dyno: own } });
  const template = (own: object): Record<string, unknown> => ({
    index_patterns: [NAME],
    priority: 1_000_000,
    data_stream: {},
    ...mark(own),
    template: { settings: { number_of_replicas: 0 }, mappings: mark(own) },
  });
  const OWN = { run: 'r', trial: 't', experiment: 'e', created: '2026-11-23T00:00:00Z', stream: NAME };

  // Only the API of data streams could remove the stream.
  afterAll(async () => {
    await ask('PUT', `${url()}/${NAME}/_mapping`, { _meta: {} });
    await ask('PUT', `${url()}/_index_template/${NAME}`, template({}));
  });

  it('accepts only create actions, rolls over, and is counted and found as a whole', async () => {
    await ask('PUT', `${url()}/_index_template/${NAME}`, template(OWN));
    const line = (action: string): string => `{"${action}":{}}\n{"@timestamp":"2026-11-23T00:00:00Z"}\n`;
    const { body } = await ask<{ items: Record<string, { status: number }>[] }>(
      'POST',
      `${url()}/${NAME}/_bulk?refresh=true`,
      `${line('create')}${line('index')}`,
    );
    expect(body.items.map((item) => Object.values(item)[0]!.status)).toEqual([201, 400]);
    const connection = new Connection({ hosts: [url()] });
    try {
      expect(await rollOver(connection, NAME, { documents: 1000, bytes: 1024 ** 3 })).toBe(false);
      expect(await rollOver(connection, NAME, { documents: 1 })).toBe(true);
      await ask('POST', `${url()}/${NAME}/_bulk`, line('create'));
      expect(await countDocuments(connection, [NAME])).toBe(2);
      expect(await indexState(connection, [NAME], 2)).toMatchObject({ docs: 2, backing: 2, segments: 2 });
      expect(await findMarkedIndices(connection, 'r')).toEqual([{ index: NAME, mark: OWN }]);
    } finally {
      await connection.close();
    }
  });
});
