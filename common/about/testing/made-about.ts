/** The state of a healthy Dyno, for tests. */
import type { About, AboutParts } from '../../api/about';
import { aboutProblems } from '../problems';

export const MADE_AT = '2026-11-24T22:00:00.000Z';

/** Returns the time `ms` before {@link MADE_AT}, ISO 8601 UTC. */
export const before = (ms: number): string => new Date(Date.parse(MADE_AT) - ms).toISOString();

const GB = 1024 ** 3;

const HEALTHY: { readonly [P in keyof AboutParts]: NonNullable<AboutParts[P]['found']> } = {
  versions: { dyno: '0.1.0', node: '22.11.0', kibana: null, system: 'Linux 6.1 x64' },
  results: {
    url: 'http://127.0.0.1:9200',
    version: '9.5.3',
    health: { status: 'green', nodes: 1, unassignedShards: 0 },
  },
  embedded: { version: '9.5.3', startedHere: true },
  spool: { documents: 0, waiting: { files: 0, bytes: 0, since: null }, others: [], kept: 0 },
  collector: { own: { state: 'running', detail: '' }, shippers: [] },
  runs: [],
  schedules: { scheduled: 0, next: null, missed: [] },
  certification: {
    going: false,
    last: { answer: 'certified', why: '', at: before(3_600_000), dyno: '0.1.0' },
  },
  disks: [{ holds: ['data folder', 'elasticsearch'], freeBytes: 100 * GB, totalBytes: 200 * GB }],
  machine: { cores: 4, totalBytes: 16 * GB, availableBytes: 8 * GB, ownBytes: GB / 4, load: 0.5 },
};

/**
 * Returns a state of Dyno in which all checks passed. `found`: check results of Dyno's parts that replace the healthy ones. `failures`:
 * parts whose check failed, with the reason.
 */
export function madeAbout(
  found: { readonly [P in keyof AboutParts]?: AboutParts[P]['found'] } = {},
  failures: Partial<Record<keyof AboutParts, string>> = {},
  host: About['host'] = 'standalone',
): About {
  const parts = Object.fromEntries(
    Object.entries({ ...HEALTHY, ...found }).map(([part, result]) => {
      const failure = failures[part as keyof AboutParts];
      return [part, failure === undefined ? { found: result, failure: '' } : { found: null, failure }];
    }),
  ) as unknown as AboutParts;
  return { at: MADE_AT, host, parts, problems: aboutProblems({ host, parts, now: Date.parse(MADE_AT) }) };
}
