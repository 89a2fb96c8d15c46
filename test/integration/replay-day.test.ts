/**
 * Tests the replay of recorded traffic on Elasticsearch: the traffic of a simulated shop is recorded for some seconds and replayed on a
 * fresh index.
 */
import path from 'node:path';
import { trafficAccountedFor } from '../../common/measurement/traffic';
import { alikeShare } from '../../common/measurement/same-answers';
import { recordDay, replayDay, type Place } from '../support/replay-day';
import { workplace } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';

const url = sharedElasticsearch();
const own = workplace();
afterAll(() => own.remove());

const SECONDS = 5;

test('a recorded shop is replayed at two speeds with its order, its pace and its answers, and all outcomes add up', async () => {
  const place: Place = {
    command: path.resolve(__dirname, '../../build/dyno.js'),
    folder: own.folder,
    elasticsearch: url(),
  };
  const file = await recordDay(place, { seconds: SECONDS, clients: 6, perSecond: 60 });
  for (const speed of [1, 4]) {
    const day = await replayDay(place, file, { speed, seconds: SECONDS + 3 });
    const task = day.report.cells[0]!.tasks[0]!;
    process.stdout.write(
      `speed ${speed}: ${day.arrived} of ${day.recorded} requests, pace ${day.pace.toFixed(4)}, late p50 ${day.lateMs.p50.toFixed(1)} ms, p99 ${day.lateMs.p99.toFixed(1)} ms, alike ${alikeShare(task.answers!)}\n`,
    );
    const { missing, outOfOrder, arrived } = day;
    expect({ missing, outOfOrder, arrived }).toEqual({ missing: [], outOfOrder: 0, arrived: day.recorded });
    expect(trafficAccountedFor(task.traffic!)).toBe(task.traffic!.records);
    expect(task.traffic).toMatchObject({ sent: day.recorded, unsent: 0, untranslated: 0 });
    expect(alikeShare(task.answers!)).toBeGreaterThanOrEqual(0.99);
    expect(day.output).toContain('requests can be sent');
    expect(day.output).toContain('shop → the index of the trial');
  }
});
