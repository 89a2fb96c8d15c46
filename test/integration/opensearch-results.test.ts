/**
 * Tests a real OpenSearch as the cluster for results. Reports, charts, lists and histories must be the same as from Elasticsearch. The
 * command must be able to store a run there. The collector must be able to read the nodes of OpenSearch and store its events there.
 */
import { randomBytes } from 'node:crypto';
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { publishedOf } from '../../common/presets';
import { buildReport } from '../../common/report/model/build';
import { renderHtml } from '../../common/report/render/html';
import { renderJson } from '../../common/report/render/json';
import { deliver } from '../../server/results/bulk';
import { readCollected } from '../../server/results/collected';
import { createHistories } from '../../server/results/histories';
import { createResultsReader } from '../../server/results/reader';
import { getProfiles } from '../../server/results/profiles';
import { unpackProfile } from '../../server/results/unpacked-profile';
import { removeRun } from '../../server/results/removal';
import { planRetention } from '../../server/results/retention';
import { exportRuns, findHeaded } from '../../server/results/run-file/export';
import { importRuns } from '../../server/results/run-file/import';
import { storedProfile, storedRun, storedSample, storedTrial } from '../../server/results/stored';
import { installTemplates, TEMPLATES } from '../../server/results/templates';
import { aProfile } from '../../server/results/testing/made-documents';
import { createTimelineReader } from '../../server/results/timeline/timeline';
import { Connection } from '../../server/target-cluster/connection';
import { writeWhole } from '../../server/whole-file';
import { until } from '../support/until';
import { withDynobeat, METRICS_TEMPLATE } from './support/dynobeat';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { startOpenSearch, START_TIMEOUT_MS, type OpenSearch } from './support/opensearch';

jest.setTimeout(120_000);

const url = sharedElasticsearch();
const beats = withDynobeat();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-opensearch-results-'));
const GOLDEN = path.resolve(__dirname, '../golden/results');
/** Names of recorded runs of several kinds, which are stored in both clusters. */
const RECORDED = [
  ...['ingest-search', 'ingest-again', 'open-loop', 'environments', 'clusters', 'interrupted', 'rejections'],
  ...['highest-rate', 'parse', 'replay', 'transaction', 'preset'],
];

interface Recorded {
  run: RunDocument;
  trials: TrialDocument[];
  samples: SampleDocument[];
}

let openSearch: OpenSearch;
let inElasticsearch: Connection;
let inOpenSearch: Connection;
const runs: RunDocument[] = [];
const ids = (): string[] => runs.map(({ run }) => run.id);

async function exported(client: Connection, name: string): Promise<string> {
  const file = path.join(folder, name);
  await writeWhole(file, exportRuns(client, await findHeaded(client, { runs: ids() }), '0.0.0'));
  return file;
}

beforeAll(async () => {
  openSearch = await startOpenSearch();
  inElasticsearch = new Connection({ hosts: [url()] });
  inOpenSearch = new Connection({ hosts: [openSearch.url] });
  await installTemplates(inElasticsearch);
  for (const name of RECORDED) {
    const { run, trials, samples } = JSON.parse(
      readFileSync(path.join(GOLDEN, `${name}.json`), 'utf8'),
    ) as Recorded;
    const documents = [
      ...samples.map(storedSample),
      ...trials.map((trial) => storedTrial(trial, 5)),
      storedRun(run, 5),
    ];
    expect(await deliver(inElasticsearch, documents)).toMatchObject({
      written: documents.length,
      rejected: [],
    });
    runs.push(run);
  }
  const file = await exported(inElasticsearch, 'runs.gz');
  const outcomes = await importRuns(inOpenSearch, () => createReadStream(file));
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(runs.map(() => 'stored'));
}, START_TIMEOUT_MS);
afterAll(async () => {
  await inElasticsearch?.close();
  await inOpenSearch?.close();
  await openSearch?.stop();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** Checks that `read` returns the same from both clusters, and returns this value. */
async function expectSame<T>(read: (client: Connection) => Promise<T>): Promise<T> {
  const [one, other] = [await read(inElasticsearch), await read(inOpenSearch)];
  expect(other).toEqual(one);
  return one;
}

test('a file of runs that is imported into both gives the same reports, charts, lists and histories', async () => {
  for (const id of ids()) {
    const [json] = await expectSame(async (client) => {
      const reader = createResultsReader(client);
      const run = (await reader.getRun(id))!;
      const [trials, samples] = await Promise.all([reader.getTrials(id), reader.getSamples({ run: id })]);
      const report = buildReport(run, trials, { published: publishedOf(run.experiment), samples });
      return [renderJson(report), renderHtml(report)];
    });
    expect(json!.length).toBeGreaterThan(500);
    await expectSame(async (client) => {
      const reader = createTimelineReader(client);
      const [trial] = await createResultsReader(client).getTrials(id);
      const of = trial && { trial: trial.trial.id, task: trial.tasks[0]?.task ?? '', columns: 20 };
      return [
        await reader.timeline(id, { points: 50 }),
        await reader.distributions(id),
        ...(of ? [await reader.heatmap(id, of), await reader.parts(id, of)] : []),
      ];
    });
  }
  const listed = await expectSame((client) => createResultsReader(client).listRuns({ limit: 100 }));
  expect(listed).toHaveLength(runs.length);
  for (const { experiment } of runs)
    await expectSame((client) =>
      createHistories(client).history({ id: experiment.id, name: experiment.name }),
    );
  await expectSame(async (client) => {
    const { runs: outdated, documents } = await planRetention(client, { runs: 0 }, new Set());
    return [outdated.map(({ id }) => id).sort(), documents];
  });
});

test('an export from OpenSearch is the file that was imported', async () => {
  const text = (file: string): string[] => gunzipSync(readFileSync(file)).toString().split('\n').slice(1, -2);
  expect(text(await exported(inOpenSearch, 'back.gz'))).toEqual(
    text(await exported(inElasticsearch, 'again.gz')),
  );
});

test('factors whose names begin with the name of another one are stored and found by their full names', async () => {
  const base = runs[0]!.run.id;
  const [trial] = await createResultsReader(inOpenSearch).getTrials(base);
  const levels = { number_of_shards: 1, 'number_of_shards.x': 'on', 'a.b.c': null };
  const stored = storedTrial(
    {
      ...trial!,
      run: { id: 'dots' },
      trial: { ...trial!.trial, id: 'dots-t01' },
      cell: { ...trial!.cell, levels },
    },
    5,
  );
  expect(await deliver(inOpenSearch, [stored])).toMatchObject({ written: 1, rejected: [] });
  const [read] = await createResultsReader(inOpenSearch).getTrials('dots');
  expect(read!.cell.levels).toEqual(levels);
  const found = await ask<{ hits: { hits: { _id: string }[] } }>(
    'POST',
    `${openSearch.url}/dyno-trials-*/_search`,
    { query: { bool: { filter: [{ term: { 'factors.number_of_shards.x': 'on' } }] } } },
  );
  expect(found.body.hits.hits.map(({ _id }) => _id)).toEqual(['dots-t01']);
  expect(await removeRun(inOpenSearch, 'dots')).toBe(1);
});

test('a profile of 1 MB is stored and read', async () => {
  const names = Array.from({ length: 20_000 }, () => randomBytes(32).toString('hex'));
  const text = names.map((name) => `n1;write;${name} 1\n`).join('');
  const profile = { ...aProfile('profiled', 'profiled-t01'), stacks: gzipSync(text).toString('base64') };
  expect(await deliver(inOpenSearch, [storedProfile(profile)])).toMatchObject({ written: 1, rejected: [] });
  const read = await getProfiles(inOpenSearch, 'profiled', { event: 'cpu', cells: [profile.cell.index] });
  expect(read.map((document) => unpackProfile(document).stacks.size)).toEqual([names.length]);
  expect(await removeRun(inOpenSearch, 'profiled')).toBe(1);
});

test('newer templates add their fields to the indices that exist', async () => {
  const raised = TEMPLATES.map(({ name, body }) => {
    const { mappings } = body.template as { mappings: { properties: object } };
    const properties = { ...mappings.properties, later: { type: 'keyword' } };
    const version = body.version + 1;
    const template = { ...body.template, mappings: { ...mappings, properties } };
    return { name, body: { ...body, version, _meta: { dyno: { version } }, template } };
  });
  expect(await installTemplates(inOpenSearch, raised)).toEqual([]);
  const mappings = await ask<Record<string, { mappings: { properties: Record<string, object> } }>>(
    'GET',
    `${openSearch.url}/dyno-*-*/_mapping`,
  );
  const kinds = TEMPLATES.map(({ name }) => name);
  const own = Object.entries(mappings.body).filter(([index]) => kinds.some((kind) => index.startsWith(kind)));
  expect(own.length).toBeGreaterThanOrEqual(3);
  for (const [, { mappings: found }] of own) expect(found.properties['later']).toEqual({ type: 'keyword' });
});

test('a run of the command is stored, listed and shown, with Elasticsearch as the target', async () => {
  const place = workplace();
  try {
    const definition = place.write('one.json', {
      version: 1,
      name: 'stored in OpenSearch',
      index: { settings: { number_of_replicas: 0 } },
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { generator: 'systembase' }, bulk: { docs: 10 } },
          executor: { 'constant-rate': { rate: 20 } },
        },
      ],
      measure: { warmup: '0s', duration: '2s' },
      trials: 1,
    });
    const results = ['--results', openSearch.url];
    const ran = await place.dyno('run', definition, '--elasticsearch', url(), ...results);
    expect(ran).toMatchObject({ code: 0 });
    const listed = await place.dyno('runs', ...results);
    expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('stored in OpenSearch') });
    const [run] = await createResultsReader(inOpenSearch).listRuns({ limit: 1 });
    expect(run).toMatchObject({ experiment: { name: 'stored in OpenSearch' }, run: { state: 'completed' } });
    const shown = await place.dyno('report', run!.run.id, ...results);
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('docs/s') });
    expect(await createResultsReader(inOpenSearch).getSamples({ run: run!.run.id })).not.toHaveLength(0);
    expect(await createResultsReader(inElasticsearch).getRun(run!.run.id)).toBeUndefined();
  } finally {
    place.remove();
  }
});

describe('dynobeat', () => {
  const configOf = (output: string): object => ({
    'dynobeat.modules': [
      { module: 'dyno', metricsets: ['node'], period: '1s', hosts: [openSearch.url] },
      { module: 'dyno', metricsets: ['host'], period: '1s', 'elasticsearch.hosts': [openSearch.url] },
    ],
    [output]: { hosts: [openSearch.url], 'backoff.init': '1s', 'backoff.max': '2s' },
  });

  test('reads the nodes of OpenSearch, and stores their events with the trial in OpenSearch', async () => {
    const cluster = await ask<{ cluster_uuid: string }>('GET', `${openSearch.url}/_cluster/state/version`);
    const at = (s: number): string => new Date(Date.now() + s * 1000).toISOString();
    const uuid = cluster.body.cluster_uuid;
    await installTemplates(inOpenSearch, [
      { name: 'dyno-metrics', body: JSON.parse(readFileSync(METRICS_TEMPLATE, 'utf8')) as never },
    ]);
    await ask('PUT', `${openSearch.url}/dyno-markers/_doc/${uuid}`, {
      '@timestamp': at(0),
      cluster: { uuid },
      run: { id: 'beat' },
      experiment: { id: 'beat', name: 'Collector' },
      trial: { id: 'beat-t01' },
      cell: { id: 'cell-1', label: 'only one' },
      phases: [{ phase: 'measure', from: at(-60), until: null }],
      clocks: {},
      ended: null,
    });
    const beat = beats.start(configOf('output.opensearch'));
    let writes = 0;
    let collected: Awaited<ReturnType<typeof readCollected>> = null;
    await until('events of the node and of its machine', async () => {
      await ask('PUT', `${openSearch.url}/written/_doc/${writes++}`, { n: writes });
      collected = await readCollected(inOpenSearch, 'beat-t01').catch(() => null);
      const [node] = collected?.nodes ?? [];
      return (node?.coveredMs ?? 0) > 4000 && (node?.host?.coveredMs ?? 0) > 4000;
    });
    expect(await beat.stop()).toBe(0);
    expect(beat.log()).not.toMatch(/dropped an event|cannot read/);
    expect(collected!.nodes).toHaveLength(1);
    expect(collected!.nodes[0]).toMatchObject({
      name: 'dyno-1',
      roles: expect.arrayContaining(['data']),
      threadPools: { write: { completed: expect.any(Number), rejected: 0 } },
      indexingPressure: { coordinating: 0, primary: 0, replica: 0 },
      host: { busyShare: expect.any(Number) },
    });
  });

  test('names the output for OpenSearch if its configuration has the output for Elasticsearch', async () => {
    const beat = beats.start(configOf('output.elasticsearch'));
    await until('the message', () =>
      /this is OpenSearch 3\.6\.0: rename output\.elasticsearch to output\.opensearch/.test(beat.log()),
    );
    expect(await beat.stop()).toBe(0);
  });
});
