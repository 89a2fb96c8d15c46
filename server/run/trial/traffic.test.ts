import { writeFileSync } from 'node:fs';
import type { TrafficJob } from '../../../common/traffic/job';
import type { TrafficRecord } from '../../../common/traffic/record';
import { madeFolder, madeRecord, utf8 } from '../../traffic-file/testing/made-records';
import { TrafficWriter } from '../../traffic-file/writer';
import {
  detectReplayFormat,
  movedDatesNote,
  surveyTraffic,
  trafficNotes,
  type TrafficSurvey,
} from './traffic';

const fileNamed = madeFolder();
let files = 0;

async function surveyed(
  records: readonly Partial<TrafficRecord>[],
  { count = 1, ...given }: Partial<TrafficJob> & { count?: number } = {},
): Promise<TrafficSurvey & { job: TrafficJob; notes: string[]; format: string }> {
  files += 1;
  const file = fileNamed(`${files}.traffic.gz`);
  const writer = await TrafficWriter.open(file, { startedAt: 0, origin: 'record', share: 1 });
  records.forEach((record, order) => writer.append(madeRecord({ order, at: order * 1000, ...record })));
  await writer.close();
  const job: TrafficJob = {
    source: { kind: 'file', file },
    traffic: 'traffic',
    types: null,
    indices: [],
    rest: { trial: null },
    mayWriteOwn: true,
    mayWriteExisting: false,
    engine: 'elasticsearch',
    repeat: false,
    found: { indices: [], startedAt: 0, firstAt: 0, lastAt: 0, groups: null },
    ...given,
  };
  const survey = await surveyTraffic(job, count);
  return { ...survey, job, notes: trafficNotes(job, survey, count), format: await detectReplayFormat(file) };
}

test('the notes say how many requests can be sent, what is left out and why, and where the requests go', async () => {
  const { notes, account, found, format } = await surveyed([
    { method: 'DELETE', path: '/shop', body: null },
    {},
    { path: '/logs-1/_search' },
    { path: '/_security/user/a' },
  ]);
  expect(format).toBe('traffic');
  expect(account).toMatchObject({ records: 4, sent: 2, leftOut: 2 });
  // The first request that is sent is due immediately.
  expect(found).toMatchObject({ firstAt: 1000, lastAt: 3000 });
  expect(notes[0]).toContain('2 of 4 requests can be sent; 2 left out: 1 because');
  expect(notes[1]).toContain('shop → the index of the trial, logs-1 → the index of the trial');
});

test('a note counts the ids and versions whose answers are missing or left out', async () => {
  const id = 'YwJ3dpkBQ_m-x1Zq8w2L';
  const facts = { generatedIds: [id] };
  const { notes } = await surveyed([
    { path: '/shop/_doc', query: 'pipeline=a', answer: { status: 201, durationUs: 10, bytes: 1, facts } },
    { method: 'GET', path: `/shop/_doc/${id}`, body: null },
    { method: 'PUT', path: '/shop/_doc/1', query: 'if_seq_no=7&if_primary_term=1' },
  ]);
  expect(notes.join()).toContain('2 ids or versions in requests will be sent as recorded');
});

test('several indices of the trial take the recorded names in turn', async () => {
  const records = ['/a/_search', '/b/_search', '/a/_search', '/c/_search'].map((path) => ({ path }));
  const { found } = await surveyed(records, { count: 2 });
  expect(found.indices).toEqual([
    { pattern: 'a', to: { trial: 1 } },
    { pattern: 'b', to: { trial: 2 } },
    { pattern: 'c', to: { trial: 1 } },
  ]);
});

test('connections that share an id are one group', async () => {
  const id = 'YwJ3dpkBQ_m-x1Zq8w2L';
  const answer = { status: 201, durationUs: 10, bytes: 1, facts: { generatedIds: [id] } };
  const { found } = await surveyed([
    { connection: 3, path: '/shop/_doc', answer },
    { connection: 7, method: 'GET', path: `/shop/_doc/${id}`, body: null },
    { connection: 8, body: utf8('{}') },
  ]);
  expect(found.groups).toEqual([[3, 7]]);
});

test('a file without a request that can be sent is refused with the reason', async () => {
  await expect(surveyed([{ method: 'DELETE', path: '/shop', body: null }])).rejects.toThrow(
    'none of its 1 request can be sent: 1 because it creates, reads or deletes an index',
  );
});

test('a log of searches keeps its format', async () => {
  const file = fileNamed('searches.log');
  writeFileSync(file, '1451880953.000|product|{"query":{"match_all":{}}}\n');
  await expect(detectReplayFormat(file)).resolves.toBe('query-log');
});

test('the note about dates names the fields, and counts the dates that move and those that stay', async () => {
  const times = { fields: [{ name: '@timestamp', format: null, isNanos: false }], seconds: 0 };
  const document = { path: '/shop/_doc', body: utf8('{"@timestamp":"2026-03-05","born":"1970-01-01"}') };
  const { job, ...survey } = await surveyed([document, { ...document, path: '/a/b/c' }, document], { times });
  expect(movedDatesNote(job, survey)).toMatch(
    /: 2 dates in @timestamp move to the time of the replay; these dates stay as recorded: 2 in born$/,
  );
  const withScript = {
    path: '/shop/_search',
    body: utf8('{"query":{"script":{"script":"x > \\"2026-03-05\\""}}}'),
  };
  const { job: ofScripts, ...more } = await surveyed([document, withScript], { times });
  expect(movedDatesNote(ofScripts, more)).toMatch(
    /1 in calculations, scripts and other places outside fields\. Requests with dates that stay may find other documents/,
  );
  const { job: asRecorded, ...other } = await surveyed([document]);
  expect(movedDatesNote(asRecorded, other)).toBe('');
});
