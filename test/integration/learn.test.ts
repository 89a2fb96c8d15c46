/**
 * Tests `dyno learn` from end to end. It learns a profile from an index of log lines. Documents created from the profile are indexed and
 * compared with the originals.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { generatorNamed } from '../../common/generators/registry';
import { Batch } from '../../server/load/sources/batch';
import { GeneratorSource } from '../../server/load/sources/generator';
import { Connection } from '../../server/target-cluster/connection';
import { sharedElasticsearch } from './support/elasticsearch';
import { workplace, type Ended } from './support/dyno';

const url = sharedElasticsearch();

jest.setTimeout(120_000);

const INDEX = 'logs-learned';
const DOCUMENTS = 2000;

/** Fills an index with log lines from half an hour. Some of them are from the same second. */
async function fillIndex(connection: Connection): Promise<void> {
  const { document, mapping } = generatorNamed('apache-logs');
  const source = new GeneratorSource(document(), { seed: 1 });
  const batch = new Batch();
  const began = Date.UTC(2026, 10, 20, 10);
  await connection.request({
    method: 'PUT',
    path: `/${INDEX}`,
    body: { settings: { number_of_replicas: 0 }, mappings: mapping },
  });
  for (let second = 0; batch.count < DOCUMENTS; second += 1)
    source.fill(
      batch,
      { docs: Math.min(DOCUMENTS, batch.count + ((second * 7) % 5)), bytes: Infinity },
      began + second * 1000,
    );
  const { status, body } = await connection.request<{ errors: boolean }>({
    method: 'POST',
    path: `/${INDEX}/_bulk?refresh=true`,
    body: batch.body().toString('utf8'),
  });
  expect({ status, errors: body.errors }).toEqual({ status: 200, errors: false });
}

/** Reads the differences between original and created documents from the tables that the command prints. Key: name of the row. */
const differencesIn = (printed: string): Map<string, number> =>
  new Map(
    [...printed.matchAll(/^(\S.*?) {2,}([\d,]+) +([\d,]+) +\S+%$/gm)].map(([, name, original, made]) => {
      const [one, other] = [original!, made!].map((text) => Number(text.replaceAll(',', '')));
      return [name!, other! / one! - 1];
    }),
  );

test('an index of profiled documents has the same size and number of distinct terms as the original', async () => {
  const connection = new Connection({ hosts: [url()] });
  const place = workplace();
  const dyno = async (...args: string[]): Promise<Ended> => {
    const ended = await place.dyno('learn', ...args, '--elasticsearch', url());
    expect({ code: ended.code, stderr: ended.stderr }).toMatchObject({ code: 0 });
    return ended;
  };
  try {
    await fillIndex(connection);
    await dyno(INDEX, '--to', 'web.profile.json');
    expect(readFileSync(path.join(place.folder, 'web.yml'), 'utf8')).toContain('profile: web.profile.json');
    const { stdout } = await dyno('--compare', INDEX, 'web.profile.json');
    const differences = differencesIn(stdout);
    const terms = [...differences].filter(([name]) => /\((keyword|ip|text|long|date)\)$/.test(name));
    expect(terms.length).toBeGreaterThan(8);
    const far = [...terms, ['bytes', differences.get('bytes on disk per document')!] as const].filter(
      ([, difference]) => !(Math.abs(difference) <= 0.1),
    );
    expect(far).toEqual([]);
    const { body } = await connection.request<{ index: string }[]>({
      method: 'GET',
      path: '/_cat/indices/dyno-learn-*?format=json',
    });
    expect(body).toEqual([]);
  } finally {
    await connection.request({ method: 'DELETE', path: `/${INDEX}`, query: { ignore_unavailable: true } });
    await connection.close();
    place.remove();
  }
});

/** Makes a document with field names and values that Elasticsearch refuses, too many levels, and very large numbers. */
function oddDocument(at: number): Record<string, unknown> {
  const deep = (levels: number, value: unknown): unknown =>
    levels === 0 ? value : { l: deep(levels - 1, value) };
  return {
    '@timestamp': new Date(Date.UTC(2026, 9, 5) + at * 1000).toISOString(),
    ...{ '': 1, ' ': 1, '.lead': 1, 'trail.': 1, 'two..dots': 1, _id: String(at) },
    ...(at % 2 === 0 ? { 'a.b': at, a: { c: 2 } } : { a: { b: at } }),
    x: at % 5 === 0 ? 'a text where an object was' : { y: at },
    list: [{ o: at }, at],
    mixed: at % 50 === 0 ? 'text' : at,
    when: at % 50 === 0 ? 'yesterday' : '2026-01-01T00:00:00Z',
    huge: 2 ** 70,
    deep: deep(29, at),
    ...Object.fromEntries(Array.from({ length: 1100 }, (_, field) => [`field_${field}`, (at + field) % 9])),
  };
}

test('a profile of documents that Elasticsearch would partly refuse fills an index without rejections', async () => {
  const place = workplace();
  try {
    place.write(
      'odd.ndjson',
      Array.from({ length: 200 }, (_, at) => `${JSON.stringify(oddDocument(at))}\n`).join(''),
    );
    const learned = await place.dyno('learn', 'odd.ndjson');
    expect({ code: learned.code, stderr: learned.stderr }).toEqual({ code: 0, stderr: '' });
    const lines = learned.stdout.split('\n').filter((line) => line.startsWith('Left out, because '));
    expect(lines).toHaveLength(5);
    const settings = [
      'trials=1',
      'measure.warmup=0s',
      'measure.documents=200',
      'tasks.ingest.ingest.bulk.docs=20',
    ];
    const { code, stdout } = await place.dyno(
      ...['run', 'odd.yml', '--elasticsearch', url(), '--no-collector'],
      ...settings.flatMap((setting) => ['--set', setting]),
    );
    expect(stdout).toContain('All 200 documents were accepted at the first attempt');
    expect(code).toBe(0);
  } finally {
    place.remove();
  }
});
