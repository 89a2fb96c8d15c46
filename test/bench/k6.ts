/**
 * Measures how much longer the response times of Grafana k6 (`constant-arrival-rate`) are than the times that the target itself logs. The
 * behaviour of the target is known.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { timesOf, truthAt } from '../../server/certify/measure';
import type { TargetHandle } from '../../server/certify/target-handle';

const WARMUP_S = 2;

/** Returns the version of k6, such as `v1.8.1`, or null if k6 is not installed. */
export function k6Version(): string | null {
  const { error, stdout } = spawnSync('k6', ['version'], { encoding: 'utf8' });
  return error === undefined ? (/v[\d.]+/.exec(stdout)?.[0] ?? 'k6') : null;
}

const script = (url: string, perSecond: number, seconds: number, summary: string): string => `
import http from 'k6/http';
const executor = { executor: 'constant-arrival-rate', rate: ${perSecond}, timeUnit: '1s', preAllocatedVUs: 100, maxVUs: 700 };
export const options = {
  summaryTrendStats: ['p(50)', 'p(99)', 'p(99.9)', 'max'],
  // A threshold makes k6 report the measured scenario separately.
  thresholds: { 'http_req_duration{scenario:measured}': ['max>=0'] },
  scenarios: {
    warmup: { ...executor, duration: '${WARMUP_S}s' },
    measured: { ...executor, duration: '${seconds}s', startTime: '${WARMUP_S}s' },
  },
};
const params = { headers: { 'content-type': 'application/json' } };
export default () => { http.post('${url}/certify/_search', '{"size":0}', params); };
export const handleSummary = (data) =>
  ({ '${summary}': JSON.stringify(data.metrics['http_req_duration{scenario:measured}'].values) });
`;

/** Returns how much k6 adds to p50, p99, p99.9 and the maximum, in ms, for a target that responds after 5 ms. */
export async function k6Adds(
  target: TargetHandle,
  perSecond: number,
  seconds: number,
): Promise<Record<'p50' | 'p99' | 'p99_9' | 'max', number>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dyno-k6-'));
  try {
    const summary = path.join(folder, 'summary.json');
    const file = path.join(folder, 'script.js');
    writeFileSync(file, script(target.url, perSecond, seconds, summary));
    await target.behave('constant', 1);
    await promisify(execFile)('k6', ['run', '--quiet', '--no-usage-report', file]);
    const reported = JSON.parse(readFileSync(summary, 'utf8')) as Record<string, number>;
    const times = timesOf(await target.log(), perSecond * WARMUP_S, perSecond * seconds);
    const adds = (name: string, key: 'p50' | 'p99' | 'p99_9' | 'max'): number =>
      reported[name]! - (truthAt(times, key) ?? NaN);
    return {
      p50: adds('p(50)', 'p50'),
      p99: adds('p(99)', 'p99'),
      p99_9: adds('p(99.9)', 'p99_9'),
      max: adds('max', 'max'),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
