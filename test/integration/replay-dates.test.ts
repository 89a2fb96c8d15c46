/** Tests the replay of recorded traffic whose dates move: queries relative to `now` find the replayed documents on a real cluster. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { alikeShare } from '../../common/measurement/same-answers';
import type { Report } from '../../common/report/model/report';
import type { TrafficRecord } from '../../common/traffic/record';
import { madeRecord, utf8 } from '../../server/traffic-file/testing/made-records';
import { TrafficWriter } from '../../server/traffic-file/writer';
import { workplace } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const own = workplace();
afterAll(() => own.remove());

/** Start of the recording, in ms since the epoch: long before the replay. */
const STARTED_AT = 1_700_000_000_000;
const US = 1000;
const DOCUMENTS = 5;

/** Returns the records of a client that writes documents with the current time, and searches for them after each write. */
function records(): TrafficRecord[] {
  const all: Partial<TrafficRecord>[] = [];
  const found = (total: number): TrafficRecord['answer'] => ({
    ...{ status: 200, durationUs: 1000, bytes: 100 },
    facts: { total, hits: total, timedOut: false, failedShards: 0 },
  });
  const search = (range: object, total: number): Partial<TrafficRecord> => ({
    path: '/shop/_search',
    body: utf8(JSON.stringify({ query: { range } })),
    answer: found(total),
  });
  const start = new Date(STARTED_AT).toISOString();
  const q = encodeURIComponent(`@timestamp:["${start}" TO *] AND name:x`);
  for (let count = 1; count <= DOCUMENTS; count += 1) {
    const now = STARTED_AT + all.length * 50;
    const document = { '@timestamp': new Date(now).toISOString(), seen: Math.floor(now / 1000), name: 'x' };
    all.push(
      {
        ...{ method: 'PUT', path: `/shop/_doc/${count}`, query: 'refresh=true' },
        body: utf8(JSON.stringify(document)),
        answer: { status: 201, durationUs: 1000, bytes: 100, facts: { result: 'created' } },
      },
      search({ '@timestamp': { gte: 'now-1h', lte: 'now+1h' } }, count),
      search({ '@timestamp': { gte: start } }, count),
      { method: 'GET', path: '/shop/_search', query: `q=${q}`, body: null, answer: found(count) },
      search({ seen: { gte: Math.floor(STARTED_AT / 1000), lte: 'now+1h' } }, count),
    );
  }
  return all.map((record, order) => madeRecord({ ...record, order, at: order * 50 * US }));
}

/** Returns the path of a definition that replays the recording. The mapping has date fields unless `dates` is false. */
const definitionOf = (times: string, dates = true): string =>
  own.write(`${times}-${dates}.json`, {
    version: 1,
    name: `dates ${times}`,
    spread: 'given-hosts',
    index: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mapping: {
        properties: {
          ...(dates
            ? { '@timestamp': { type: 'date' }, seen: { type: 'date', format: 'epoch_second' } }
            : {}),
          name: { type: 'keyword' },
        },
      },
    },
    tasks: [{ name: 'shop', replay: { file, times }, executor: { recorded: {} } }],
    measure: { warmup: '0s', duration: '30s' },
    trials: 1,
  });

async function alike(times: string): Promise<{ share: number | null; stderr: string }> {
  const report = path.join(own.folder, `${times}.json`);
  const definition = definitionOf(times);
  const { code, stdout, stderr } = await own.dyno(
    ...['run', definition, '--elasticsearch', url(), '--no-collector', '--report', report],
  );
  if (code === null || code > 1) throw new Error(`dyno run ended with ${code}:\n${stdout}\n${stderr}`);
  const { cells } = JSON.parse(readFileSync(report, 'utf8')) as Report;
  return { share: alikeShare(cells[0]!.tasks[0]!.answers!), stderr };
}

let file = '';
beforeAll(async () => {
  file = path.join(own.folder, 'dates.traffic.gz');
  const writer = await TrafficWriter.open(file, { startedAt: STARTED_AT, origin: 'record', share: 1 });
  for (const record of records()) await writer.write(record);
  await writer.close();
});

test('if no date could move, the run is refused before its first trial', async () => {
  const definition = definitionOf('shift', false);
  const report = path.join(own.folder, 'none.json');
  const { code, stderr } = await own.dyno(
    ...['run', definition, '--elasticsearch', url(), '--no-collector', '--report', report],
  );
  expect(code).toBeGreaterThan(1);
  expect(stderr).toContain('no date can move: the mappings contain no date field');
  expect(existsSync(report)).toBe(false);
});

test('queries relative to now find the replayed documents if dates move, and only then', async () => {
  const shifted = await alike('shift');
  // 5 dates as text and 5 as seconds in documents, and 15 in queries.
  expect(shifted.stderr).toContain('25 dates in @timestamp, seen move to the time of the replay');
  expect(shifted.share).toBe(1);
  const asRecorded = await alike('recorded');
  expect(asRecorded.stderr).not.toContain('move to the time of the replay');
  expect(asRecorded.share).toBeLessThan(0.9);
});
