/** Tests `dyno why` on a real Elasticsearch: it repeats two cells of a stored run with a profile, and says what changed. */
import { readDefinitionText } from '../../common/experiment/read';
import { workplace } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const place = workplace();
afterAll(() => place.remove());

test('two cells of a run are repeated with a profile, and the report ends with what changed', async () => {
  const file = place.write('bulks', {
    version: 1,
    name: 'bulks',
    expect: ['ingest.throughput rises with tasks.ingest.ingest.bulk.docs'],
    index: { settings: { number_of_shards: 1, number_of_replicas: 0 } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 1 } },
        executor: { 'constant-clients': { clients: 1 } },
      },
    ],
    factors: { 'tasks.ingest.ingest.bulk.docs': [1, 1000] },
    measure: { warmup: '0s', duration: '2s' },
    trials: 1,
  });
  const target = ['--elasticsearch', url()];
  const { stderr } = await place.dyno('run', file, ...target);
  const id = /run (\d{8}-\d{6}-[0-9a-f]{4}): bulks/.exec(stderr)![1]!;

  const undecided = await place.dyno('why', id, ...target, '--show');
  expect(undecided.code).toBe(2);
  expect(undecided.stderr).toContain('the run decided no difference');

  const cells = ['--cell', 'docs=1000', '--against', 'docs=1'];
  const { stdout: shown, code } = await place.dyno('why', id, ...target, ...cells, '--show');
  expect(code).toBe(0);
  expect(readDefinitionText(shown, 'why')).toMatchObject({
    name: 'Why: bulks',
    factors: { 'tasks.ingest.ingest.bulk.docs': [1, 1000] },
    measure: { duration: '2s', profile: 'hot-threads' },
    trials: 5,
  });

  const asked = await place.dyno('why', id, ...target, ...cells);
  expect(asked.code).toBe(0);
  const answer = asked.stdout.slice(asked.stdout.indexOf('Why 1000 differs from 1'));
  expect(answer).toMatch(/^Why 1000 differs from 1\n/);
  expect(answer).toMatch(/Ingest throughput .+ with 1, .+ with 1000/s);
  for (const subject of ['CPU time', 'Waiting', 'I/O', 'Garbage collection'])
    expect(answer).toMatch(new RegExp(`- ${subject}( changed)?: `));
}, 180_000);
