import { refreshRun } from '../../common/analysis/testing/made-run';
import { verdictOf } from '../../common/experiment/run';
import { briefLast } from './experiment-list';
import { summaryOf } from './runs';

const { run } = refreshRun({});
const CLAIM = 'ingest.throughput rises with index.settings.refresh_interval';
const EFFECT = { size: '+23%', interval: '+17% to +29%', metric: 'throughput of ingest' };
const STORED = {
  ...EFFECT,
  ...{ ratio: 1.23, low: 1.17, high: 1.29 },
  ...{ from: '10,000 docs/s', to: '12,300 docs/s', fromLevel: '1s', toLevel: '30s' },
};
const VERDICT = {
  answer: 'confirmed' as const,
  sentence: 'Confirmed.',
  claims: [{ claim: CLAIM, answer: 'confirmed' as const, why: 'it rises', effect: STORED }],
  thresholds: [],
  warnings: [],
};
const completed = {
  ...run,
  run: { ...run.run, state: 'completed' as const },
  progress: { ...run.progress, trials: 9, completed: 9 },
  verdict: VERDICT,
};

test('a run in a list has the effect of its first claim, its trust and its tags', () => {
  const definition = { ...run.definition, tags: ['nightly'] };
  expect(summaryOf({ ...completed, definition })).toMatchObject({
    answer: 'confirmed',
    effect: EFFECT,
    trust: { level: 'high', line: expect.stringMatching(/^Trust: high/) as string },
    tags: ['nightly'],
  });
});

test('a run of an earlier version stored no effect', () => {
  const verdict = { ...VERDICT, claims: [{ claim: CLAIM, answer: 'confirmed' as const, why: 'it rises' }] };
  expect(summaryOf({ ...completed, verdict }).effect).toBeNull();
});

test('a failed run without completed trials has no verdict, even if one is stored', () => {
  const failed = {
    ...completed,
    run: { ...run.run, state: 'failed' as const },
    progress: { ...run.progress, trials: 9, completed: 0 },
    verdict: { ...VERDICT, answer: 'undecided' as const },
  };
  expect(verdictOf(failed)).toBeNull();
  expect(summaryOf(failed)).toMatchObject({ answer: null, sentence: '', trust: null, effect: null });
  expect(briefLast(failed)).toMatchObject({ answer: null, sentence: '', trust: null });
});
