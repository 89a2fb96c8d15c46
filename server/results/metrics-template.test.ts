import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
  ['a file that is cut off', '{"version": 1, "templ'],
  ['something without a version, which could never be raised', '{"template": {}}'],
  ['nothing', 'null'],
])('refuses %s', async (_, text) => {
  await expect(readMetricsTemplate(fileOf(text))).rejects.toMatchObject({ code: 'results.metrics-template' });
});

test('refuses a file that is not there', async () => {
  await expect(readMetricsTemplate(path.join(folder, 'none.json'))).rejects.toMatchObject({
    code: 'results.metrics-template',
  });
});
