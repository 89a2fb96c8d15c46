/**
 * Creates files of recorded traffic in all formats and damages some of them. Reads the files, and summarises the requests that could be
 * read.
 */
import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { DynoError } from '../../common/problem';
import { Survey, surveySchema } from '../../common/survey/survey';
import { surveyTables } from '../../common/survey/tables';
import type { TrafficRecord } from '../../common/traffic/record';
import { readTraffic } from '../../server/traffic-file/read-traffic';
import { TrafficWriter } from '../../server/traffic-file/writer';
import type { FuzzPart } from './parts';
import { oneOf, wholeBetween, type Random } from './random';
import { damaged } from './schema-values';

const TIME = '2026-11-20T10:00:00.000Z';

const HAR_ENTRY = {
  startedDateTime: TIME,
  time: 5,
  request: {
    method: 'POST',
    url: 'http://es:9200/shop/_search?size=0',
    headers: [{ name: 'content-type', value: 'application/json' }],
    postData: { mimeType: 'application/json', text: '{"size":1}' },
    bodySize: 10,
  },
  response: {
    status: 200,
    headers: [],
    content: { size: 30, text: '{"hits":{"total":3,"hits":[]}}', encoding: 'base64' },
    bodySize: 30,
  },
  timings: { blocked: -1, send: 0, wait: 4, receive: 1 },
  connection: '7',
};

const AUDIT_EVENT = {
  type: 'audit',
  timestamp: TIME,
  'event.type': 'rest',
  'event.action': 'authentication_success',
  'origin.address': '10.0.0.1:5000',
  'url.path': '/shop/_search',
  'request.method': 'POST',
  'request.body': '{"size":1}',
  'request.id': 'a',
};

const OPENSEARCH_EVENT = {
  audit_format_version: 4,
  audit_category: 'AUTHENTICATED',
  audit_request_layer: 'REST',
  '@timestamp': TIME,
  audit_rest_request_method: 'POST',
  audit_rest_request_path: '/shop/_search',
  audit_rest_request_params: { size: '0' },
  audit_rest_request_headers: { 'content-type': ['application/json'] },
  audit_request_body: '{"size":1}',
};

const lines = (event: object, random: Random): string[] =>
  Array.from({ length: wholeBetween(random, 1, 20) }, () =>
    // Most lines are whole, so that the format is recognised.
    random.below(3) > 0 ? JSON.stringify(event) : (JSON.stringify(damaged(event, random)) ?? ''),
  );

function gorFile(random: Random): string {
  const payload = (): string => {
    const id = oneOf(random, ['138823f00a00000100000001', '138823f00a00000100000002', 'aaaaaaaa', '']);
    const time = oneOf(random, ['1764000000000000000', '1764000000000000000', '9'.repeat(30), '0', '-5']);
    const head = `${oneOf(random, ['1', '1', '2', '3', '4'])} ${id} ${time} ${oneOf(random, ['0', '5000', '-1', ''])}`;
    const length = oneOf(random, [
      'Content-Length: 10\r\n',
      'Content-Length: 1e99\r\n',
      'Transfer-Encoding: chunked\r\n',
      '',
    ]);
    const first = oneOf(random, [
      'POST /shop/_search HTTP/1.1',
      'HTTP/1.1 200 OK',
      'GET',
      '\u0000',
      'POST ?x:// HTTP/1.1',
    ]);
    const body = oneOf(random, ['{"size":1}', 'a\r\n{"size":1}\r\n0\r\n\r\n', 'ffffffff\r\nx', '', '🐵🙈']);
    return `${head}\n${first}\r\n${length}${oneOf(random, ['', 'Content-Encoding: gzip\r\n', 'a\r\n:\r\n'])}\r\n${body}`;
  };
  const first = '1 138823f00a00000100000003 1764000000000000000\nPOST /shop/_search HTTP/1.1\r\n\r\n{}';
  return [first, ...Array.from({ length: random.below(20) }, payload), ''].join('\n🐵🙈🙉\n');
}

const FILES: readonly ((random: Random) => string)[] = [
  (random) =>
    `{"log":{"version":"1.2","creator":{},"entries":[${lines(HAR_ENTRY, random).filter(Boolean).join(',')}]}}`,
  (random) => lines(AUDIT_EVENT, random).join('\n'),
  (random) => lines(OPENSEARCH_EVENT, random).join('\n'),
  gorFile,
];

/** Returns a file with changed, removed or added bytes, or without its end. */
function damagedBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  const length = wholeBetween(random, 1, oneOf(random, [1, 20, 2000]));
  const noise = Buffer.from(Array.from({ length }, () => random.below(256)));
  return oneOf<() => Buffer>(random, [
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)]),
    () => Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + length)]),
    () => Buffer.concat([bytes, bytes.subarray(at)]),
  ])();
}

/** Returns a record as text. The test compares these texts. */
const textOf = ({ body, ...record }: TrafficRecord): string =>
  JSON.stringify({ ...record, body: body === null ? null : Buffer.from(body).toString('latin1') });

/** Writes a recording in Dyno's format, and returns its requests as texts. */
async function writeOwn(file: string, random: Random): Promise<Set<string>> {
  await rm(file, { force: true });
  const writer = await TrafficWriter.open(
    file,
    { startedAt: 1_764_000_000_000, origin: 'record', share: 1 },
    { blockBytes: wholeBetween(random, 1, 3000) },
  );
  const texts = new Set<string>();
  for (let order = 0; order < wholeBetween(random, 1, 50); order += 1) {
    const body = Buffer.from(Array.from({ length: random.below(200) }, () => random.below(256)));
    const record: TrafficRecord = {
      ...{ connection: random.below(3), order, at: random.below(1000), method: 'POST' },
      ...{ path: '/shop/_search', query: '', contentType: '', answer: null },
      body: random.below(10) === 0 ? null : body,
    };
    if (random.below(4) === 0 && writer.appendPart(record.connection, order, body))
      texts.add(textOf({ ...record, body: Buffer.concat([body, record.body ?? Buffer.alloc(0)]) }));
    else texts.add(textOf(record));
    await writer.write(record);
  }
  await writer.close();
  return texts;
}

/**
 * Tests the readers of recorded traffic. An input counts as accepted if at least one request could be read. Dyno's own format has stricter
 * rules: its reader must never return a request that was not written, and must return all requests of an undamaged file.
 */
export function trafficPart(folder: string): FuzzPart {
  return {
    async try(random) {
      const isOwn = random.below(2) === 0;
      const isWhole = random.below(4) === 0;
      const file = path.join(folder, isOwn ? 'own.traffic.gz' : 'traffic');
      const written = isOwn ? await writeOwn(file, random) : new Set<string>();
      if (!isOwn) {
        const plain = Buffer.from(oneOf(random, FILES)(random));
        await writeFile(file, oneOf(random, [plain, plain, gzipSync(plain)]));
      }
      if (!isWhole) await writeFile(file, damagedBytes(await readFile(file), random));
      try {
        const traffic = await readTraffic(file);
        const read: TrafficRecord[] = [];
        for await (const record of traffic.records) read.push(record);
        check(read, traffic.format === 'dyno' ? written : null, isOwn && isWhole);
        checkSurvey(traffic.header.startedAt, read);
        return read.length > 0 ? 'accepted' : 'refused';
      } catch (error) {
        if (error instanceof DynoError && !(isOwn && isWhole)) return 'refused';
        throw error;
      }
    },
  };
}

/** Checks that the requests can be summarised, whatever they are, and that the summary counts all of them. */
function checkSurvey(startedAt: number, records: readonly TrafficRecord[]): void {
  const survey = new Survey(startedAt);
  for (const record of records) survey.add(record);
  const result = surveySchema.parse(survey.result());
  if (result.requests !== records.length) throw new Error(`${result.requests} of ${records.length} surveyed`);
  surveyTables(result);
}

function check(read: readonly TrafficRecord[], written: ReadonlySet<string> | null, isWhole: boolean): void {
  read.forEach((record, at) => {
    if (at > 0 && record.at < read[at - 1]!.at) throw new Error('the records are not in order');
    if (!Number.isSafeInteger(record.at) || record.at < 0) throw new Error(`wrong time ${record.at}`);
    if (written !== null && !written.has(textOf(record))) throw new Error(`not written: ${textOf(record)}`);
  });
  if (isWhole && read.length !== written?.size) throw new Error(`${read.length} of ${written?.size} records`);
}
