import { trialsNeeded, trialsSentence } from './trials-needed';

test('the number of trials is near the short form 16 (CV / ln(1 + d))² where it is large', () => {
  for (const [cv, change] of [
    [0.05, 0.02],
    [0.1, 0.05],
    [0.03, 0.01],
  ] as const) {
    const short = 16 * (cv / Math.log1p(change)) ** 2;
    expect(trialsNeeded(cv, change)).toBeGreaterThan(short * 0.95);
    expect(trialsNeeded(cv, change)).toBeLessThan(short * 1.1 + 2);
  }
});

test('more comparisons ask for more trials, and two are the fewest', () => {
  expect(trialsNeeded(0.1, 0.05, 8)).toBeGreaterThan(trialsNeeded(0.1, 0.05, 1));
  expect(trialsNeeded(0.001, 0.5)).toBe(2);
});

test('says plainly where it is hopeless', () => {
  expect(trialsSentence(0.5, 0.01)).toMatch(
    /^\d\d,?\d{3} or more trials of each cell would show a difference of 1%, so more trials are hopeless/,
  );
  expect(trialsSentence(0.05, 0)).toContain('no number of trials');
  expect(trialsSentence(0.02, 0.05)).toMatch(
    /^about \d trials of each cell would show a difference of 5% in 80% of runs$/,
  );
  expect(trialsSentence(0, 0.05)).toBe('');
});
