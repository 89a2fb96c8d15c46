import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ElasticsearchRequest } from '../../../common/elasticsearch/client';
import { readDefinition } from '../../../common/experiment/read';
import { resolveCells } from '../../../common/experiment/resolved-cells';
import type { TargetConnection } from '../../target-cluster/connection';
import { startCaches } from './caches';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-caches-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function started(caches: string | undefined, areMade: boolean, dataFolder: string | undefined) {
  const asked: string[] = [];
  const notes: string[] = [];
  const connection = {
    request({ method, path: to }: ElasticsearchRequest) {
      asked.push(`${method} ${to}`);
      return Promise.resolve({ status: 200, body: { a: { settings: { index: { uuid: 'u' } } } } });
    },
  } as unknown as TargetConnection;
  const [cell] = resolveCells(
    readDefinition({
      version: 1,
      name: 'caches',
      tasks: [{ name: 'search', search: { requests: [{ name: 'all', body: {} }] } }],
      measure: { duration: '5s', ...(caches === undefined ? {} : { caches }) },
    }),
  );
  const summary = await startCaches({
    definition: cell!.definition,
    connection,
    names: ['a'],
    areMade,
    dataFolder,
    signal: new AbortController().signal,
    onNote: (note) => notes.push(note),
  });
  return { asked, notes, summary };
}

test('caches are left alone if the definition does not name them or asks for warm ones', async () => {
  expect(await started(undefined, true, folder)).toEqual({ asked: [], notes: [], summary: undefined });
  expect(await started('warm', true, folder)).toEqual({
    asked: [],
    notes: [],
    summary: { start: 'warm', pageCache: null, kept: '' },
  });
});

test('on nodes that Dyno did not start, only Elasticsearch’s caches are emptied, and the note says so', async () => {
  for (const areMade of [true, false]) {
    const { asked, notes, summary } = await started('cold', areMade, undefined);
    expect(asked).toEqual(['POST /a/_cache/clear']);
    expect(summary).toMatchObject({ start: 'cold', pageCache: null });
    expect(summary!.kept).toContain('Dyno did not start these nodes on this machine');
    expect(notes).toEqual([`the caches are not entirely cold: ${summary!.kept}`]);
  }
});

test('a folder without the data files does not count as cold, and no index is closed', async () => {
  const { asked, summary } = await started('cold', true, folder);
  expect(asked).toEqual(['GET /a', 'POST /a/_cache/clear']);
  expect(summary).toMatchObject({ pageCache: null });
  expect(summary!.kept).toContain('may not have been emptied');
});
