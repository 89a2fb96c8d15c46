/**
 * Tests `dyno mask` as users run it. The traffic of a simulated shop is recorded for some seconds and masked, and the copy is replayed. A
 * killed `dyno mask` leaves no file that looks like a complete copy.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { alikeShare } from '../../common/measurement/same-answers';
import { madeRecord } from '../../server/traffic-file/testing/made-records';
import { TrafficWriter } from '../../server/traffic-file/writer';
import { recordDay, replayDay, type Place } from '../support/replay-day';
import { until } from '../support/until';
import { workplace } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const own = workplace();
afterAll(() => own.remove());

const SECONDS = 5;

test('the masked copy of a recorded shop is replayed completely and answered alike', async () => {
  const place: Place = {
    command: path.resolve(__dirname, '../../build/dyno.js'),
    folder: own.folder,
    elasticsearch: url(),
  };
  const file = await recordDay(place, { seconds: SECONDS, clients: 6, perSecond: 60 });
  const copy = path.join(own.folder, 'masked.traffic.gz');
  const masking = await own.dyno('mask', file, '--to', copy, '--report', path.join(own.folder, 'mask.json'));
  expect(masking).toMatchObject({ code: 0 });
  expect(masking.stdout).not.toMatch(/Dropped requests|Parts removed/);
  const day = await replayDay(place, copy, { speed: 1, seconds: SECONDS + 3 });
  const task = day.report.cells[0]!.tasks[0]!;
  process.stdout.write(
    `${day.arrived} of ${day.recorded} requests, alike ${alikeShare(task.answers!)}\n${masking.stdout}\n`,
  );
  expect(day.missing).toEqual([]);
  expect(task.traffic).toMatchObject({ sent: day.recorded, unsent: 0, untranslated: 0 });
  expect(alikeShare(task.answers!)).toBeGreaterThanOrEqual(0.95);
});

test('a killed masking leaves no file with the name of the copy, and the next one removes the rest', async () => {
  const file = path.join(own.folder, 'long.traffic.gz');
  const writer = await TrafficWriter.open(file, { startedAt: 0, origin: 'record', share: 1 });
  for (let order = 0; order < 20_000; order += 1) await writer.write(madeRecord({ order, at: order }));
  await writer.close();
  const copies = (): string[] => readdirSync(own.folder).filter((name) => name.startsWith('killed.'));
  const to = path.join(own.folder, 'killed.traffic.gz');
  const masking = own.start('mask', file, '--to', to);
  await until('the draft exists', () => copies().length > 0);
  masking.child.kill('SIGKILL');
  await masking.ended;
  expect(copies()).toEqual([expect.stringMatching(/^killed\.traffic\.gz\..+\.draft$/)]);
  expect(await own.dyno('mask', file, '--to', to)).toMatchObject({ code: 0 });
  expect(copies()).toEqual(['killed.traffic.gz']);
});
