/** Tests when a command starts the embedded Elasticsearch: only if it is the target or stores the results. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { sharedElasticsearch } from './support/elasticsearch';
import { workplace, type Ended } from './support/dyno';

const url = sharedElasticsearch();

jest.setTimeout(120_000);

/** Expects that a command succeeds without starting the embedded Elasticsearch. */
async function expectNoneStarted(
  environment: Record<string, string>,
  arguments_: (write: (name: string, content: unknown) => string) => string[],
): Promise<void> {
  const place = workplace(environment);
  try {
    const { code, stderr }: Ended = await place.dyno(...arguments_(place.write));
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(existsSync(path.join(place.folder, 'data', 'elasticsearch'))).toBe(false);
  } finally {
    place.remove();
  }
}

const DEFINITION = {
  version: 1,
  name: 'places',
  index: { settings: { number_of_replicas: 0 } },
  tasks: [
    {
      name: 'ingest',
      ingest: { source: { generator: 'systembase' }, bulk: { docs: 10 } },
      executor: { 'constant-rate': { rate: 5 } },
    },
  ],
  measure: { warmup: '0s', duration: '2s' },
  trials: 1,
};

it('starts none if a target and results are given', () =>
  expectNoneStarted({}, (write) => [
    ...['run', write('one.json', DEFINITION), '--elasticsearch', url(), '--results', url()],
  ]));

it('starts none to list the runs if an environment variable gives the results', () =>
  expectNoneStarted({ DYNO_RESULTS: url() }, () => ['runs']));
