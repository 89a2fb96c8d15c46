/** Simulated records, and files of traffic with them, for tests. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TrafficRecord } from '../../../common/traffic/record';
import { readTraffic } from '../read-traffic';

export const utf8 = (text: string): Uint8Array => Buffer.from(text, 'utf8');

export const madeRecord = (given: Partial<TrafficRecord> = {}): TrafficRecord => ({
  ...{ connection: 1, order: 0, at: 0, method: 'POST', path: '/shop/_search', query: '' },
  ...{ contentType: 'application/json', body: utf8('{"query":{"match_all":{}}}'), answer: null },
  ...given,
});

/** Returns a function that returns the path of a file in a new folder. The folder is removed after the tests of the file. */
export function madeFolder(): (name: string) => string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-traffic-'));
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return (name) => path.join(folder, name);
}

export async function readAll(
  file: string,
): Promise<{ records: TrafficRecord[]; lost: string[]; examples: string[] }> {
  const traffic = await readTraffic(file);
  const records: TrafficRecord[] = [];
  for await (const record of traffic.records) records.push(record);
  const lost = traffic.lost();
  return {
    records,
    lost: lost.map(({ text }) => text),
    examples: lost.flatMap(({ examples }) => examples),
  };
}
