/** Tests export and import of runs as one file, from a real results cluster to an empty one. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createReadStream } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { IMPORT_STEPS, type ImportedRun, type ImportProgress } from '../../common/api/run-files';
import type { RunDocument } from '../../common/experiment/run';
import { publishedOf } from '../../common/presets';
import { buildReport } from '../../common/report/model/build';
import { renderHtml } from '../../common/report/render/html';
import { renderJson } from '../../common/report/render/json';
import { renderMarkdown } from '../../common/report/render/markdown';
import type { SampleDocument, TrialDocument } from '../../common/measurement/trial';
import { deliver } from '../../server/results/bulk';
import { createResultsReader } from '../../server/results/reader';
import { exportRuns, findHeaded } from '../../server/results/run-file/export';
import { importRuns, type ImportOptions } from '../../server/results/run-file/import';
import { METRICS, storedRun, storedSample, storedTrial } from '../../server/results/stored';
import { installTemplates } from '../../server/results/templates';
import { readReport, reportInFile } from '../../server/standalone/commands/reports';
import { aRun, aSample, aTrial } from '../../server/results/testing/made-documents';
import { Connection } from '../../server/target-cluster/connection';
import { writeWhole } from '../../server/whole-file';
import { ask, sharedElasticsearch, withElasticsearch } from './support/elasticsearch';

jest.setTimeout(60_000);

const url = sharedElasticsearch();
const other = withElasticsearch();
const folder = mkdtempSync(path.join(tmpdir(), 'dyno-run-files-'));
const RESULTS = path.resolve(__dirname, '../golden/results');
/**
 * Recorded runs of several kinds: with constant clients, with a constant rate, with several environments, an interrupted one, and one with
 * rejections.
 */
const RECORDED = ['ingest-search', 'open-loop', 'environments', 'interrupted', 'rejections'];

let from: Connection;
let to: Connection;
const ids: string[] = [];

interface Recorded {
  run: RunDocument;
  trials: TrialDocument[];
  samples: SampleDocument[];
}

async function store(client: Connection, { run, trials, samples }: Recorded): Promise<void> {
  const documents = [
    ...samples.map(storedSample),
    ...trials.map((trial) => storedTrial(trial, 5)),
    storedRun(run, 5),
  ];
  const { written, hindrance, rejected } = await deliver(client, documents);
  expect([written, hindrance, rejected]).toEqual([documents.length, null, []]);
}

beforeAll(async () => {
  from = new Connection({ hosts: [url()] });
  to = new Connection({ hosts: [other.url] });
  await installTemplates(from);
  for (const name of RECORDED) {
    const recorded = JSON.parse(readFileSync(path.join(RESULTS, `${name}.json`), 'utf8')) as Recorded;
    await store(from, recorded);
    ids.push(recorded.run.run.id);
  }
});
afterAll(async () => {
  await from.close();
  await to.close();
  rmSync(folder, { recursive: true, force: true });
});

async function exported(name: string, runs: readonly string[], client = from): Promise<string> {
  const file = path.join(folder, name);
  await writeWhole(file, exportRuns(client, await findHeaded(client, { runs }), '0.0.0'));
  return file;
}

const imported = (file: string, options: ImportOptions = {}, client = to): Promise<ImportedRun[]> =>
  importRuns(client, () => createReadStream(file), options);

const outcomes = (runs: readonly ImportedRun[]): string[] => runs.map(({ outcome }) => outcome);

async function reportsOf(client: Connection, id: string): Promise<string[]> {
  const reader = createResultsReader(client);
  const run = (await reader.getRun(id))!;
  const [trials, samples] = await Promise.all([reader.getTrials(id), reader.getSamples({ run: id })]);
  const published = publishedOf(run.experiment);
  const report = buildReport(run, trials, { published, samples });
  return [renderJson(report), renderMarkdown(report), renderHtml(report)];
}

/** Writes a copy of the file with changed text, packed as common tools would pack it. */
function changed(file: string, change: (text: string) => string): string {
  const to = `${file}-changed`;
  writeFileSync(to, gzipSync(change(gunzipSync(readFileSync(file)).toString())));
  return to;
}

test('runs that are imported into an empty cluster have identical reports', async () => {
  const file = await exported('all.gz', ids);
  const progress: ImportProgress[] = [];
  const fileBytes = statSync(file).size;
  const done = await imported(file, { fileBytes, onProgress: (one) => progress.push(one) });
  expect(outcomes(done)).toEqual(ids.map(() => 'stored'));
  expect([...new Set(progress.map(({ step }) => step))]).toEqual(['checking', 'storing']);
  for (const step of IMPORT_STEPS)
    expect(progress.findLast((one) => one.step === step)).toEqual({ step, share: 1 });
  for (const id of ids) {
    const reports = await reportsOf(from, id);
    expect(reports[1]!.length).toBeGreaterThan(500);
    expect(await reportsOf(to, id)).toEqual(reports);
  }
  // Reading one of them does not need a cluster either.
  const second = ids[1]!;
  const stored = await readReport(second, createResultsReader(from));
  expect(renderJson(await reportInFile(`${file}:${second}`))).toBe(renderJson(stored));
  await expect(reportInFile(file)).rejects.toMatchObject({
    code: 'results.file-run',
    problems: [{ path: file }],
  });
  // Exporting the imported runs gives the same text.
  const text = (name: string): string[] => gunzipSync(readFileSync(name)).toString().split('\n').slice(1, -2);
  expect(text(await exported('back.gz', ids, to))).toEqual(text(file));
  expect(outcomes(await imported(file))).toEqual(ids.map(() => 'unchanged'));
});

test('a run that already exists with different content is refused, and replaced on request', async () => {
  const run = aRun('other-content', { state: 'completed' });
  const trial = aTrial('other-content', 'other-content-t01');
  await store(from, { run, trials: [trial], samples: [aSample('other-content', trial.trial.id, 0)] });
  const file = await exported('other.gz', ['other-content']);
  const second = aTrial('other-content', 'other-content-t02');
  const standing = { ...run, run: { ...run.run, indices: [] } };
  await store(to, { run: standing, trials: [trial, second], samples: [] });
  await expect(imported(file)).rejects.toMatchObject({
    kind: 'input',
    code: 'results.run-there',
    problems: [{ path: 'other-content', allowed: expect.stringContaining('--replace') }],
  });
  const reader = createResultsReader(to);
  expect(await reader.getTrials('other-content')).toHaveLength(2);
  expect(outcomes(await imported(file, { replace: true }))).toEqual(['replaced']);
  expect(await reader.getTrials('other-content')).toEqual([trial]);
  expect(await reader.getSamples({ run: 'other-content' })).toHaveLength(1);
  expect(await reader.getRun('other-content')).toEqual(run);
});

test('runs of a file are imported into the given space, and runs of other spaces stay unchanged', async () => {
  const run = aRun('of-a-space', { state: 'completed' });
  run.experiment.space = 'team';
  const sample = aSample('of-a-space', 'of-a-space-t01', 0);
  await store(from, {
    run,
    trials: [],
    samples: [{ ...sample, experiment: { ...sample.experiment, space: 'team' } }],
  });
  const file = await exported('space.gz', ['of-a-space']);
  expect(outcomes(await imported(file, { space: 'lab' }))).toEqual(['stored']);
  expect((await createResultsReader(to, { space: 'lab' }).getRun('of-a-space'))?.experiment.space).toBe(
    'lab',
  );
  const [stored] = await createResultsReader(to).getSamples({ run: 'of-a-space' });
  expect(stored!.experiment.space).toBe('lab');
  expect(outcomes(await imported(file, { space: 'lab' }))).toEqual(['unchanged']);
  await expect(imported(file, { space: 'default', replace: true })).rejects.toThrow(
    'belongs to another space',
  );
});

test('events of the collector are included if their template is installed', async () => {
  const template = JSON.parse(readFileSync('build/metrics-template.json', 'utf8')) as { version: number };
  const events = [0, 1, 2].map((second) => ({
    '@timestamp': `2026-11-20T10:00:0${second}.000Z`,
    run: { id: 'collected' },
    trial: { id: 'collected-t01' },
    event: { dataset: 'dyno.node' },
  }));
  await ask('PUT', `${url()}/_index_template/dyno-metrics`, template);
  for (const event of events) await ask('POST', `${url()}/dyno-metrics-2026.11/_doc?refresh=true`, event);
  await store(from, { run: aRun('collected', { state: 'completed' }), trials: [], samples: [] });
  const file = await exported('collected.gz', ['collected']);
  expect(await imported(file)).toMatchObject([{ metrics: 0, metricsLeftOut: 3 }]);
  const body = template as { version: number; template: { settings: object; mappings: object } };
  await ask('DELETE', `${other.url}/dyno-runs-2026.11/_doc/collected?refresh=true`);
  const withTemplate = { metricsTemplate: { name: METRICS, body } };
  expect(await imported(file, withTemplate)).toMatchObject([{ metrics: 3, metricsLeftOut: 0 }]);
  await ask('POST', `${other.url}/dyno-metrics-*/_refresh`);
  const found = await ask<{ hits: { hits: { _source: object }[] } }>(
    'GET',
    `${other.url}/dyno-metrics-*/_search?sort=@timestamp&q=run.id:collected`,
  );
  expect(found.body.hits.hits.map(({ _source }) => _source)).toEqual(events);
});

describe('nothing is stored from a file that', () => {
  let file: string;
  beforeAll(async () => {
    const run = aRun('spoilt', { state: 'completed' });
    const trial = aTrial('spoilt', 'spoilt-t01');
    await store(from, { run, trials: [trial], samples: [aSample('spoilt', 'spoilt-t01', 0)] });
    file = await exported('spoilt.gz', ['spoilt']);
  });

  const cut = (name: string): string => {
    writeFileSync(name, readFileSync(file).subarray(0, -30));
    return name;
  };

  test.each<[string, () => string, string]>([
    ['is cut off', () => cut(`${file}-cut`), 'results.file'],
    [
      'was changed',
      () => changed(file, (text) => text.replace('trial 1 began', 'trial 2 began')),
      'results.file',
    ],
    [
      'lacks a document',
      () => changed(file, (text) => text.split('\n').toSpliced(1, 1).join('\n')),
      'results.file',
    ],
    [
      'lacks its last line',
      () => changed(file, (text) => text.split('\n').toSpliced(-2, 1).join('\n')),
      'results.file',
    ],
    ['has another format', () => changed(file, () => '{"version":1}\n'), 'results.file'],
    ['is empty', () => changed(file, () => ''), 'results.file'],
    [
      'is of a newer format',
      () => changed(file, (text) => text.replace('"version":1', '"version":2')),
      'results.file-newer',
    ],
    [
      'is of a newer Dyno',
      () => changed(file, (text) => text.replace(/"templates":\d+/, '"templates":999')),
      'results.file-newer',
    ],
  ])('%s', async (_, make, code) => {
    await expect(imported(make())).rejects.toMatchObject({
      kind: 'input',
      code,
      problems: [{ message: expect.stringMatching(/; nothing was stored$/) }],
    });
    expect(await createResultsReader(to).getRun('spoilt')).toBeUndefined();
    expect(await createResultsReader(to).getTrials('spoilt')).toEqual([]);
  });
});

test('a running run cannot be exported', async () => {
  await store(from, { run: aRun('goes-on'), trials: [], samples: [] });
  await expect(exported('goes-on.gz', ['goes-on'])).rejects.toMatchObject({ code: 'run.unfinished' });
});
