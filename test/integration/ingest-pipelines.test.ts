/**
 * Tests ingest pipelines that drop and redirect documents. The numbers of stored, dropped and redirected documents in the results must
 * agree with the documents in the indices.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { endedOf } from '../../common/measurement/counts';
import type { TrialDocument } from '../../common/measurement/trial';
import { workplace } from './support/dyno';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { startOpenSearch, START_TIMEOUT_MS, type OpenSearch } from './support/opensearch';

const results = sharedElasticsearch();
const place = workplace();
let target: OpenSearch;

const DOCUMENTS = 2000;
/** One in this many documents is dropped, and one in this many is redirected. */
const EVERY = 40;
const OTHER = 'elsewhere';
const isNth = (remainder: number): string => `ctx.n % ${EVERY} == ${remainder}`;

const PIPELINES = {
  drops: [{ drop: { if: isNth(3) } }],
  redirects: [{ set: { field: '_index', value: OTHER, if: isNth(5) } }],
  both: [{ drop: { if: isNth(3) } }, { set: { field: '_index', value: OTHER, if: isNth(5) } }],
  // Two documents share each id.
  merges: [{ set: { field: '_id', value: '{{half}}' } }],
};

beforeAll(async () => {
  target = await startOpenSearch();
  for (const [name, processors] of Object.entries(PIPELINES)) {
    const made = await ask('PUT', `${target.url}/_ingest/pipeline/${name}`, { processors });
    expect(made.status).toBe(200);
  }
  const lines = Array.from({ length: DOCUMENTS }, (_, n) => `{"n":${n},"half":${Math.floor(n / 2)}}\n`);
  place.write('numbers.ndjson', lines.join(''));
}, START_TIMEOUT_MS);
afterAll(async () => {
  place.remove();
  await target?.stop();
});
beforeEach(async () => {
  await ask('DELETE', `${target.url}/${OTHER}`);
});

async function countOf(index: string): Promise<number> {
  await ask('POST', `${target.url}/${index}/_refresh`);
  const { body } = await ask<{ count?: number }>('GET', `${target.url}/${index}/_count`);
  return body.count ?? 0;
}

/** Runs a trial that ingests documents. Returns the stored results of the trial, the exit code and the output. */
async function ingested(ingest: object, settings: object = {}) {
  const report = path.join(place.folder, 'report.md');
  const { code, stderr } = await place.dyno(
    'run',
    place.write('definition.json', {
      version: 1,
      name: 'pipelines',
      index: {
        settings: { number_of_shards: 1, number_of_replicas: 0, ...settings },
        mapping: { properties: { n: { type: 'integer' } } },
      },
      tasks: [
        {
          name: 'ingest',
          ingest: { source: { file: 'numbers.ndjson' }, bulk: { docs: 100 }, ...ingest },
          executor: { 'constant-clients': { clients: 2 } },
        },
      ],
      measure: { documents: DOCUMENTS },
      trials: 1,
      thresholds: ['ingest.error_rate < 0.1%'],
    }),
    '--elasticsearch',
    target.url,
    '--results',
    results(),
    '--no-collector',
    '--report',
    report,
  );
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)?.[1];
  if (id === undefined) throw new Error(stderr);
  await ask('POST', `${results()}/dyno-trials-*/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: TrialDocument }[] } }>(
    'POST',
    `${results()}/dyno-trials-*/_search`,
    { query: { term: { 'run.id': id } } },
  );
  const trial = body.hits.hits[0]!._source;
  expect(`${trial.trial.state} ${trial.trial.reason}`).toBe('completed ');
  const { total } = trial.tasks[0]!;
  expect(total.attempted).toBe(DOCUMENTS);
  expect(endedOf(total)).toBe(DOCUMENTS);
  return { trial, total, code, stderr, report: readFileSync(report, 'utf8'), held: trial.index!.docs };
}

const WAYS: Record<string, object> = {
  'without ids': {},
  'with ids': { ids: { by: 'sequential' } },
  'with actions': { actions: { create: 1 } },
};

describe.each(Object.entries(WAYS))('%s', (_, way) => {
  test('documents that a pipeline drops are counted as dropped, and a threshold on the error rate fails', async () => {
    const { total, held, code, report } = await ingested({ pipeline: 'drops', ...way });
    expect(total).toMatchObject({ accepted: DOCUMENTS - 50, dropped: 50, failed: 0, unknown: 0 });
    expect(held).toBe(DOCUMENTS - 50);
    expect(code).not.toBe(0);
    expect(report).not.toMatch(/All 2,000 documents were accepted/);
    expect(report).toMatch(/dropped/);
  }, 120_000);

  test('documents that a pipeline sends to another index are counted as redirected', async () => {
    const { total, held, code, report } = await ingested({ pipeline: 'redirects', ...way });
    expect(total).toMatchObject({ accepted: DOCUMENTS - 50, redirected: 50, failed: 0, unknown: 0 });
    expect(held).toBe(DOCUMENTS - 50);
    expect(await countOf(OTHER)).toBe(50);
    expect(code).not.toBe(0);
    expect(report).toContain(`stored in index \\[${OTHER}\\]`);
  }, 120_000);
});

test('the default pipeline of the index is found, and both outcomes are counted', async () => {
  const { total, held } = await ingested({}, { default_pipeline: 'both' });
  expect(total).toMatchObject({ accepted: DOCUMENTS - 100, dropped: 50, redirected: 50 });
  expect(held).toBe(DOCUMENTS - 100);
  expect(await countOf(OTHER)).toBe(50);
}, 120_000);

test('upserts, updates and deletes through a pipeline agree with the documents in the index', async () => {
  const { trial, total, held } = await ingested(
    {
      ids: { by: 'sequential' },
      actions: { index: 50, update: 40, delete: 10 },
      update: { doc_as_upsert: true },
    },
    { final_pipeline: 'drops' },
  );
  const { created, deleted } = trial.tasks[0]!.writes!;
  expect(total.dropped).toBeGreaterThan(0);
  expect(held).toBe(created - deleted);
}, 120_000);

test('if a pipeline gives two documents the same id, one is counted as replaced and none as missing', async () => {
  const { trial, total, held, code } = await ingested({ pipeline: 'merges' });
  expect(total.accepted).toBe(DOCUMENTS);
  expect(trial.tasks[0]!.writes).toMatchObject({ created: DOCUMENTS / 2, updated: DOCUMENTS / 2 });
  expect(held).toBe(DOCUMENTS / 2);
  expect(code).toBe(0);
}, 120_000);
