/**
 * Tests with the real command that trials are set up correctly: settings of indices, hosts of the target, the nodes to which requests are
 * sent, and a clock that is wrong.
 */
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { RunDocument } from '../../common/experiment/run';
import type { TrialDocument } from '../../common/measurement/trial';
import type { Report } from '../../common/report/model/report';
import { workplace, type Ended } from './support/dyno';
import { ask, sharedElasticsearch, START_TIMEOUT_MS, withElasticsearch } from './support/elasticsearch';

jest.setTimeout(START_TIMEOUT_MS);

const url = sharedElasticsearch();
const other = withElasticsearch();
const place = workplace();
const servers: Server[] = [];

afterAll(async () => {
  place.remove();
  for (const server of servers) await new Promise((resolve) => server.close(resolve));
});

const definition = (more: object = {}): object => ({
  version: 1,
  name: 'set-up',
  index: { name: 'dyno-setup', settings: { number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 100 } },
      executor: { 'constant-clients': { clients: 1 } },
    },
  ],
  measure: { documents: 500 },
  trials: 1,
  ...more,
});

let files = 0;
const run = (more: object, ...options: string[]): Promise<Ended> => {
  files += 1;
  return place.dyno('run', place.write(`d-${files}.json`, definition(more)), ...options);
};

const idIn = (stderr: string): string => /run (\d{8}-\d{6}-[0-9a-f]{4}): set-up/.exec(stderr)![1]!;

async function stored<T>(index: string, id: string): Promise<T[]> {
  await ask('POST', `${url()}/${index}/_refresh`);
  const { body } = await ask<{ hits: { hits: { _source: T }[] } }>('POST', `${url()}/${index}/_search`, {
    query: { term: { 'run.id': id } },
  });
  return body.hits.hits.map(({ _source }) => _source);
}
const trialsOf = (id: string): Promise<TrialDocument[]> => stored<TrialDocument>('dyno-trials-*', id);
const runOf = async (id: string): Promise<RunDocument> => (await stored<RunDocument>('dyno-runs-*', id))[0]!;

describe('index templates of the target', () => {
  const NAMES = ['/_index_template/tests-all', '/_component_template/tests-part', '/_template/tests-old'];
  afterEach(async () => {
    for (const name of NAMES) await ask('DELETE', `${url()}${name}`);
  });

  async function putTemplates(): Promise<void> {
    await ask('PUT', `${url()}/_component_template/tests-part`, {
      template: { settings: { 'index.translog.durability': 'async' } },
    });
    const { status } = await ask('PUT', `${url()}/_index_template/tests-all`, {
      index_patterns: ['dyno-setup*'],
      priority: 3,
      composed_of: ['tests-part'],
      template: {
        settings: { refresh_interval: '45s' },
        mappings: { properties: { theirs: { type: 'keyword' } } },
        aliases: { everything: {} },
      },
    });
    expect(status).toBe(200);
  }

  const ADDED =
    'alias everything (index template tests-all); index.refresh_interval 45s (index template tests-all); ' +
    'index.translog.durability async (component template tests-part of index template tests-all); ' +
    'mapping theirs (index template tests-all)';

  it('are reported before the run, in its warnings and in its provenance', async () => {
    await putTemplates();
    const file = path.join(place.folder, 'templates.json');
    const { code, stderr, stdout } = await run({}, '--elasticsearch', url(), '--report', file);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(`the target adds to the indices what the definition does not ask for: ${ADDED}`);
    const [trial] = await trialsOf(idIn(stderr));
    expect(trial!.unasked).toHaveLength(4);
    expect((await runOf(idIn(stderr))).provenance!.unasked).toEqual(trial!.unasked);
    const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
    expect(report.verdict.warnings.join()).toContain(
      'The index was not what the definition says in the only trial',
    );
    expect(stdout).toContain('added by the target');
  });

  it('stop a run before its load if the definition refuses them', async () => {
    await putTemplates();
    const before = (await ask<{ count: number }>('GET', `${url()}/dyno-runs-*/_count`)).body.count;
    const { code, stderr } = await run(
      { index: { name: 'dyno-setup', templates: 'refuse' } },
      ...['--elasticsearch', url()],
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain(`index.templates: the target adds to the index`);
    expect(stderr).toContain('index template tests-all');
    await ask('POST', `${url()}/dyno-runs-*/_refresh`);
    expect((await ask<{ count: number }>('GET', `${url()}/dyno-runs-*/_count`)).body.count).toBe(before);
    expect((await ask('GET', `${url()}/_cat/indices/dyno-setup*?format=json`)).body).toEqual([]);
  });

  it('of the legacy kind are reported too, and without templates nothing is reported', async () => {
    await ask('PUT', `${url()}/_template/tests-old`, {
      index_patterns: ['dyno-setup*'],
      order: 1,
      settings: { 'index.codec': 'best_compression' },
    });
    const { stderr } = await run({}, '--elasticsearch', url());
    expect((await trialsOf(idIn(stderr)))[0]!.unasked).toEqual([
      { what: 'index.codec', value: 'best_compression', from: 'legacy template tests-old' },
    ]);
    await ask('DELETE', `${url()}/_template/tests-old`);
    const plain = await run(
      { index: { name: 'dyno-setup', templates: 'refuse', settings: { number_of_replicas: 0 } } },
      ...['--elasticsearch', url()],
    );
    expect({ code: plain.code, stderr: plain.stderr }).toMatchObject({ code: 0 });
    const [trial] = await trialsOf(idIn(plain.stderr));
    expect(trial!.unasked).toBeUndefined();
    expect((await runOf(idIn(plain.stderr))).provenance!.unasked).toEqual([]);
  });
});

it('settings and mappings that Elasticsearch itself adds are not reported as additions', async () => {
  const factors = [
    { 'index.settings': { mode: 'logsdb' } },
    { 'index.settings': { mode: 'time_series' }, 'index.dimensions': ['clientip'] },
    { 'index.settings': { 'mapping.source.mode': 'synthetic', refresh_interval: '-1' } },
    { 'index.settings': { number_of_shards: 2, auto_expand_replicas: '0-1', 'sort.field': ['@timestamp'] } },
    {
      'index.mapping': {
        dynamic_templates: [{ texts: { match_mapping_type: 'string', mapping: { type: 'keyword' } } }],
        runtime: { day: { type: 'keyword' } },
        properties: {
          '@timestamp': { type: 'date', format: 'epoch_millis||strict_date_optional_time' },
          'geo.point': { type: 'geo_point' },
          vector: { type: 'dense_vector', dims: 3 },
          title: { type: 'text', fields: { raw: { type: 'keyword', ignore_above: 256 } } },
          nested: { type: 'nested', properties: { one: { type: 'long', coerce: false } } },
        },
      },
    },
  ];
  const { code, stderr } = await run(
    { index: { name: 'dyno-setup', templates: 'refuse' }, measure: { documents: 50 }, factors },
    ...['--elasticsearch', url()],
  );
  expect({ code, stderr }).toMatchObject({ code: 0 });
  const trials = await trialsOf(idIn(stderr));
  expect(trials).toHaveLength(5);
  for (const trial of trials) expect(trial.unasked).toBeUndefined();
});

describe('the hosts of a target', () => {
  it('are refused if they belong to different clusters', async () => {
    const { code, stderr } = await run(
      { spread: 'given-hosts' },
      ...['--elasticsearch', `${url()},${other.url}`, '--results', url()],
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('the hosts belong to 2 different clusters');
    expect(stderr).toContain(`${other.url} is `);
  });

  it('are refused in the same way for the results', async () => {
    const { code, stderr } = await run(
      {},
      ...['--elasticsearch', url(), '--results', `${url()},${other.url}`],
    );
    expect(code).not.toBe(0);
    expect(stderr).toContain('hosts: the results cluster: the hosts belong to 2 different clusters');
  });

  it('are reported if they are unreachable, and the run uses the others', async () => {
    const { code, stderr } = await run({}, '--elasticsearch', `${url()},http://127.0.0.1:1`);
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stderr).toContain(
      '1 of the target’s 2 hosts cannot be used: http://127.0.0.1:1 refuses connections',
    );
  });
});

/** Starts a proxy that forwards requests below the path `/es/a`, and counts the bulks. */
async function proxy(to: string): Promise<{ url: string; bulks: () => number }> {
  let bulks = 0;
  const server = createServer((asked, answer) => {
    if (!asked.url!.startsWith('/es/a')) return void answer.writeHead(404).end();
    if (asked.url!.includes('_bulk')) bulks += 1;
    const { hostname, port } = new URL(to);
    const { method, headers } = asked;
    const own = httpRequest(
      { hostname, port, method, headers, path: asked.url!.slice('/es/a'.length) || '/' },
      (answered) => {
        answer.writeHead(answered.statusCode!, answered.headers);
        answered.pipe(answer);
      },
    );
    own.on('error', () => answer.destroy());
    asked.pipe(own);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/es/a`, bulks: () => bulks };
}

describe('a results cluster that is too old', () => {
  it('is refused before the run, with the reason and the next step', async () => {
    const server = createServer((_, answer) => {
      answer
        .writeHead(200, { 'content-type': 'application/json', 'x-elastic-product': 'Elasticsearch' })
        .end(JSON.stringify({ cluster_name: 'old', cluster_uuid: 'u-old', version: { number: '8.2.3' } }));
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const old = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { code, stderr } = await run({}, '--elasticsearch', old);
    expect(code).not.toBe(0);
    expect(stderr).toContain('the target, which would store the results, is Elasticsearch 8.2.3');
    expect(stderr).toContain('--results embedded');
    const asResults = await run({}, '--elasticsearch', url(), '--results', old);
    expect(asResults.code).not.toBe(0);
    expect(asResults.stderr).toContain('the results cluster is Elasticsearch 8.2.3');
  });
});

describe('the route of the load', () => {
  it('is reported if it bypasses a proxy, but not if it uses the proxy', async () => {
    const front = await proxy(url());
    const past = await run({}, '--elasticsearch', front.url, '--results', url());
    expect({ code: past.code, stderr: past.stderr }).toMatchObject({ code: 0 });
    const sentence = `bypasses ${front.url}: spread: given-hosts sends it through the given hosts`;
    expect(past.stderr).toContain(sentence);
    expect(past.stdout.replaceAll(/\s+/g, ' ')).toContain(sentence);
    const { load } = (await runOf(idIn(past.stderr))).provenance!;
    expect(load!.nodes).toEqual([url()]);
    expect(front.bulks()).toBe(0);

    const through = await run(
      { spread: 'given-hosts' },
      ...['--elasticsearch', front.url, '--results', url()],
    );
    expect(through.stderr).not.toContain('the load goes to');
    expect(front.bulks()).toBeGreaterThan(0);
    expect((await runOf(idIn(through.stderr))).provenance!.load).toEqual({ nodes: [front.url], past: '' });
  });
});

/** Code that sets the wall clock of a process and its threads ahead. */
const SHIFT = `
const aheadMs = 600000;
const real = Date.now.bind(Date);
const Real = Date;
globalThis.Date = class extends Real {
  constructor(...given) { given.length === 0 ? super(real() + aheadMs) : super(...given); }
  static now() { return real() + aheadMs; }
};
`;

describe('a load machine whose clock is ten minutes ahead', () => {
  it('dates documents with the target’s clock, stores the difference and warns', async () => {
    const shift = place.write('shift.cjs', SHIFT);
    const shifted = workplace({ NODE_OPTIONS: `--require ${shift}` });
    try {
      await ask('PUT', `${url()}/elsewhere`, {
        settings: { number_of_replicas: 0 },
        mappings: { properties: { '@timestamp': { type: 'date' } } },
      });
      const own = shifted.write(
        'shifted.json',
        definition({
          index: { existing: 'elsewhere', 'allow-writes': true },
          measure: { warmup: '0s', duration: '2s' },
        }),
      );
      const { code, stderr, stdout } = await shifted.dyno('run', own, '--elasticsearch', url());
      expect({ code, stderr }).toMatchObject({ code: 0 });
      expect(stderr).toContain('the target’s clock is 10m 00s behind');
      expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
        'The clocks of the target and of the machine that carries the run differed in',
      );
      const [trial] = await trialsOf(idIn(stderr));
      for (const reading of [trial!.clock!.before!, trial!.clock!.after!]) {
        expect(reading.offsetMs).toBeLessThan(-599_000);
        expect(reading.offsetMs).toBeGreaterThan(-601_000);
      }
      await ask('POST', `${url()}/elsewhere/_refresh`);
      const { body } = await ask<{ hits: { total: { value: number } } }>(
        'POST',
        `${url()}/elsewhere/_search`,
        { size: 0, query: { range: { '@timestamp': { gt: 'now+5m' } } } },
      );
      expect(body.hits.total.value).toBe(0);
      const recent = await ask<{ hits: { total: { value: number } } }>('POST', `${url()}/elsewhere/_search`, {
        size: 0,
        query: { range: { '@timestamp': { gte: 'now-10m', lte: 'now' } } },
      });
      expect(recent.body.hits.total.value).toBeGreaterThan(0);
    } finally {
      shifted.remove();
      await ask('DELETE', `${url()}/elsewhere`);
    }
  });
});

describe('existing data named by a wildcard', () => {
  it('consists of all indices of the target except Dyno’s own', async () => {
    await ask('POST', `${url()}/dyno-trial-of-mine/_doc?refresh`, { a: 1 });
    const { code, stderr } = await run(
      {
        index: { existing: '*' },
        tasks: [
          {
            name: 'search',
            search: { requests: [{ name: 'all', body: {} }] },
            executor: { 'constant-rate': { rate: 10 } },
          },
        ],
        measure: { warmup: '0s', duration: '2s' },
      },
      ...['--elasticsearch', url()],
    );
    expect({ code, stderr }).toMatchObject({ code: 0 });
    const [trial] = await trialsOf(idIn(stderr));
    expect(trial!.existing!.indices).toEqual(['dyno-trial-of-mine']);
    expect(trial!.existing!.changed).toBe('');
    await ask('DELETE', `${url()}/dyno-trial-of-mine`);
  });
});
