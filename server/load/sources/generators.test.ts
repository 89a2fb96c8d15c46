import {
  GENERATOR_NAMES,
  generatorNamed,
  LINE_GENERATORS,
  MAPPINGS_BY_NAME,
  type GeneratorName,
} from '../../../common/generators/registry';
import { Batch } from './batch';
import { GeneratorSource } from './generator';

type Document = Record<string, unknown>;

const NOW = Date.UTC(2026, 10, 20, 15, 40, 0, 123);

function generate(
  generator: GeneratorName,
  docs: number,
  seed = 1,
  bytes = Infinity,
): { lines: string[]; bytes: number } {
  const batch = new Batch();
  new GeneratorSource(generatorNamed(generator).document(), { seed }).fill(batch, { docs, bytes }, NOW);
  return { lines: batch.body().toString('utf8').split('\n').slice(0, -1), bytes: batch.length };
}

const documentsOf = (lines: string[]): Document[] =>
  lines.filter((_, place) => place % 2 === 1).map((line) => JSON.parse(line) as Document);

const fieldsOf = (generator: GeneratorName): string[] =>
  LINE_GENERATORS.includes(generator) ? ['@timestamp', 'message'] : mappedBy(generator);

const mappedBy = (generator: GeneratorName): string[] =>
  Object.keys(MAPPINGS_BY_NAME[generator].properties).sort();

const distinct = (documents: Document[], field: string): number =>
  new Set(documents.map((document) => document[field])).size;

describe.each(GENERATOR_NAMES)('%s', (generator) => {
  const docs = generator === 'systembase-big' ? 100 : 5000;
  const { lines } = generate(generator, docs);
  const documents = documentsOf(lines);

  test('renders valid JSON behind action lines', () => {
    expect(documents).toHaveLength(docs);
    expect(lines.filter((_, place) => place % 2 === 0).every((line) => line === '{"index":{}}')).toBe(true);
  });

  test('has exactly the fields of its mapping, or those of a line that nobody has parsed', () => {
    const found = new Set(documents.map((document) => Object.keys(document).sort().join()));
    expect([...found]).toEqual([fieldsOf(generator).join()]);
  });

  test('carries the time of sending', () => {
    const [first] = documents as [Document];
    const time = first['@timestamp'] ?? first['DateTimeReceivedUtc'] ?? first['date_modified'];
    expect(time).toBe('2026-11-20T15:40:00.123Z');
  });

  test('gives the same bytes for the same seed, and every document is distinct', () => {
    expect(generate(generator, docs).lines).toEqual(lines);
    expect(new Set(lines.filter((_, place) => place % 2 === 1)).size).toBeGreaterThan(docs * 0.999);
    expect(generate(generator, docs, 2).lines).not.toEqual(lines);
  });

  test('a batch by bytes is filled without breaking the stream of documents', () => {
    const source = new GeneratorSource(generatorNamed(generator).document(), { seed: 1 });
    const batch = new Batch();
    const limit = generator === 'systembase-big' ? 100_000 : 20_000;
    const seen: string[] = [];
    while (seen.length < 60) {
      batch.clear();
      source.fill(batch, { docs: Infinity, bytes: limit }, NOW);
      expect(batch.length).toBeLessThanOrEqual(limit);
      expect(batch.length).toBeGreaterThan(limit * 0.7);
      seen.push(...batch.body().toString('utf8').split('\n').slice(0, -1));
    }
    expect(seen.slice(0, 60)).toEqual(lines.slice(0, 60));
  });
});

describe('systembase', () => {
  const { lines, bytes } = generate('systembase', 5000);
  const documents = documentsOf(lines);

  test('has 18 fields in about 445 bytes with the action line', () => {
    expect(Object.keys(documents[0]!)).toHaveLength(18);
    expect(bytes / 5000).toBeGreaterThan(440);
    expect(bytes / 5000).toBeLessThan(450);
  });

  test('draws from the published value sets', () => {
    const sizes = {
      name: 4,
      message: 4,
      severityCode: 10,
      severity: 4,
      hostname: 20,
      pid: 10,
      tid: 10,
      appId: 4,
      appVersion: 5,
      type: 6,
      subtype: 6,
    };
    for (const [field, size] of Object.entries(sizes))
      expect([field, distinct(documents, field)]).toEqual([field, size]);
    expect(distinct(documents, 'correlationId')).toBe(5000);
    expect(documents[0]).toMatchObject({
      os: 'linux',
      osVersion: '14.1.5',
      parameters: '{key:value,key:value}',
    });
    expect(
      documents.every(({ appId }) => /^[4-7]D24BD62-20BF-4D74-B6DC-31313ABADB82$/.test(String(appId))),
    ).toBe(true);
  });

  test('host name, address and application are of one host', () => {
    for (const { hostname, hostip, appName } of documents) {
      const host = String(hostname).slice('Hostname'.length);
      expect([hostip, appName]).toEqual([`10.1.0.${host}`, `application${host}`]);
    }
  });

  test('a single document larger than the bulk goes alone', () => {
    const batch = new Batch();
    new GeneratorSource(generatorNamed('systembase-big').document(), { seed: 1 }).fill(
      batch,
      { docs: Infinity, bytes: 1000 },
      NOW,
    );
    expect(batch.count).toBe(1);
    const [document] = documentsOf(batch.body().toString('utf8').split('\n'));
    expect(document).toMatchObject({ data1: 'x'.repeat(12_000), data2: 'x'.repeat(12_000) });
  });
});

test('http-events have 32 fields, 200 organizations, 20 ratings, and one place in all of its forms', () => {
  const documents = documentsOf(generate('http-events', 5000).lines);
  expect(Object.keys(documents[0]!)).toHaveLength(32);
  expect(distinct(documents, 'Organization')).toBe(200);
  expect(distinct(documents, 'Rating')).toBe(20);
  expect(distinct(documents, 'SourceIp')).toBeGreaterThan(4990);
  // Jest gets one assertion for all documents, because fifty thousand assertions would take many seconds.
  const isWithin = (value: number, most: number): boolean => Math.abs(value) <= most;
  const wrong = documents.filter((document) => {
    const [latitude, longitude] = String(document['SourceLatLong']).split(',').map(Number);
    const { length } = String(document['HttpRequest']);
    return !(
      document['OrganizationName'] === document['Organization'] &&
      latitude === document['SourceIpLatitude'] &&
      longitude === document['SourceIpLongitude'] &&
      isWithin(latitude as number, 90) &&
      isWithin(longitude as number, 180) &&
      length >= 10 &&
      length <= 200 &&
      /^\d{1,3}\.\d\.100\.100$/.test(String(document['TargetIp'])) &&
      /^\d{1,3}(\.\d{1,3}){3}$/.test(String(document['SourceIp'])) &&
      document['CustomField3'] === ''
    );
  });
  expect(wrong).toEqual([]);
});

test('the message of an apache-logs document is its raw line', () => {
  const documents = documentsOf(generate('apache-logs', 3000).lines);
  for (const {
    clientip,
    verb,
    request,
    httpversion,
    response,
    bytes,
    referrer,
    agent,
    message,
  } of documents) {
    expect(message).toBe(
      `${clientip} - - [20/Nov/2026:15:40:00 +0000] "${verb} ${request} HTTP/${httpversion}" ${response} ${bytes} "${referrer}" "${agent}"`,
    );
  }
  const pages = new Map<unknown, number>();
  for (const { request } of documents) pages.set(request, (pages.get(request) ?? 0) + 1);
  expect(pages.size).toBeGreaterThan(500);
  // Zipf's law over 3000 pages: the first page has a share of 1 / H(3000), about 12%.
  expect(Math.max(...pages.values()) / documents.length).toBeGreaterThan(0.09);
});
