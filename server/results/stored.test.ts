import { storedProfile, storedRun, storedSample, storedTrial, trialOf, type StoredTrial } from './stored';
import { aProfile, aRun, aSample, aTrial } from './testing/made-documents';

test('documents are stored in the index of the month of their start, in UTC', () => {
  expect(storedRun(aRun('r', { started: '2026-12-31T23:59:59.999Z' }), 1).index).toBe('dyno-runs-2026.12');
  expect(storedRun(aRun('r', { started: '2027-01-01T00:30:00.000+01:00' }), 1).index).toBe(
    'dyno-runs-2026.12',
  );
  expect(storedTrial(aTrial('r', 't'), 1).index).toBe('dyno-trials-2026.11');
  expect(storedSample(aSample('r', 't', 0)).index).toBe('dyno-samples-2026.11');
  expect(storedProfile(aProfile('r', 't')).index).toBe('dyno-profiles-2026.11');
});

test('the profile of a trial that is measured again replaces the earlier one of the same event', () => {
  const profile = aProfile('r', 't');
  const again = { ...profile, '@timestamp': '2026-11-20T01:00:00.000Z' };
  expect(storedProfile(again).id).toBe(storedProfile(profile).id);
  expect(storedProfile({ ...profile, event: 'alloc' }).id).not.toBe(storedProfile(profile).id);
});

test('the id of a sample names its task, phase and second', () => {
  const sample = aSample('r', 't', 1);
  expect(storedSample(sample).id).toBe(storedSample({ ...sample, throughput: 0 }).id);
  for (const other of [{ ...sample, task: 'search' }, { ...sample, phase: 'drain' }, aSample('r', 't', 2)]) {
    expect(storedSample(other).id).not.toBe(storedSample(sample).id);
  }
});

test('the levels of a trial are stored as text under the names of their factors, and removed by reading', () => {
  const trial = aTrial('r', 't');
  const stored = storedTrial(trial, 1).source as StoredTrial;
  expect(stored['@timestamp']).toBe(trial.times.started);
  expect(stored.factors).toEqual({
    'index.settings.number_of_shards': '5',
    'tasks.0.ingest.bulk': '{"docs":1000}',
    'a.b': '1s',
    'a.b.c': 'null',
  });
  expect(trialOf(stored)).toEqual(trial);
});
