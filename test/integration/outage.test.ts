/** Tests runs whose target dies in the middle of a trial. The same cluster also stores the results. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from '../../server/standalone/elasticsearch/ports';
import { startElasticsearch, type EmbeddedElasticsearch } from '../../server/standalone/elasticsearch/start';
import { workplace } from './support/dyno';
import { ask, START_TIMEOUT_MS } from './support/elasticsearch';

const place = workplace();
const dataFolder = mkdtempSync(path.join(tmpdir(), 'dyno-outage-'));
let cluster: EmbeddedElasticsearch | undefined;

afterAll(async () => {
  place.remove();
  await cluster?.stop();
  rmSync(dataFolder, { recursive: true, force: true });
}, 60_000);

interface Found {
  hits: { total: { value: number }; hits: { _source: { run: { state: string; reason: string } } }[] };
}

/** Tasks with pauses, which leave CPU time for the test files that run in parallel. */
const TASKS = [
  {
    name: 'ingest',
    ingest: { source: { generator: 'systembase' }, bulk: { docs: 20 } },
    executor: { 'constant-clients': { clients: 2, 'think-time': '50ms' } },
  },
];

describe('Elasticsearch killed in the middle of a trial', () => {
  it(
    'fails the run with a clear reason, loses no sample, and is cleaned up at the next start',
    async () => {
      const [port] = await freePorts(1);
      cluster = await startElasticsearch({ dataFolder, port, heap: '512m' });
      const url = cluster.url;
      const definition = (measure: object): object => ({
        version: 1,
        name: 'outage',
        index: { settings: { number_of_replicas: 0 } },
        tasks: TASKS,
        measure,
        trials: 1,
        patience: '2s',
      });
      const running = place.start(
        'run',
        place.write('a.json', definition({ warmup: '0s', duration: '10m' })),
        '--elasticsearch',
        url,
      );
      await running.says(/measure \d+s.*accepted\/s/);
      await cluster.kill();
      const { code, stderr, stdout } = await running.ended;
      expect(code).toBe(3);
      expect(stderr).toMatch(/run failed: .*(answer|reach|connect)/i);
      expect(stderr).toContain('dyno -- resume');
      expect(stderr).toContain('wait in the spool');
      expect(stderr).not.toContain('    at ');
      expect(stdout).toContain('failed');

      cluster = await startElasticsearch({ dataFolder, port, heap: '512m' });
      const next = await place.dyno(
        'run',
        place.write('b.json', definition({ documents: 500 })),
        '--elasticsearch',
        url,
      );
      expect(`${next.stderr}${next.code}`).toMatch(/0$/);
      expect(next.stderr).toContain('documents of an earlier process wait on disk');
      expect(next.stderr).toMatch(/removed dyno-trial-/);
      const id = /run (\d{8}-\d{6}-[0-9a-f]{4})/.exec(stderr)![1]!;
      await ask('POST', `${url}/dyno-*/_refresh`);
      const search = async (index: string): Promise<Found> =>
        (await ask<Found>('POST', `${url}/${index}/_search`, { query: { term: { 'run.id': id } } })).body;
      expect((await search('dyno-runs-*')).hits.hits[0]!._source.run).toMatchObject({ state: 'failed' });
      expect((await search('dyno-samples-*')).hits.total.value).toBeGreaterThan(0);
    },
    2 * START_TIMEOUT_MS,
  );

  it('and back in time only costs a trial, which is repeated at the end', async () => {
    const { port } = new URL(cluster!.url);
    const door = doorTo(Number(port));
    const url = await door.open();
    const running = place.start(
      'run',
      place.write('c.json', {
        version: 1,
        name: 'unavailable for a while',
        index: { settings: { number_of_replicas: 0 } },
        tasks: TASKS,
        measure: { warmup: '0s', duration: '5s' },
        trials: 2,
        spread: 'one-host',
      }),
      ...['--elasticsearch', url, '--report', 'c.json.json'],
    );
    await running.says(/measure \d+s.*accepted\/s/);
    await door.close();
    setTimeout(() => void door.open(), 2500);
    const { code, stderr } = await running.ended;
    await door.close();
    expect(`${stderr}\n${code}`).toMatch(/\n0$/);
    expect(stderr).toMatch(/-t01 failed: no node of the target accepted a connection for/);
    expect(stderr).toContain('-t01 is repeated: no node of the target accepted a connection');
    const { run, trials } = JSON.parse(readFileSync(path.join(place.folder, 'c.json.json'), 'utf8')) as {
      run: object;
      trials: { state: string; repeats?: string }[];
    };
    expect(run).toMatchObject({ state: 'completed', trials: { planned: 2, completed: 2, failed: 0 } });
    expect(trials.map(({ state }) => state)).toEqual(['completed', 'completed']);
    expect(trials[0]!.repeats).toMatch(/accepted a connection/);
    expect(trials[1]!.repeats).toBeUndefined();
  }, 60_000);
});

/** Starts a proxy that forwards connections to a local port while it is open, and refuses them while it is closed. */
function doorTo(port: number) {
  const sockets = new Set<Socket>();
  const server = createServer((from) => {
    const to = connect(port, '127.0.0.1');
    for (const [one, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(one);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  let own = 0;
  return {
    async open(): Promise<string> {
      await new Promise<void>((resolve) => server.listen(own, '127.0.0.1', resolve));
      own = (server.address() as AddressInfo).port;
      return `http://127.0.0.1:${own}`;
    },
    async close(): Promise<void> {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      sockets.clear();
      await closed;
    },
  };
}
