import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ElasticsearchRequest } from '../../../common/elasticsearch/client';
import { until } from '../../../test/support/until';
import { collectBeside, type CollectorOptions } from './beside';
import { isAlive } from '../../process-life';
import { startCollector, type Collector } from './start';

let folder: string;
let said: string[];
let warned: string[];
let installed: string[];
let running: Collector[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dyno-collector-'));
  writeFileSync(join(folder, 'template.json'), '{"version":1,"template":{"mappings":{}}}');
  [said, warned, installed, running] = [[], [], [], []];
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  rmSync(folder, { recursive: true });
});

/** A results cluster that answers requests to install templates with `status`. */
const results = (status = 200): CollectorOptions['results'] => ({
  urls: ['http://127.0.0.1:1'],
  headers: { authorization: 'ApiKey c2VjcmV0' },
  ca: undefined,
  verifyCertificates: true,
  request: <T>({ method, path }: ElasticsearchRequest) => {
    if (method === 'PUT') installed.push(path);
    return Promise.resolve({ status: method === 'GET' ? 404 : status, body: {} as T });
  },
});

/** A fake dynobeat, which writes its input to the data folder. */
function collector(script: string): string {
  const file = join(folder, 'dynobeat');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
  return file;
}

async function collect(options: Partial<CollectorOptions> = {}): Promise<Collector | undefined> {
  const started = await collectBeside({
    collectorFile: options.collectorFile ?? collector('exec sleep 600'),
    metricsTemplateFile: join(folder, 'template.json'),
    results: results(),
    watched: { urls: ['http://127.0.0.1:1'], dataFolder: folder },
    console: { say: (text) => said.push(text), warn: (text) => warned.push(text) },
    ...options,
  });
  if (started) running.push(started);
  return started;
}

jest.setTimeout(30_000);

describe('the collector beside an embedded Elasticsearch', () => {
  it('gets its configuration in a private file, and credentials neither in a file nor in an argument', async () => {
    const started = await collect({
      collectorFile: collector(
        `echo "$@" > '${folder}/arguments'; env > '${folder}/environment'; touch '${folder}/there'; exec sleep 600`,
      ),
    });
    await until('its mark', () => existsSync(join(folder, 'there')));
    const file = join(folder, 'collector', 'dynobeat.yml');
    expect(readFileSync(join(folder, 'arguments'), 'utf8')).toBe(`-c ${file}\n`);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'collector')).mode & 0o777).toBe(0o700);
    expect(readFileSync(file, 'utf8')).not.toContain('c2VjcmV0');
    expect(readFileSync(join(folder, 'environment'), 'utf8')).toContain('=ApiKey c2VjcmV0\n');
    await started!.stop();
    expect([said, warned]).toEqual([[], []]);
  });

  it('shuts down when it is stopped, without a message', async () => {
    const started = await collect({
      collectorFile: collector(
        `trap 'touch "${folder}/flushed"; exit 0' TERM; touch '${folder}/there'; while :; do sleep 0.05; done`,
      ),
    });
    await until('its mark', () => existsSync(join(folder, 'there')));
    await started!.stop();
    expect(existsSync(join(folder, 'flushed'))).toBe(true);
    expect(warned).toEqual([]);
  });

  it('warns once, with the reason and the log, if it ends unexpectedly', async () => {
    await collect({ collectorFile: collector('echo noise >&2; echo "Exiting: no such thing" >&2; exit 1') });
    await until('a warning', () => warned.length > 0);
    expect(warned).toEqual([
      `the collector ended unexpectedly: Exiting: no such thing; its log is in ${folder}/collector/logs; ` +
        'runs continue without metrics of the nodes',
    ]);
  });

  it('is stopped with a message if it hangs', async () => {
    const ended: string[] = [];
    const started = await startCollector({
      binary: collector('echo $$ > pid; echo once >> logs/dynobeat-1.ndjson; while :; do sleep 0.05; done'),
      watched: ['http://127.0.0.1:1'],
      results: results(),
      engine: 'elasticsearch',
      folder: join(folder, 'collector'),
      onEnd: (message) => ended.push(message),
      silentMs: 400,
    });
    running.push(started);
    await until('its end', () => ended.length > 0);
    expect(ended).toEqual([
      `the collector hung (no log line for 0.4 s) and was stopped; its log is in ${folder}/collector/logs`,
    ]);
    expect(isAlive(Number(readFileSync(join(folder, 'collector', 'pid'), 'utf8')))).toBe(false);
  });

  it('is reported in one line if it is not built', async () => {
    await expect(collect({ collectorFile: '/nowhere/build/dynobeat-linux-amd64' })).resolves.toBeUndefined();
    expect(said).toEqual([
      'no collector: build/dynobeat-linux-amd64 is not built (npm run build:collector); ' +
        'runs continue without metrics of the nodes',
    ]);
    expect(warned).toEqual([]);
  });

  it('does not start if the template of its events cannot be installed', async () => {
    await expect(collect({ results: results(500) })).resolves.toBeUndefined();
    expect(warned).toEqual([expect.stringMatching(/dyno-metrics-\* is not installed: .*; no collector: /)]);
  });

  it('starts if the user may not install the template, because an administrator installs it', async () => {
    const started = await collect({ results: results(403) });
    expect(started).toBeDefined();
    await started!.stop();
  });

  it('installs the template for a collector of the user if there is no embedded Elasticsearch', async () => {
    await expect(collect({ watched: undefined })).resolves.toBeUndefined();
    expect(installed).toEqual(['/_index_template/dyno-metrics', '/dyno-metrics-*/_mapping']);
    expect([said, warned]).toEqual([[], []]);
  });
});
