import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { readMetricsTemplate } from './metrics-template';

const folder = mkdtempSync(path.join(tmpdir(), 'dyno-template-'));
afterAll(() => rmSync(folder, { recursive: true }));

const fileOf = (text: string): string => {
  const file = path.join(folder, 'metrics-template.json');
  writeFileSync(file, text);
  return file;
};

test('reads the template under the name of the collector’s indices', async () => {
  const body = { version: 4, template: { settings: {}, mappings: {} } };
  expect(await readMetricsTemplate(fileOf(JSON.stringify(body)))).toEqual({ name: 'dyno-metrics', body });
});

test.each([
  ['a truncated file', '{"version": 1, "templ'],
  ['something without a version, which could never be raised', '{"template": {}}'],
  ['nothing', 'null'],
])('refuses %s', async (_, text) => {
  await expect(readMetricsTemplate(fileOf(text))).rejects.toMatchObject({ code: 'results.metrics-template' });
});

test('refuses a missing file', async () => {
  await expect(readMetricsTemplate(path.join(folder, 'none.json'))).rejects.toMatchObject({
    code: 'results.metrics-template',
  });
});

test('a change of the collector’s fields raises the version of its template (TemplateVersion in collector/include/include.go), otherwise installed templates refuse its events', () => {
  const root = path.join(__dirname, '..', '..');
  const collector = path.join(root, 'collector');
  const files = readdirSync(collector, { recursive: true })
    .map(String)
    .filter((file) => /fields[^/]*\.yml$/.test(file))
    .sort();
  const nameAndType = (key: string, value: unknown): unknown =>
    ['description', 'title', 'unit'].includes(key) ? undefined : value;
  const fields = files.map((file) =>
    JSON.stringify(parse(readFileSync(path.join(collector, file), 'utf8')), nameAndType),
  );
  const list = readFileSync(path.join(collector, 'include', 'include.go'), 'utf8');
  const digest = createHash('sha256').update(fields.join('\n')).digest('hex').slice(0, 16);
  // The digest is in the same line as the version, as a reminder: when the digest changes, the version must be raised.
  expect(/^const TemplateVersion = \d+ \/\/ ([0-9a-f]{16})$/m.exec(list)![1]).toBe(digest);
});
