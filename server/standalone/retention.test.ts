import { keepSamples, passSentence, planSentences } from './retention';

const DAY = 86_400_000;

test('samples are kept for ever unless the option or the environment says otherwise, the option first', () => {
  expect(keepSamples(undefined, {})).toBeUndefined();
  expect(keepSamples(undefined, { DYNO_KEEP_SAMPLES: '' })).toBeUndefined();
  expect(keepSamples(undefined, { DYNO_KEEP_SAMPLES: '90d' })).toEqual({ ms: 90 * DAY });
  expect(keepSamples('20 runs', { DYNO_KEEP_SAMPLES: '90d' })).toEqual({ runs: 20 });
});

test('a wrong rule is refused by the name of where it stands, with what is allowed', () => {
  for (const [option, environment, path] of [
    ['for ever', {}, '--keep-samples'],
    [undefined, { DYNO_KEEP_SAMPLES: '90' }, 'DYNO_KEEP_SAMPLES'],
  ] as const)
    expect(() => keepSamples(option, environment)).toThrow(
      expect.objectContaining({
        problems: [expect.objectContaining({ path, allowed: expect.stringContaining('20 runs') as string })],
      }) as Error,
    );
});

test('a dry run says what would go, how much room that is, and that nothing went', () => {
  const runs = Array.from({ length: 22 }, (_, at) => ({ id: `run-${at}`, index: 'i', documents: 1500 }));
  const sentences = planSentences({ runs, documents: 33_000, bytes: 3 * 1024 ** 2 }, '90 days');
  expect(sentences[0]).toBe(
    'Samples of 22 runs would be removed, for they are kept for 90 days: 33,000 documents, about 3 MB.',
  );
  expect(sentences).toHaveLength(23);
  expect(sentences.slice(-2)).toEqual([
    '  and 2 further runs',
    'Runs, trials and histories stay. Nothing was removed: this is a dry run.',
  ]);
  expect(planSentences({ runs: [], documents: 0, bytes: 0 }, '90 days')).toEqual([
    'No samples are older: they are kept for 90 days.',
  ]);
  expect(planSentences({ runs, documents: 33_000, bytes: null }, '90 days')[0]).not.toContain('about');
});

test('a pass tells what it removed, and why something is left', () => {
  expect(passSentence({ runs: 1, documents: 4, left: 0, why: '' })).toBe(
    'samples of 1 run were removed (4 documents)',
  );
  expect(passSentence({ runs: 0, documents: 0, left: 2, why: 'run a is measured' })).toBe(
    'samples of 0 runs were removed (0 documents); those of 2 runs are left: run a is measured',
  );
});
