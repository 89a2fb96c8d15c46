import { createRandom, deriveSeed } from '../random';
import { simulateTuning, START, type Nature } from './testing/simulated-target';

const still: Nature = { cv: 0.03, drift: 0.05, throughput: () => 1 };

/** Bulks of 2,500 documents and two shards gain 30% each; nothing else gains anything. */
const gaining: Nature['throughput'] = (levels) =>
  (levels['tasks.ingest.ingest.bulk.docs'] === 2500 ? 1.3 : 1) *
  (levels['index.settings.number_of_shards'] === 2 ? 1.3 : 1);

test('recommends nothing in any of twelve tunings if nothing can be gained', () => {
  const found = Array.from({ length: 12 }, (_, at) => simulateTuning(still, at));
  expect(found.filter(({ outcome }) => outcome.recommended)).toEqual([]);
  expect(found[0]!.outcome.sentence).toMatch(/^Nothing is recommended: /);
  expect(found[0]!.outcome.template).toBeNull();
});

describe('with two settings that gain 30% each', () => {
  const { outcome, stages } = simulateTuning({ ...still, throughput: gaining }, 5);

  test('finds both, and each one names the run of its measurement', () => {
    expect(outcome.recommended).toBe(true);
    const found = outcome.lines.map(({ candidate }) => candidate.id).sort();
    expect(found).toEqual(['bulk: 2,500 documents', 'shards: 2']);
    const runs = stages.map(({ run }) => run);
    for (const { evidence } of outcome.lines) {
      expect(runs).toContain(evidence.run);
      expect(evidence.goal.interval!.low).toBeGreaterThan(1);
      expect(evidence.beside.map(({ title }) => title)).toContain('p95 of queries');
    }
  });

  test('confirms them with new data, start against final settings, and nothing else', () => {
    const last = stages.at(-1)!;
    expect(last.kind).toBe('confirmation');
    expect(last.cells).toHaveLength(2);
    expect(last.cells[0]).toEqual([]);
    expect(new Set(stages.map(({ seed }) => seed)).size).toBe(stages.length);
    expect(outcome.confirmation!.run).toBe(last.run);
    const { low, high } = outcome.confirmation!.goal.interval!;
    expect(low).toBeLessThan(1.69);
    expect(high).toBeGreaterThan(1.69 - 0.1);
  });

  test('halves the candidates from round to round', () => {
    const sizes = stages.filter(({ kind }) => kind === 'round').map(({ cells }) => cells.length - 1);
    expect(sizes).toHaveLength(2);
    expect(sizes[1]).toBeLessThanOrEqual(Math.ceil(sizes[0]! / 2));
  });

  test('creates a template and client settings from them, with all earlier settings', () => {
    expect(outcome.template).toMatchObject({
      index_patterns: ['<your-index>'],
      template: { settings: { 'index.number_of_shards': 2, 'index.number_of_replicas': 1 } },
    });
    expect(outcome.client).toContainEqual({ title: 'Each bulk', value: '2,500 documents' });
  });

  test('gives the reason for each dropped candidate, and for each value that was not tried', () => {
    expect(outcome.dropped.length).toBeGreaterThan(2);
    expect(outcome.dropped.every(({ why, evidence }) => why !== '' && evidence !== null)).toBe(true);
    expect(outcome.untried).toContainEqual(
      expect.objectContaining({ title: 'When the translog is written to disk', value: 'async' }),
    );
  });
});

test('recommends no setting that breaks a limit, however much it gains', () => {
  const nature: Nature = {
    ...still,
    throughput: gaining,
    latency: (levels) => (levels['tasks.ingest.ingest.bulk.docs'] === 2500 ? 1.5 : 1),
  };
  const { outcome } = simulateTuning(nature, 6);
  expect(outcome.lines.map(({ candidate }) => candidate.id)).toEqual(['shards: 2']);
  const bulk = outcome.dropped.find(({ candidate }) => candidate.id === 'bulk: 2,500 documents')!;
  expect(bulk.why).toMatch(/queries\.latency\.p95 at most \+10%: it was \+/);
});

test('recommends nothing if settings only looked better by chance', () => {
  const throughput: Nature['throughput'] = (levels, experiment) =>
    experiment.includes('confirmation') ? 1 : gaining(levels, experiment);
  const { outcome } = simulateTuning({ ...still, throughput }, 7);
  expect(outcome.recommended).toBe(false);
  expect(outcome.sentence).toMatch(/looked better, but .* that was not confirmed/);
  expect(outcome.lines).toEqual([]);
});

describe('if the settings are not confirmed together', () => {
  /** Two shards always improve the throughput. Large bulks improve it in the first experiments, but make it worse in the confirmation. */
  const throughput: Nature['throughput'] = (levels, experiment) =>
    (levels['index.settings.number_of_shards'] === 2 ? 1.3 : 1) *
    (levels['tasks.ingest.ingest.bulk.docs'] !== 2500 ? 1 : experiment.includes('confirmation') ? 0.7 : 1.15);
  const { outcome, stages } = simulateTuning({ ...still, throughput }, 11, { options: { time: '30m' } });
  const confirmations = stages.filter(({ kind }) => kind === 'confirmation');

  test('the one with the smallest gain before is removed, and the rest is confirmed with new data', () => {
    expect(confirmations.map(({ cells }) => [...cells[1]!].sort())).toEqual([
      ['bulk: 2,500 documents', 'shards: 2'],
      ['shards: 2'],
    ]);
    expect(new Set(stages.map(({ seed }) => seed)).size).toBe(stages.length);
    expect(outcome.recommended).toBe(true);
    expect(outcome.lines.map(({ candidate }) => candidate.id)).toEqual(['shards: 2']);
    expect(outcome.sentence).toMatch(/after the settings were not confirmed with bulk: 2,500 documents\.$/);
    expect(outcome.template).toMatchObject({ template: { settings: { 'index.number_of_shards': 2 } } });
    expect(outcome.dropped).toContainEqual(
      expect.objectContaining({ why: 'the settings were not confirmed with it' }),
    );
  });

  test('the second confirmation has half of the error: its interval has 97.5%', () => {
    expect(outcome.confirmation!.run).toBe(confirmations[1]!.run);
    expect(outcome.confirmation!.goal.interval!.level).toBe(0.975);
    expect(outcome.confirmation!.goal.interval!.low).toBeGreaterThan(1);
  });

  test('without time for it nothing is recommended', () => {
    const short = simulateTuning({ ...still, throughput }, 11, { options: { time: '13m' } });
    expect(short.stages.filter(({ kind }) => kind === 'confirmation')).toHaveLength(1);
    expect(short.outcome.recommended).toBe(false);
  });
});

test('a setting that breaks a limit only in the end is removed, and the others are recommended', () => {
  const nature: Nature = {
    ...still,
    throughput: gaining,
    latency: (levels, experiment) =>
      levels['tasks.ingest.ingest.bulk.docs'] !== 2500 ? 1 : experiment.includes('confirmation') ? 1.5 : 1.05,
  };
  const { outcome } = simulateTuning(nature, 12, { options: { time: '30m' } });
  const found = outcome.lines.map(({ candidate }) => candidate.id);
  expect(found).toContain('shards: 2');
  expect(found).not.toContain('bulk: 2,500 documents');
  expect(outcome.limits).toEqual([expect.objectContaining({ answer: 'kept' })]);
});

test('ends within its time even if trials are slow, and says so', () => {
  const { outcome, trials } = simulateTuning({ ...still, throughput: gaining }, 8, {
    options: { time: '5m' },
  });
  expect(trials * 15).toBeLessThanOrEqual(5 * 60 + 15);
  expect(outcome.sentence).not.toBe('');
});

test('tunes bytes by settings that reduce them, after all merges', () => {
  const options = { goal: 'bytes', limits: [] };
  const { outcome } = simulateTuning(still, 9, { options, start: START });
  expect(outcome.recommended).toBe(false);
  expect(outcome.dropped.map(({ candidate }) => candidate.knob)).toContain('codec');
});

test('a seed makes a simulation repeatable', () => {
  const seed = deriveSeed(1, 'again', createRandom(1).below(5));
  const [one, other] = [simulateTuning(still, seed), simulateTuning(still, seed)];
  expect(one.outcome.sentence).toBe(other.outcome.sentence);
});
