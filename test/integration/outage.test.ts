/** What a run does when the cluster under test, which keeps its results too, dies in the middle of a trial. */
import { mkdtempSync, rmSync } from 'node:fs';
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
        tasks: [{ name: 'ingest', ingest: { source: { generator: 'systembase' } } }],
        measure,
        trials: 1,
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
      expect(stderr).toContain('wait in the spool');
      expect(stderr).not.toContain('    at ');
      expect(stdout).toContain('failed');

      cluster = await startElasticsearch({ dataFolder, port, heap: '512m' });
      const next = await place.dyno(
        'run',
        place.write('b.json', definition({ documents: 1000 })),
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
});
