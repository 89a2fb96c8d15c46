/** Tests what a user does from beginning to end: a definition file, a run on a real Elasticsearch, its report and results. */
import { createServer, request as proxied } from 'node:http';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Connection } from '../../server/target-cluster/connection';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { until } from '../support/until';
import { workplace } from './support/dyno';

const url = sharedElasticsearch();
const place = workplace();
let connection: Connection;

beforeAll(() => {
  connection = new Connection({ hosts: [url()] });
});

afterAll(async () => {
  await connection.close();
  place.remove();
});

const definition = (more: object = {}): object => ({
  version: 1,
  name: 'integration',
  index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 500 } },
      executor: { 'constant-clients': { clients: 2 } },
    },
  ],
  measure: { documents: 5000 },
  trials: 1,
  ...more,
});

/** Returns a definition that lasts long enough for a test. Its pauses leave CPU time for the test files that run in parallel. */
const lasting = (duration: string, more: object = {}): object =>
  definition({
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'systembase' }, bulk: { docs: 20 } },
        executor: { 'constant-clients': { clients: 2, 'think-time': '50ms' } },
      },
    ],
    measure: { warmup: '0s', duration },
    ...more,
  });

/** Returns the names of the trial indices that exist in the target. */
async function trialIndices(): Promise<string[]> {
  const { body } = await connection.request<Record<string, unknown>>({ method: 'GET', path: '/_mapping' });
  return Object.keys(body).filter((name) => name.startsWith('dyno-trial-'));
}

const runIdOf = (stderr: string): string => /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;

interface StoredRun {
  run: { state: string; reason: string };
  progress: { completed: number };
}

async function storedRun(id: string): Promise<StoredRun> {
  await connection.request({ method: 'POST', path: '/dyno-runs-*/_refresh' });
  const { body } = await connection.request<{ hits: { hits: { _source: StoredRun }[] } }>({
    method: 'POST',
    path: '/dyno-runs-*/_search',
    body: { query: { term: { 'run.id': id } } },
  });
  return body.hits.hits[0]!._source;
}

interface Marker {
  trial: { id: string };
  phases: { phase: string; from: string; until: string | null }[];
  ended: string | null;
}

/** Returns the document in the target that contains the start and end times of the last trial's phases. */
async function storedMarker(): Promise<Marker> {
  await connection.request({ method: 'POST', path: '/dyno-markers/_refresh' });
  const { body } = await connection.request<{ hits: { hits: { _source: Marker }[] } }>({
    method: 'GET',
    path: '/dyno-markers/_search',
  });
  expect(body.hits.hits).toHaveLength(1);
  return body.hits.hits[0]!._source;
}

interface Trial {
  index: { docs: number };
  tasks: { total: { accepted: number; attempted: number; failed: number; rejected: number } }[];
}

async function storedTrials(id: string): Promise<Trial[]> {
  await connection.request({ method: 'POST', path: '/dyno-trials-*/_refresh' });
  const { body } = await connection.request<{ hits: { hits: { _source: Trial }[] } }>({
    method: 'POST',
    path: '/dyno-trials-*/_search',
    body: { query: { term: { 'run.id': id } } },
  });
  return body.hits.hits.map(({ _source }) => _source);
}

/**
 * Starts a proxy in front of the shared cluster. After `garble` was called, it answers requests that count documents with the HTML of a
 * login page.
 */
async function behindPages() {
  let garbled = false;
  const server = createServer((request, response) => {
    if (garbled && request.url?.includes('/_count')) return void response.end('<html>log in</html>');
    const { hostname, port } = new URL(url());
    const onward = proxied(
      { hostname, port, path: request.url, method: request.method, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    garble: () => (garbled = true),
    close: () => server.close(),
  };
}

describe('a run', () => {
  it('exits with an error if a trial failed because its index was deleted, and reports a trial that could not be verified', async () => {
    const proxy = await behindPages();
    const file = place.write('lost.json', lasting('3s', { trials: 2 }));
    const running = place.start(
      'run',
      file,
      ...['--elasticsearch', proxy.url, '--results', url(), '--report', 'lost.report.json'],
    );
    await running.says(/measure \d+s.*accepted\/s/);
    const [index] = await trialIndices();
    await ask('DELETE', `${url()}/${index}`);
    await running.says(/-t01 failed/);
    proxy.garble();
    const { code, stdout, stderr } = await running.ended;
    proxy.close();
    expect(`${stderr}\n${code}`).toMatch(/\n5$/);
    expect(stderr).toContain('run completed with failures: 1 of 2 trials failed');
    expect(stdout).toContain('Completed with failures: 1 of 2 trials failed');
    const { run, trials } = JSON.parse(readFileSync(path.join(place.folder, 'lost.report.json'), 'utf8')) as {
      run: object;
      trials: { state: string; reason: string; unverified?: string }[];
    };
    expect(run).toMatchObject({ state: 'completed', trials: { planned: 2, completed: 1, failed: 1 } });
    expect(trials[0]).toMatchObject({
      state: 'failed',
      reason: expect.stringContaining(`somebody deleted ${index} while the trial wrote to it`),
    });
    expect(trials[1]!.unverified).toMatch(/^the index was not counted: .*no JSON/);
    // Elasticsearch created the index again when the bulks continued. The new index has no mark, so Dyno leaves it alone.
    expect(await trialIndices()).toEqual([index]);
    expect(await storedRun(runIdOf(stderr))).toMatchObject({ run: { indices: [] } });
    await ask('DELETE', `${url()}/${index}`);
  });

  it('stores exactly the requested number of documents and reports them in every format', async () => {
    const forms = ['html', 'md', 'json', 'csv'].map((form) => path.join(place.folder, `report.${form}`));
    const file = place.write('documents.json', definition({ measure: { documents: 20_000 }, trials: 2 }));
    const { code, stdout, stderr } = await place.dyno(
      'run',
      file,
      '--elasticsearch',
      url(),
      ...forms.flatMap((form) => ['--report', form]),
    );
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(stdout).toContain('integration');
    const id = runIdOf(stderr);
    const trials = await storedTrials(id);
    expect(trials).toHaveLength(2);
    for (const trial of trials) {
      expect(trial.index.docs).toBe(20_000);
      expect(trial.tasks[0]!.total).toMatchObject({ accepted: 20_000, attempted: 20_000 });
    }
    expect(await trialIndices()).toEqual([]);
    const marker = await storedMarker();
    expect(marker.trial.id).toBe(`${id}-t02`);
    expect(marker.phases.map(({ phase }) => phase)).toEqual(expect.arrayContaining(['prepare', 'measure']));
    expect(marker.phases.at(-1)!.until).toBe(marker.ended);
    for (const form of forms) expect(readFileSync(form, 'utf8').length).toBeGreaterThan(200);

    const again = await place.dyno('report', id, '--results', url(), '--json');
    expect(again.code).toBe(0);
    const csv = readFileSync(forms[3]!, 'utf8');
    expect(JSON.parse(again.stdout)).toEqual(JSON.parse(readFileSync(forms[2]!, 'utf8')));
    expect(csv).toContain('20000');

    const runs = await place.dyno('runs', '--results', url());
    expect(runs.stdout).toContain(id);
    const compared = await place.dyno('compare', id, id, '--results', url());
    expect(compared.code).toBe(0);
  });

  it('sweeps a factor with a search task next to the ingestion and judges thresholds', async () => {
    const file = place.write(
      'sweep.json',
      definition({
        tasks: [
          {
            name: 'ingest',
            ingest: { source: { generator: 'http-events' }, bulk: { bytes: '100kb' } },
            executor: { 'constant-rate': { rate: 5 } },
          },
          {
            name: 'query',
            search: { set: 'azure-queries' },
            executor: { 'constant-clients': { clients: 1, 'think-time': '20ms' } },
          },
        ],
        factors: { 'index.settings.number_of_shards': [1, 2] },
        measure: { 'burn-in': '1s', warmup: '1s', duration: '3s' },
        thresholds: ['ingest.rejection_rate < 1%', 'query.latency.p50 < 1ms'],
      }),
    );
    const { code, stdout, stderr } = await place.dyno('run', file, '--elasticsearch', url());
    expect(`${stderr}\n${code}`).toMatch(/\n1$/);
    expect(stdout).toMatch(/^ {2}number_of_shards .*\n {2}1 .*\n {2}2 /m);
    expect(stdout).toContain('query.latency.p50 < 1ms');
    expect(stderr).toMatch(/burn-in \d+s of 1s/);
    expect(await trialIndices()).toEqual([]);
    for (const { tasks } of await storedTrials(runIdOf(stderr))) {
      expect(tasks.map(({ total }) => total.failed + total.rejected)).toEqual([0, 0]);
      expect(tasks.map(({ total }) => total.accepted > 0)).toEqual([true, true]);
    }
  });

  it('reads a file of documents to its end and overrides the definition by --set', async () => {
    const lines = Array.from({ length: 2500 }, (_, index) => JSON.stringify({ n: index }));
    place.write('docs.ndjson', `${lines.join('\n')}\n`);
    const file = place.write(
      'file.json',
      definition({
        index: { mapping: {}, settings: { number_of_replicas: 0 } },
        tasks: [{ name: 'ingest', ingest: { source: { file: 'docs.ndjson' }, bulk: { docs: 100 } } }],
        measure: { documents: 2500 },
      }),
    );
    const json = path.join(place.folder, 'file-report.json');
    const { code, stderr } = await place.dyno(
      'run',
      file,
      '--elasticsearch',
      url(),
      '--set',
      'measure.documents=1200',
      '--report',
      json,
    );
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(readFileSync(json, 'utf8')).toContain('1200');
  });

  it('ends cleanly after one Ctrl-C, marked as cancelled and cleaned up', async () => {
    const file = place.write('long.json', lasting('10m'));
    const running = place.start('run', file, '--elasticsearch', url());
    await running.says(/accepted\/s/);
    const asked = Date.now();
    running.child.kill('SIGINT');
    const { code, stderr } = await running.ended;
    expect(code).toBe(3);
    expect(Date.now() - asked).toBeLessThan(10_000);
    expect(await storedRun(runIdOf(stderr))).toMatchObject({ run: { state: 'cancelled' } });
    expect(await trialIndices()).toEqual([]);
  });

  it('continues without output when its output is closed, and ends cleanly when its terminal closes', async () => {
    const file = place.write('unheard.json', lasting('10m'));
    const running = place.start('run', file, '--elasticsearch', url());
    await running.says(/accepted\/s/);
    running.child.stdout!.destroy();
    running.child.stderr!.destroy();
    const [index] = await until('its index', async () => {
      const found = await trialIndices();
      return found.length > 0 ? found : undefined;
    });
    await new Promise((resolve) => setTimeout(resolve, 1500));
    running.child.kill('SIGHUP');
    const { code, stderr } = await running.ended;
    expect([code, index]).toEqual([3, expect.stringContaining(runIdOf(stderr))]);
    expect(await storedRun(runIdOf(stderr))).toMatchObject({
      run: { state: 'cancelled', reason: 'cancelled by SIGHUP' },
    });
    expect(await trialIndices()).toEqual([]);
  });

  it('that was killed is found by the next start and marked as interrupted, and its index is removed', async () => {
    const file = place.write('killed.json', lasting('10m'));
    const running = place.start('run', file, '--elasticsearch', url());
    await running.says(/accepted\/s/);
    running.child.kill('SIGKILL');
    const { stderr } = await running.ended;
    expect(await trialIndices()).toHaveLength(1);
    expect((await storedMarker()).ended).toBeNull();
    const next = await place.dyno('run', place.write('next.json', definition()), '--elasticsearch', url());
    expect(next.code).toBe(0);
    expect(next.stderr).toContain('was interrupted because its process died');
    expect(await storedRun(runIdOf(stderr))).toMatchObject({ run: { state: 'interrupted' } });
    expect(await trialIndices()).toEqual([]);
  });

  it('changes cluster settings for its trials and restores them, in the next start if it was killed', async () => {
    const setting = 'indices.recovery.max_bytes_per_sec';
    const was = '22mb';
    const present = async (): Promise<unknown> => {
      const path = '_cluster/settings?flat_settings=true';
      const { body } = await ask<{ persistent: object }>('GET', `${url()}/${path}`);
      return (body.persistent as Record<string, unknown>)[setting];
    };
    await ask('PUT', `${url()}/_cluster/settings`, { persistent: { [setting]: was } });
    const file = place.write(
      'settings.json',
      lasting('10m', { cluster: { settings: { [setting]: '33mb' } } }),
    );
    const running = place.start('run', file, '--elasticsearch', url());
    await running.says(/accepted\/s/);
    expect(await present()).toBe('33mb');
    running.child.kill('SIGKILL');
    const killed = runIdOf((await running.ended).stderr);
    expect(await present()).toBe('33mb');

    const factors = { [`cluster.settings.${setting}`]: ['44mb', '55mb'] };
    const next = place.start(
      'run',
      place.write('next-settings.json', lasting('2s', { factors })),
      '--elasticsearch',
      url(),
    );
    await next.says(new RegExp(`restored ${setting}, which run ${killed} had changed`));
    await next.says(/max_bytes_per_sec=55mb.*accepted\/s/);
    expect(await present()).toBe('55mb');
    expect((await next.ended).code).toBe(0);
    expect(await present()).toBe(was);
    expect(await storedRun(killed)).toMatchObject({ run: { state: 'interrupted' } });

    const wrong = definition({ cluster: { settings: { 'indices.no_such': 1 } } });
    const refused = await place.dyno('run', place.write('wrong.json', wrong), '--elasticsearch', url());
    expect(refused.stderr).toContain('indices.no_such');
    expect(refused.code).toBe(3);
    const afterwards = await place.dyno(
      'run',
      place.write('right.json', definition()),
      '--elasticsearch',
      url(),
    );
    expect(afterwards.stderr).not.toContain('restored');
    expect(afterwards.code).toBe(0);
    await ask('PUT', `${url()}/_cluster/settings`, { persistent: { [setting]: null } });
  });

  it('can be resumed after an interruption without repeating finished trials', async () => {
    const more = { trials: 3, 'on-interruption': 'continue' };
    const running = place.start(
      'run',
      place.write('resume.json', lasting('3s', more)),
      '--elasticsearch',
      url(),
    );
    await running.says(/trial 2 of 3.*accepted\/s/);
    running.child.kill('SIGKILL');
    const id = runIdOf((await running.ended).stderr);
    const { code, stderr } = await place.dyno('resume', id, '--elasticsearch', url());
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(await storedRun(id)).toMatchObject({ run: { state: 'completed' }, progress: { completed: 3 } });
  });

  it('does not measure at the same time as another run on the same cluster', async () => {
    const file = place.write('first.json', lasting('10m'));
    const first = place.start('run', file, '--elasticsearch', url());
    await first.says(/accepted\/s/);
    const second = await place.dyno(
      'run',
      place.write('second.json', definition()),
      '--elasticsearch',
      url(),
    );
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(3);
    expect(second.code).toBe(3);
    expect(second.stderr).toMatch(
      /run \S+ \(integration, process \d+ on \S+\) (is|has been) running on this cluster/,
    );
    expect(await trialIndices()).toEqual([]);
  });

  it('reports first that documents were not stored, whatever the thresholds say', async () => {
    const more = {
      index: { settings: { number_of_replicas: 0, default_pipeline: 'nope' } },
      thresholds: ['ingest.rejection_rate < 1%'],
    };
    const file = place.write(
      'pipeline.json',
      // On a busy machine, it takes some seconds until the first answers are reported.
      lasting('6s', more),
    );
    const { stdout, stderr } = await place.dyno('run', file, '--elasticsearch', url());
    expect(stdout).toContain('Trust: none. 100% of ingest was rejected or failed in the only trial');
    expect(stdout).not.toContain('at the first attempt');
    expect(stderr).toContain('failed 100%');
  });

  it('stops itself when a stop-when condition holds', async () => {
    const file = place.write('stop.json', lasting('10m', { 'stop-when': ['ingest.throughput > 1'] }));
    const { code, stderr } = await place.dyno('run', file, '--elasticsearch', url());
    expect(code).toBe(3);
    expect(stderr).toContain('stop-when "ingest.throughput > 1" held');
  });
});

describe('wrong input', () => {
  const good = (): string => place.write('good.json', definition());
  const runs = (file: string, ...more: string[]): ReturnType<typeof place.dyno> =>
    place.dyno('run', file, '--elasticsearch', url(), ...more);

  it.each([
    ['an unknown key', { colour: 1 }, 'colour: unknown key'],
    ['a wrong type', { seed: 'many' }, 'seed: wrong type'],
    ['neither of two forms', { trials: 'many' }, 'trials: not an allowed value'],
    [
      'a factor path that does not exist',
      { factors: { 'tasks.ingest.bulk': [1] } },
      'the factor path does not exist',
    ],
    ['empty levels', { factors: { 'index.settings.number_of_shards': [] } }, 'at least one level'],
  ])('%s ends with code 2 and one clear message', async (_name, more, message) => {
    const { code, stderr } = await runs(place.write('bad.json', definition(more)));
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  it('for a setting is found by Elasticsearch before the first trial, in whichever cell it is', async () => {
    const factors = { 'index.settings.refresh_interval': ['1s', 'soon'] };
    const { code, stderr } = await runs(place.write('setting.json', definition({ factors })));
    expect(code).toBe(2);
    expect(stderr).toContain('soon');
    expect(stderr).not.toContain('trial 1 of');
    expect(await trialIndices()).toEqual([]);
  });

  it('for an option, a preset, a report or a file ends with code 2', async () => {
    const ends = await Promise.all([
      runs('no-such-file.yml'),
      runs(good(), '--report', 'report.pdf'),
      runs(good(), '--workers', 'many'),
      runs(good(), '--set', 'trials'),
      place.dyno('presets', 'no-such-preset'),
      place.dyno('fly'),
    ]);
    expect(ends.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    for (const { stderr } of ends) expect(stderr.trim()).not.toBe('');
  });

  it('in a corpus leads to an error with file and line, and nothing is created', async () => {
    place.write('corrupt.ndjson', '{"a":1}\n{"a":\n');
    const tasks = [{ name: 'ingest', ingest: { source: { file: 'corrupt.ndjson' } } }];
    const { code, stderr } = await runs(
      place.write('corrupt.json', definition({ tasks, index: { mapping: {} } })),
    );
    expect(code).toBe(2);
    expect(stderr).toMatch(/corrupt\.ndjson:2/);
    expect(await trialIndices()).toEqual([]);
  });

  it('for the host ends with code 3', async () => {
    const { code, stderr } = await place.dyno('run', good(), '--elasticsearch', 'http://127.0.0.1:1');
    expect(code).toBe(3);
    expect(stderr).toContain('127.0.0.1:1');
  });

  it('for credentials ends with code 3 and does not show them', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(401, { 'content-type': 'application/json' });
      response.end('{"error":{"type":"security_exception","reason":"unable to authenticate"},"status":401}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const { code, stderr } = await place.dyno(
        'run',
        good(),
        '--elasticsearch',
        `http://elastic:secret@127.0.0.1:${port}`,
      );
      expect(code).toBe(3);
      expect(stderr).toMatch(/credentials|authenticate/);
      expect(stderr).not.toContain('secret');
    } finally {
      server.close();
    }
  });

  it('leads to the same message in `validate`', async () => {
    const file = place.write('same.json', definition({ colour: 1 }));
    const [ran, validated] = await Promise.all([runs(file), place.dyno('validate', file)]);
    expect(validated.code).toBe(2);
    expect(validated.stderr).toBe(ran.stderr);
  });
});
