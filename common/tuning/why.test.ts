import { define, makeRun, PROVENANCE, REFRESH, refreshRun } from '../analysis/testing/made-run';
import type { Definition } from '../experiment/definition';
import { readDefinition } from '../experiment/read';
import { buildReport } from '../report/model/build';
import { isDecided, usualSource, whyExperiment, whyPair, type WhySeen } from './why';

const { run, trials } = refreshRun();
const REPORT = buildReport(run, trials);

const shaped = (change: object): WhySeen => ({ ...REPORT, ...change }) as WhySeen;
const withDefinition = (change: object): WhySeen =>
  shaped({ definition: { ...REPORT.definition, ...change } });
const why = (seen: WhySeen, named: Parameters<typeof whyPair>[1] = {}): Definition =>
  readDefinition(whyExperiment(seen, whyPair(seen, named), 'hot-threads'));

test('the experiment compares the two cells of the effect, in a few short alternating trials with a profile', () => {
  const experiment = why(REPORT);
  expect(experiment).toMatchObject({
    name: 'Why: Refresh interval against indexing throughput',
    expect: ['ingest.throughput rises with index.settings.refresh_interval'],
    factors: { 'index.settings.refresh_interval': ['1s', '30s'] },
    tasks: REPORT.definition.tasks,
    measure: { warmup: '30s', duration: '60s', profile: 'hot-threads', 'profile-interval': '500ms' },
    trials: 5,
    order: 'interleaved',
    thresholds: [],
  });
  expect(experiment.hypothesis).toContain(
    'between refresh_interval=1s and refresh_interval=30s in run run-1',
  );
});

test('schedules, baselines and presets are left out; a shorter measured phase stays', () => {
  const experiment = why(
    withDefinition({
      preset: 'refresh-interval',
      schedule: { cron: '0 2 * * *' },
      baseline: { 'index.settings.refresh_interval': '1s' },
      measure: { ...REPORT.definition.measure, duration: '10s' },
      trials: { 'until-decided': { least: 3, most: 20 } },
    }),
  );
  for (const key of ['preset', 'schedule', 'baseline']) expect(experiment).not.toHaveProperty(key);
  expect(experiment.measure.duration).toBe('10s');
  expect(experiment.trials).toBe(5);
});

test('only nodes that Dyno starts load the profiler', () => {
  expect([usualSource(true), usualSource(false)]).toEqual(['profiler', 'hot-threads']);
});

test('the profiler has no interval, and the profile always counts CPU time', () => {
  const seen = withDefinition({
    measure: {
      ...REPORT.definition.measure,
      profile: 'profiler',
      'profile-event': 'alloc',
      'profile-interval': '2s',
    },
  });
  const { measure } = readDefinition(whyExperiment(seen, whyPair(seen), 'profiler'));
  expect(measure.profile).toBe('profiler');
  expect(measure).not.toHaveProperty('profile-interval');
  expect(why(seen).measure['profile-interval']).toBe('500ms');
  expect(measure).not.toHaveProperty('profile-event');
});

test('a number of documents is reduced to what a minute needs', () => {
  const measure = { ...REPORT.definition.measure, documents: 1_000_000 };
  delete measure.duration;
  const documents = withDefinition({ measure });
  // The measured phase of the trials took five minutes.
  expect(why(documents).measure).toMatchObject({ documents: 200_000 });
  expect(why(documents).measure).not.toHaveProperty('duration');
});

test('cells can be named by label; the first cell is the one with which the other is compared', () => {
  const named = { cell: 'refresh_interval=1s', against: 'refresh_interval=5s' };
  const experiment = why(REPORT, named);
  expect(experiment.factors).toEqual({ 'index.settings.refresh_interval': ['5s', '1s'] });
  expect(experiment.expect).toEqual(['ingest.throughput falls with index.settings.refresh_interval']);
  expect(why(REPORT, { cell: 'refresh_interval=5s' }).factors).toEqual({
    'index.settings.refresh_interval': ['1s', '5s'],
  });
  expect(why(REPORT, { against: 'refresh_interval=30s' }).factors).toEqual({
    'index.settings.refresh_interval': ['30s', '1s'],
  });
});

test('equal levels become part of the definition; several differing levels become a list of two cells', () => {
  const made = makeRun(
    {
      ...REFRESH,
      factors: {
        'index.settings.refresh_interval': ['1s', '30s'],
        'index.settings.number_of_shards': [1, 3],
        'tasks.ingest.ingest.bulk.docs': [500, 1000],
      },
    },
    ({ levels }) => ({
      tasks: { ingest: { rate: levels['index.settings.refresh_interval'] === '1s' ? 10_000 : 15_000 } },
    }),
    { provenance: PROVENANCE },
  );
  const report = buildReport(made.run, made.trials);
  const experiment = why(report, { cell: report.cells.at(-1)!.id, against: report.cells[0]!.id });
  expect(experiment.factors).toEqual([
    {
      'index.settings.refresh_interval': '1s',
      'index.settings.number_of_shards': 1,
      'tasks.ingest.ingest.bulk.docs': 500,
    },
    {
      'index.settings.refresh_interval': '30s',
      'index.settings.number_of_shards': 3,
      'tasks.ingest.ingest.bulk.docs': 1000,
    },
  ]);
  const one = why(report, { cell: report.cells[4]!.id, against: report.cells[0]!.id });
  expect(one.factors).toEqual({ 'index.settings.refresh_interval': ['1s', '30s'] });
  expect(one.index.settings).toMatchObject({ number_of_shards: 1 });
});

test('a run without a decided difference needs names of cells', () => {
  const report = shaped({ effect: { ...REPORT.effect, word: 'undecided' } });
  expect(isDecided(report)).toBe(false);
  expect(isDecided(REPORT)).toBe(true);
  expect(() => whyPair(report)).toThrow('the run decided no difference');
  expect(whyPair(report, { cell: 'refresh_interval=5s', against: 'refresh_interval=1s' })).toEqual({
    cell: 1,
    against: 0,
  });
  expect(() => whyPair(report, { cell: 'x' })).toThrow('no cell `x`');
  expect(() => whyPair(report, { cell: 'refresh_interval=5s', against: 'refresh_interval=5s' })).toThrow(
    'compared with itself',
  );
  expect(() => whyPair(shaped({ cells: REPORT.cells.slice(0, 1) }))).toThrow('only one cell');
});

test('cells that differ in their profile, and searches for the highest rate, are refused', () => {
  const levels = (profile: string): object => ({ levels: { 'measure.profile': profile } });
  const cells = REPORT.cells.map((cell, at) => ({ ...cell, ...levels(at === 0 ? 'off' : 'hot-threads') }));
  expect(() => why(shaped({ cells }))).toThrow('differ in how they measure');
  const search = define({
    ...REFRESH,
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'apache-logs' }, bulk: { docs: 3000 } },
        executor: { 'highest-rate': { start: 10, limits: ['latency.p99 < 500ms'] } },
      },
    ],
  });
  expect(() => why(shaped({ definition: search }))).toThrow('highest rate');
});
