import { outdatedRuns, parseRetention, removedSentence, retentionText, type RetainedRun } from './retention';

const DAY = 86_400_000;
const NOW = 1000 * DAY;

/** Returns a run that ended this many days ago. */
const run = (id: string, days: number, more: Partial<RetainedRun> = {}): RetainedRun => ({
  id,
  state: 'completed',
  experiment: 'searches',
  ended: NOW - days * DAY,
  isRemoved: false,
  ...more,
});

const outdated = (runs: RetainedRun[], keep: string, kept: string[] = []): string[] =>
  outdatedRuns(runs, parseRetention(keep)!, { now: NOW, kept: new Set(kept) }).map(({ id }) => id);

test('samples are kept for a time, for a number of runs, or for whichever is longer', () => {
  expect(parseRetention('90d')).toEqual({ ms: 90 * DAY });
  expect(parseRetention(' 20 runs ')).toEqual({ runs: 20 });
  expect(parseRetention('1 run')).toEqual({ runs: 1 });
  expect(parseRetention('12h, 3 runs')).toEqual({ ms: DAY / 2, runs: 3 });
  for (const wrong of ['', '90', '0d', '0 runs', '-1 runs', '90d,', '1d, 2d', '3 runs, 4 runs', 'all'])
    expect(parseRetention(wrong)).toBeUndefined();
});

test('the oldest samples are removed first, once their run is older than the limit', () => {
  const runs = [run('new', 1), run('old', 10), run('older', 20)];
  expect(outdated(runs, '5d')).toEqual(['older', 'old']);
  expect(outdated(runs, '10d')).toEqual(['older', 'old']);
  expect(outdated(runs, '11d')).toEqual(['older']);
});

test('the newest runs are counted separately for each experiment and space', () => {
  const runs = [
    run('a3', 1),
    run('b2', 2, { experiment: 'bulks' }),
    run('a2', 3),
    run('b1', 4, { experiment: 'bulks' }),
    run('a1', 5),
  ];
  expect(outdated(runs, '2 runs')).toEqual(['a1']);
  expect(outdated(runs, '1 run')).toEqual(['a1', 'b1', 'a2']);
});

test('a run keeps its samples while either the time or the number keeps them', () => {
  const runs = [run('3', 1), run('2', 10), run('1', 20)];
  expect(outdated(runs, '5d, 2 runs')).toEqual(['1']);
  expect(outdated(runs, '15d, 1 run')).toEqual(['1']);
});

test('unfinished runs and baselines keep their samples, and they and runs without samples count', () => {
  const runs = [
    run('going', 0, { state: 'running' }),
    run('queued', 30, { state: 'queued' }),
    run('waiting', 40, { state: 'waiting' }),
    run('baseline', 50),
    run('gone', 60, { isRemoved: true }),
    run('failed', 70, { state: 'failed' }),
    run('cancelled', 80, { state: 'cancelled' }),
  ];
  expect(outdated(runs, '5d', ['baseline'])).toEqual(['cancelled', 'failed']);
  expect(outdated(runs, '6 runs', ['baseline'])).toEqual(['cancelled']);
});

test('the notice about removed samples contains the day and the setting', () => {
  const keep = retentionText(parseRetention('90d, 20 runs')!);
  expect(keep).toBe('90 days and for the newest 20 runs of each experiment');
  expect(retentionText({ ms: DAY / 2 })).toBe('12h 00m');
  expect(removedSentence({ removed: '2026-11-20T02:00:00.000Z', keep: '90 days' })).toBe(
    'The samples of this run were removed on 2026-11-20 by retention (they are kept for 90 days); its metrics stay.',
  );
});
