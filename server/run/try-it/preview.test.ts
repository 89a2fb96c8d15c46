import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { GENERATOR_NAMES, MAPPINGS_BY_NAME } from '../../../common/generators/registry';
import { sourceSchema } from '../../../common/tasks/source';
import type { DocumentPreview } from '../../../common/api/tries';
import { previewDocuments } from './preview';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dyno-preview-'));
});
afterAll(() => rm(folder, { recursive: true }));

const preview = (source: object, count = 3): Promise<DocumentPreview> =>
  previewDocuments(
    { source: sourceSchema.parse(source), seed: 1, count },
    folder,
    new AbortController().signal,
  );

test.each(GENERATOR_NAMES)('documents of %s are JSON and have its mapping', async (generator) => {
  const { documents, mapping, isGuessed } = await preview({ generator });
  expect(documents).toHaveLength(3);
  const whole = documents.filter(({ text, bytes }) => bytes === Buffer.byteLength(text));
  expect(whole.map(({ text }) => typeof JSON.parse(text))).toEqual(whole.map(() => 'object'));
  expect(mapping).toEqual(MAPPINGS_BY_NAME[generator]);
  expect(isGuessed).toBe(false);
});

test('the same seed creates the same documents, except for their time', async () => {
  const timeless = ({ documents }: DocumentPreview): string[] =>
    documents.map(({ text }) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, ''));
  expect(timeless(await preview({ generator: 'systembase' }))).toEqual(
    timeless(await preview({ generator: 'systembase' })),
  );
});

test('documents of a file have the mapping that Elasticsearch would guess', async () => {
  await writeFile(path.join(folder, 'a.ndjson'), '{"n":1}\n{"n":2.5}\n');
  expect(await preview({ file: 'a.ndjson' })).toEqual({
    documents: [
      { text: '{"n":1}', bytes: 7 },
      { text: '{"n":2.5}', bytes: 9 },
    ],
    mapping: { properties: { n: { type: 'float' } } },
    isGuessed: true,
  });
});

test('lines of a file become documents', async () => {
  await writeFile(path.join(folder, 'a.log'), 'one\ntwo\n');
  const { documents } = await preview({ file: 'a.log', format: 'lines' });
  expect(documents.map(({ text }) => (JSON.parse(text) as { message: string }).message)).toEqual([
    'one',
    'two',
  ]);
});

test('vectors have the mapping of their field', async () => {
  const { documents, mapping } = await preview({ vectors: { dimensions: 4 } }, 1);
  expect(documents).toHaveLength(1);
  expect(JSON.stringify(mapping)).toContain('dense_vector');
});

test.each([
  [{ file: 'missing.ndjson' }, 'source.missing'],
  [{ generator: { profile: 'missing.json' } }, 'source.missing'],
])('the error names a missing file: %j', async (source, code) => {
  await expect(preview(source)).rejects.toMatchObject({ code });
});

test('a file without documents is refused with a reason', async () => {
  await writeFile(path.join(folder, 'no.ndjson'), 'plainly no JSON\n');
  await expect(preview({ file: 'no.ndjson' })).rejects.toMatchObject({ kind: 'input' });
});
