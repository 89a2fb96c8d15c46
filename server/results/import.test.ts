import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RunDocument } from '../../common/experiment/run';
import { importResults } from './import';
import { readResultsFile, writeResultsFile } from './results-file';
import { storedRun, storedSample, storedTrial, type StoredDocument } from './stored';
import { fakeCluster } from './testing/fake-cluster';
import { aRun, aSample, aTrial } from './testing/made-documents';

const DOCUMENTS: StoredDocument[] = [
  { ...storedRun(aRun('r', { state: 'completed' }), 10), known: true },
  storedTrial(aTrial('r', 'r-t01'), 11),
  storedSample(aSample('r', 'r-t01', 0)),
];

describe('a results file', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'dyno-import-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('is read as it was written', async () => {
    const file = await writeResultsFile(folder, DOCUMENTS, 'run r: the disk was full');
    expect(path.basename(file)).toMatch(/^r-[0-9a-f]{8}\.results\.ndjson$/);
    expect(readResultsFile(readFileSync(file, 'utf8'))).toMatchObject({
      why: 'run r: the disk was full',
      documents: DOCUMENTS,
    });
  });

  test.each<[string, (text: string) => string]>([
    ['truncated in a line', (text) => text.slice(0, -20)],
    ['truncated between lines', (text) => text.split('\n').slice(0, 3).join('\n') + '\n'],
    ['changed', (text) => text.replace('completed', 'failed')],
    ['another file', () => '{"version":1}\n'],
    ['empty', () => ''],
  ])('that is %s is refused', async (_, spoil) => {
    const file = await writeResultsFile(folder, DOCUMENTS, '');
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    const read = (): unknown => readResultsFile(readFileSync(file, 'utf8'));
    expect(read).toThrow(expect.objectContaining({ code: 'results.file', kind: 'input' }));
  });
});

test('an import stores missing documents, a deleted run included, and a second import changes nothing', async () => {
  const { client, documents } = fakeCluster();
  const nothing = { newer: { count: 0, reasons: [] }, refused: [] };
  expect(await importResults(client, DOCUMENTS)).toEqual({ written: 3, unchanged: 0, ...nothing });
  const after = structuredClone(documents);
  expect(await importResults(client, DOCUMENTS)).toEqual({ written: 0, unchanged: 3, ...nothing });
  expect(documents).toEqual(after);
});

test('an import keeps newer states, and replaces marks of processes that found no carrier', async () => {
  const { client, documents } = fakeCluster();
  const [run, trial] = DOCUMENTS as [StoredDocument, StoredDocument];
  const mark = aRun('r', { state: 'interrupted' });
  documents.set(`${run.index}/${run.id}`, { version: 50, source: mark });
  documents.set(`${trial.index}/${trial.id}`, { version: 50, source: aTrial('r', 'r-t01') });
  const { written, newer } = await importResults(client, DOCUMENTS);
  expect([written, newer]).toEqual([2, { count: 1, reasons: ['a newer state is stored'] }]);
  expect((documents.get(`${run.index}/${run.id}`)!.source as RunDocument).run.state).toBe('completed');
});
