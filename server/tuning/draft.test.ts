import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDefinition } from '../../common/experiment/read';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import { draftOf, removeOldDrafts, samplesIn } from './draft';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-drafts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('samples of drafts are removed after a day, except those that a tuning or an experiment uses', async () => {
  const samples = samplesIn(folder);
  const [left, taken, read] = ['left', 'taken', 'read'].map((name) => `tuning-${name}-mibq2x1k.ndjson`) as [
    string,
    string,
    string,
  ];
  for (const file of [left, taken, read]) await samples.keep(file, '{}\n');
  await samples.take(taken);
  const reading = readDefinition({
    version: 1,
    name: 'reads it',
    index: { name: 'read', mapping: {} },
    tasks: [{ name: 'ingest', ingest: { source: { file: read, repeat: true } } }],
    measure: { duration: '10s' },
  });
  const experiments = (): Promise<{ definition: typeof reading }[]> =>
    Promise.resolve([{ definition: reading }]);
  const there = (): string[] => readdirSync(folder).filter((name) => name.endsWith('.ndjson'));
  await removeOldDrafts(samples, experiments);
  expect(there()).toHaveLength(3);
  await removeOldDrafts(samples, experiments, Date.now() + 25 * 3_600_000);
  expect(there().sort()).toEqual([read, taken].sort());
});

/** Returns a target with one index that contains one document. */
const targetWith = (index: string, more: object): ElasticsearchClient =>
  ({
    request: ({ path: asked }: { path: string }) =>
      Promise.resolve({
        status: 200,
        body: asked.endsWith('_search')
          ? { hits: { hits: [{ _source: { a: 1 } }] } }
          : { [index]: { mappings: {}, settings: { index: {} }, ...more } },
      }),
  }) as unknown as ElasticsearchClient;

test.each([
  ['an index', 'logs', {}, { name: 'logs', dataStream: false }],
  [
    'a data stream by its own name',
    '.ds-logs-web-default-2026.11.26-000001',
    { data_stream: 'logs-web-default' },
    { name: 'logs-web-default', dataStream: true },
  ],
])('a draft names %s as the tuned index', async (_, index, more, subject) => {
  const order = { target: 'local', index, documents: 10, search: false };
  const kept: string[] = [];
  const draft = await draftOf(targetWith(index, more), order, {
    keep: (file) => Promise.resolve(void kept.push(file)),
  });
  expect(draft.subject).toEqual(subject);
  expect(draft.definition.name).toBe(subject.name);
  expect(kept).toHaveLength(1);
});

test('a data stream of several indices is tuned as its newest one, in indices that its template does not match', async () => {
  const backing = (generation: number, refresh: string): object => ({
    [`.ds-logs-web-default-2026.11.26-00000${generation}`]: {
      mappings: { _data_stream_timestamp: { enabled: true }, properties: { a: { type: 'long' } } },
      settings: { index: { refresh_interval: refresh } },
      data_stream: 'logs-web-default',
    },
  });
  const client = {
    request: ({ path: asked }: { path: string }) =>
      Promise.resolve({
        status: 200,
        body: asked.endsWith('_search')
          ? { hits: { hits: [{ _source: { a: 1 } }] } }
          : { ...backing(2, '5s'), ...backing(1, '30s') },
      }),
  } as unknown as ElasticsearchClient;
  const order = { target: 'local', index: 'logs-web-default', documents: 10, search: false };
  const { definition, subject } = await draftOf(client, order, { keep: () => Promise.resolve() });
  expect(subject).toEqual({ name: 'logs-web-default', dataStream: true });
  expect(definition).toMatchObject({
    name: 'logs-web-default',
    index: {
      name: 'tuning-logs-web-default',
      settings: { refresh_interval: '5s' },
      mapping: { properties: { a: { type: 'long' } } },
    },
  });
  expect(JSON.stringify(definition)).not.toContain('_data_stream_timestamp');
});
