import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { madeFolder } from '../../traffic-file/testing/made-records';
import { newDraft } from '../../whole-file';
import { isTraffic, TrafficList } from './list';
import { STARTED_AT, writeShop } from './testing/made-traffic';

const at = madeFolder();

test('recordings in the folder and its subfolders are listed with size, time and number of requests; other files are not', async () => {
  const folder = at('corpora');
  mkdirSync(path.join(folder, 'days'), { recursive: true });
  await writeShop(path.join(folder, 'days', 'shop.traffic.gz'));
  writeFileSync(path.join(folder, 'documents.json'), '{"a":1}\n');
  const list = new TrafficList(folder);
  const { files, isCut } = await list.find();
  expect(isCut).toBe(false);
  expect(files).toEqual([
    {
      file: 'days/shop.traffic.gz',
      format: 'dyno',
      files: 1,
      bytes: expect.any(Number),
      modifiedMs: expect.any(Number),
      startedAt: STARTED_AT,
      durationMs: 3990,
      requests: 400,
    },
  ]);
  renameSync(path.join(folder, 'days', 'shop.traffic.gz'), path.join(folder, 'other.traffic.gz'));
  expect((await list.find()).files.map(({ file }) => file)).toEqual(['other.traffic.gz']);
  rmSync(path.join(folder, 'other.traffic.gz'));
  expect((await list.find()).files).toEqual([]);
});

test('a recording of several files is listed once', async () => {
  const folder = at('rotated');
  mkdirSync(folder);
  await writeShop(path.join(folder, 'shop.traffic.gz'), 4000, { rotateBytes: 20_000, blockBytes: 4000 });
  const { files } = await new TrafficList(folder).find();
  expect(files.map(({ file, requests }) => [file, requests])).toEqual([['shop.traffic.gz', 4000]]);
  expect(files[0]!.files).toBeGreaterThan(1);
});

test('the draft of a masked copy that is not complete is not listed', async () => {
  const folder = at('drafts');
  mkdirSync(folder);
  await writeShop(await newDraft(path.join(folder, 'masked.traffic.gz')));
  expect((await new TrafficList(folder).find()).files).toEqual([]);
});

test('a folder that does not exist is empty, and a missing file is not traffic', async () => {
  expect(await new TrafficList(at('none')).find()).toEqual({ files: [], isCut: false });
  expect(await isTraffic(at('none'))).toBe(false);
});

test('a file of another tool is listed without its number of requests, which only reading shows', async () => {
  const folder = at('foreign');
  mkdirSync(folder);
  writeFileSync(
    path.join(folder, 'browser.har'),
    '{"log": {"version": "1.2", "creator": {"name": "x"}, "entries": []}}',
  );
  writeFileSync(path.join(folder, 'searches.log'), '1700000000.000|product|{"query":{"match_all":{}}}\n');
  const { files } = await new TrafficList(folder).find();
  expect(files).toMatchObject([{ file: 'browser.har', format: 'har', startedAt: null, requests: null }]);
});
