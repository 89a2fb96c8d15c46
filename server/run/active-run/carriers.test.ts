import { runError } from '../../../common/problem';
import { PATIENCE_MS } from '../../results/patience';
import { thisProcess } from '../../process-life';
import { checkAlone, holdsTarget, isCarried, isHolderGone, SILENCE_MS } from './carriers';
import { indexName, newRunId, trialId } from './names';
import { parseTime } from '../../../common/units/time';

const run = (carrier: object, heartbeat = Date.now()): Parameters<typeof isCarried>[0] =>
  ({
    run: { id: 'r', carrier: { ...thisProcess(), ...carrier }, heartbeat: new Date(heartbeat).toISOString() },
  }) as never;

const NOW = { now: Date.now(), leases: new Map() };

describe('names', () => {
  it('sort by time, and those of trials and indices contain the id of the run', () => {
    const id = newRunId(new Date(parseTime('2026-11-20T15:45:12.345Z')));
    expect(id).toMatch(/^20261120-154512-[0-9a-f]{4}$/);
    expect(trialId(id, 0)).toBe(`${id}-t01`);
    expect(indexName('dyno-trial', id, 11)).toBe(`dyno-trial-${id}-12`);
  });
});

describe('whether a run is carried', () => {
  it('follows from the process table on this machine', () => {
    expect(isCarried(run({}), NOW)).toBe(true);
    // The id is higher than any process id of Linux.
    expect(isCarried(run({ pid: 2 ** 22 + 1 }), NOW)).toBe(false);
  });

  it('does not accept a reused process id as the carrier', () => {
    expect(isCarried(run({ instance: `${process.pid}-1` }), NOW)).toBe(false);
  });

  it('follows from the heartbeat for another machine without a lease', () => {
    expect(isCarried(run({ host: 'elsewhere' }), NOW)).toBe(true);
    expect(isCarried(run({ host: 'elsewhere' }, NOW.now - SILENCE_MS - 1), NOW)).toBe(false);
  });

  it('follows from the lease for another machine, by the clock of the results cluster instead of the carrier’s', () => {
    const carrier = { host: 'elsewhere', pid: 7, instance: '7-7' };
    const renewed = (ago: number): typeof NOW => ({
      ...NOW,
      leases: new Map([
        [
          'r',
          { '@timestamp': '', run: { id: 'r' }, carrier, renewed: new Date(NOW.now - ago).toISOString() },
        ],
      ]),
    });
    const HOUR = 3600_000;
    expect(isCarried(run(carrier, NOW.now - HOUR), renewed(1000))).toBe(true);
    expect(isCarried(run(carrier, NOW.now + HOUR), renewed(SILENCE_MS))).toBe(false);
  });
});

test('a target’s lease of this process counts only while its run holds the target here', () => {
  const holder = { run: { id: 'r' }, carrier: thisProcess() };
  expect(isHolderGone(holder)).toBe(true);
  holdsTarget('r', true);
  expect(isHolderGone(holder)).toBe(false);
  holdsTarget('r', false);
  expect(isHolderGone(holder)).toBe(true);
  // For a process on another machine, only the age of the lease counts.
  expect(isHolderGone({ ...holder, carrier: { host: 'elsewhere', pid: 7, instance: '7-7' } })).toBe(false);
});

describe('whether a run is alone on its cluster', () => {
  const document = { run: { id: 'r', beside: 'u' }, provenance: null } as never;
  const resultsClient = { request: () => Promise.resolve({ status: 404, body: {} }) } as never;

  it('is unknown if the results cluster is away, which ends no run', async () => {
    const away = { findActiveRuns: () => Promise.reject(runError('elsewhere.away', '', 'nobody answers')) };
    expect(await checkAlone({ reader: away, resultsClient }, document, '')).toContain('nobody answers');
  });

  it('is unknown after a timeout if the results cluster does not answer', async () => {
    jest.useFakeTimers();
    const never = { findActiveRuns: () => new Promise<never>(() => undefined) };
    const checked = checkAlone({ reader: never, resultsClient }, document, '');
    jest.advanceTimersByTime(PATIENCE_MS);
    jest.useRealTimers();
    expect(await checked).toContain('has not answered within 5 s');
  });
});
