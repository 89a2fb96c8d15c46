/**
 * Tests that the masked copy of a recording can be replayed: the traffic of a simulated shop is recorded for some seconds and masked, and
 * the copy is replayed.
 */
import path from 'node:path';
import { alikeShare } from '../../common/measurement/same-answers';
import { recordDay, replayDay, type Place } from '../support/replay-day';
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
