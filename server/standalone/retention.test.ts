import { keepSamples, passSentence, planSentences } from './retention';

const DAY = 86_400_000;

test('keeps samples forever unless the option or the environment sets a retention; the option takes precedence', () => {
  expect(keepSamples(undefined, {})).toBeUndefined();
  expect(keepSamples(undefined, { DYNO_KEEP_SAMPLES: '' })).toBeUndefined();
  expect(keepSamples(undefined, { DYNO_KEEP_SAMPLES: '90d' })).toEqual({ ms: 90 * DAY });
  expect(keepSamples('20 runs', { DYNO_KEEP_SAMPLES: '90d' })).toEqual({ runs: 20 });
});

test('refuses an invalid retention, and names its setting and the allowed form', () => {
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

test('a dry run lists what would be removed with its size, and says that nothing was removed', () => {
  const runs = Array.from({ length: 22 }, (_, at) => ({ id: `run-${at}`, index: 'i', documents: 1500 }));
  const sentences = planSentences({ runs, documents: 33_000, bytes: 3 * 1024 ** 2 }, '90 days');
  expect(sentences[0]).toBe(
    'Samples of 22 runs would be removed (retention 90 days): 33,000 documents, about 3 MB.',
  );
  expect(sentences).toHaveLength(23);
  expect(sentences.slice(-2)).toEqual([
    '  and 2 further runs',
    'Runs, trials and histories are kept. Nothing was removed: this is a dry run.',
  ]);
  expect(planSentences({ runs: [], documents: 0, bytes: 0 }, '90 days')).toEqual([
    'Nothing to remove: no samples are older than the retention (90 days).',
  ]);
  expect(planSentences({ runs, documents: 33_000, bytes: null }, '90 days')[0]).not.toContain('about');
});

test('a pass reports what it removed, and why something remains', () => {
  expect(passSentence({ runs: 1, documents: 4, left: 0, why: '' })).toBe(
    'samples of 1 run were removed (4 documents)',
  );
  expect(passSentence({ runs: 0, documents: 0, left: 2, why: 'run a is measured' })).toBe(
    'samples of 0 runs were removed (0 documents); those of 2 runs remain: run a is measured',
  );
});
