import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readFileSync } from 'node:fs';
import { madeFolder, madeRecord, readAll } from './testing/made-records';
import { PART_BYTES, TrafficWriter } from './writer';

const at = madeFolder();

test('a recording that other tools rewrote is read from its lines', async () => {
  const writer = await TrafficWriter.open(at('a.traffic.gz'), { startedAt: 5, origin: 'record', share: 1 });
  for (let order = 0; order < 5; order += 1) await writer.write(madeRecord({ order, at: 100 - order }));
  await writer.write(madeRecord({ connection: 2, at: 50, body: Buffer.alloc(2 * PART_BYTES + 5, 'x') }));
  await writer.close();
  const lines = gunzipSync(readFileSync(at('a.traffic.gz')));
  writeFileSync(at('plain.ndjson'), lines);
  writeFileSync(at('b.traffic.gz'), gzipSync(lines));
  for (const name of ['plain.ndjson', 'b.traffic.gz']) {
    const { records, lost } = await readAll(at(name));
    expect(lost).toEqual([]);
    expect(records.map((record) => record.at)).toEqual([50, 96, 97, 98, 99, 100]);
    expect(records[0]!.body).toHaveLength(2 * PART_BYTES + 5);
  }
});

test('malformed lines and a cut end are counted', async () => {
  const writer = await TrafficWriter.open(at('c.traffic.gz'), { startedAt: 5, origin: 'record', share: 1 });
  await writer.write(madeRecord());
  await writer.close();
  const lines = execFileSync('gzip', ['-dc', at('c.traffic.gz')])
    .toString()
    .split('\n');
  writeFileSync(at('d.ndjson'), [lines[0], '{"a":1}', lines[1], lines[1]!.slice(0, 40)].join('\n'));
  const { records, lost } = await readAll(at('d.ndjson'));
  expect(records).toHaveLength(1);
  expect(lost).toEqual(['2 entries malformed']);
});

/** Writes a recording with one record, and returns its bytes. */
async function recorded(startedAt: number): Promise<Buffer> {
  const name = at(`${startedAt}.traffic.gz`);
  const writer = await TrafficWriter.open(name, { startedAt, origin: 'record', share: 1 });
  await writer.write(madeRecord({ path: `/${startedAt}/_search` }));
  await writer.close();
  return readFileSync(name);
}

test('another recording in the same file is not read, because its times are relative to another start', async () => {
  const appended = Buffer.concat([await recorded(1000), await recorded(2000)]);
  writeFileSync(at('both.traffic.gz'), appended);
  writeFileSync(at('both.ndjson'), gunzipSync(appended));
  for (const name of ['both.traffic.gz', 'both.ndjson']) {
    const { records, lost } = await readAll(at(name));
    expect(records.map(({ path }) => path)).toEqual(['/1000/_search']);
    expect(lost).toContain('1 file of another recording ignored');
  }
});

test('records without their header are refused with the reason', async () => {
  const [, ...lines] = gunzipSync(await recorded(3000))
    .toString()
    .split('\n');
  writeFileSync(at('headless.ndjson'), lines.join('\n'));
  await expect(readAll(at('headless.ndjson'))).rejects.toThrow(
    /its first line is not the header of a recording/,
  );
});
