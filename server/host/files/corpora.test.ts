import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Definition } from '../../../common/experiment/definition';
import { readDefinition } from '../../../common/experiment/read';
import { checkFiles } from './corpora';

const root = mkdtempSync(path.join(tmpdir(), 'dyno-corpora-'));
const folder = path.join(root, 'corpora');
afterAll(() => rmSync(root, { recursive: true, force: true }));

beforeAll(() => {
  mkdirSync(path.join(folder, 'logs'), { recursive: true });
  writeFileSync(path.join(folder, 'logs', 'a.ndjson'), '{}\n');
  writeFileSync(path.join(root, 'secret.key'), 'geheim');
  symlinkSync(path.join(root, 'secret.key'), path.join(folder, 'link'));
  symlinkSync(root, path.join(folder, 'way-out'));
});

const reading = (file: string, more: object = {}): Definition =>
  readDefinition({
    version: 1,
    name: 'test',
    index: { mapping: {} },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { file }, bulk: { docs: 1 } },
        executor: { 'constant-clients': { clients: 1 } },
      },
    ],
    measure: { documents: 1 },
    ...more,
  });

test.each(['logs/a.ndjson', './logs/../logs/a.ndjson', 'not-there-yet.ndjson', '..name'])(
  '%s may be read',
  (file) => expect(checkFiles(reading(file), folder)).resolves.toBeUndefined(),
);

test.each([
  '/etc/passwd',
  '../secret.key',
  'logs/../../secret.key',
  'link',
  'way-out/secret.key',
  'a\0b',
  '..',
])('%j may not be read, and the sentence says what may', async (file) => {
  const failure = checkFiles(reading(file), folder);
  await expect(failure).rejects.toMatchObject({ kind: 'input', code: 'definition.file' });
  await expect(failure).rejects.toThrow(`a path relative to ${folder}, within it`);
});

test('levels of factors are checked too', async () => {
  const file = 'tasks[0].ingest.source.file';
  const definition = reading('logs/a.ndjson', { factors: { [file]: ['logs/a.ndjson', '/etc/shadow'] } });
  await expect(checkFiles(definition, folder)).rejects.toThrow('found "/etc/shadow"');
});

test('the log of a replay is checked too', async () => {
  const replay = (file: string): Definition =>
    readDefinition({
      version: 1,
      name: 'test',
      tasks: [{ name: 'shop', replay: { file }, executor: { recorded: {} } }],
    });
  await expect(checkFiles(replay('logs/a.ndjson'), folder)).resolves.toBeUndefined();
  await expect(checkFiles(replay('/etc/passwd'), folder)).rejects.toThrow('tasks[0].replay.file');
});

test('profiles are checked too', async () => {
  const path = 'tasks[0].ingest.source';
  const profile = (file: string): Definition =>
    reading('logs/a.ndjson', {
      factors: { [path]: [{ generator: { profile: file } }, { file: 'logs/a.ndjson' }] },
    });
  await expect(checkFiles(profile('logs/a.profile.json'), folder)).resolves.toBeUndefined();
  await expect(checkFiles(profile('../secret.profile.json'), folder)).rejects.toMatchObject({
    problems: [{ path: 'tasks[0].ingest.source.generator.profile' }],
  });
});

test('files of a preload or of queries are checked too', async () => {
  const outside = '../secret.npy';
  const preload = { documents: 1, source: { vectors: { file: outside } } };
  await expect(checkFiles(reading('logs/a.ndjson', { preload }), folder)).rejects.toMatchObject({
    problems: [{ path: 'preload.source.vectors.file' }],
  });
  const queries = {
    name: 'queries',
    requests: {
      list: [{ name: 'near', knn: { vector: '{{q}}' } }],
      parameters: { q: { vector: { file: outside } } },
    },
  };
  const more = { tasks: [queries], measure: { duration: '1s' } };
  await expect(checkFiles(reading('logs/a.ndjson', more), folder)).rejects.toMatchObject({
    problems: [{ path: 'tasks[0].requests.parameters.q.vector.file' }],
  });
});
