/**
 * Records the traffic of a simulated shop on a real Elasticsearch, and replays it on a fresh index at two speeds. Requirements:
 * - Each connection keeps the order of its requests.
 * - At least 99% of the responses are equal to the recorded responses.
 * - Each request has exactly one outcome.
 * - At speed 1, the duration differs by less than 0.1%.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { alikeShare } from '../../common/measurement/same-answers';
import { trafficAccountedFor } from '../../common/measurement/traffic';
import { startElasticsearch } from '../../server/standalone/elasticsearch/start';
import { recordDay, replayDay } from '../support/replay-day';
import { figure, type Row } from './table';

const LEAST_ALIKE = 0.99;
const MOST_OFF = 0.001;

export async function benchReplayDay(
  seconds: number,
  perSecond: number,
  speeds: readonly number[],
): Promise<{ tables: { title: string; rows: Row[] }[]; failures: string[] }> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-bench-day-'));
  const cluster = await startElasticsearch({ ephemeral: true, heap: '1g' });
  const rows: Row[] = [];
  const failures: string[] = [];
  try {
    const command = fileURLToPath(new URL('./dyno.js', import.meta.url));
    const place = { command, folder, elasticsearch: cluster.url };
    const file = await recordDay(place, { seconds, clients: 20, perSecond });
    for (const speed of speeds) {
      const day = await replayDay(place, file, { speed, seconds });
      const { traffic, answers } = day.report.cells[0]!.tasks[0]!;
      const alike = alikeShare(answers!) ?? 0;
      rows.push({
        speed,
        'recorded requests': day.recorded,
        arrived: day.arrived,
        'out of order': day.outOfOrder,
        'pace off %': figure((day.pace - 1) * 100),
        'late p50 ms': figure(day.lateMs.p50),
        'late p99 ms': figure(day.lateMs.p99),
        waited: traffic!.waited,
        'ids as recorded': traffic!.untranslated,
        'alike %': figure(alike * 100),
        'not accounted for': traffic!.records - trafficAccountedFor(traffic!),
      });
      const fail = (isMet: boolean, text: string): void => {
        if (!isMet) failures.push(`speed ${speed}: ${text}`);
      };
      fail(
        day.arrived === day.recorded && day.outOfOrder === 0,
        'every request arrives, in the order of its connection',
      );
      fail(alike >= LEAST_ALIKE, 'at least 99% are answered alike');
      fail(trafficAccountedFor(traffic!) === traffic!.records, 'the outcomes add up');
      fail(speed !== 1 || Math.abs(day.pace - 1) <= MOST_OFF, 'the pace is kept to 0.1%');
    }
  } finally {
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  return { tables: [{ title: `A made shop, ${seconds} s at ${perSecond} requests/s`, rows }], failures };
}
