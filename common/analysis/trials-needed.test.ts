import { spreadAllowed, trialsNeeded, trialsPlanned, trialsSentence } from './trials-needed';

test('a large number of trials is close to the short form 16 (CV / ln(1 + d))²', () => {
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

test('more comparisons need more trials, and two are the minimum', () => {
  expect(trialsNeeded(0.1, 0.05, 8)).toBeGreaterThan(trialsNeeded(0.1, 0.05, 1));
  expect(trialsNeeded(0.001, 0.5)).toBe(2);
});

test('says if no realistic number of trials is enough', () => {
  expect(trialsSentence(0.5, 0.01)).toMatch(
    /^\d\d,?\d{3} or more trials of each cell would show a difference of 1%, so more trials are not enough/,
  );
  expect(trialsSentence(0.05, 0)).toContain('no number of trials');
  expect(trialsSentence(0.02, 0.05)).toMatch(
    /^about \d trials of each cell would show a difference of 5% in 80% of runs$/,
  );
  expect(trialsSentence(0, 0.05)).toBe('');
});

test('the planned trials are exactly the number needed for the spread that they allow', () => {
  for (const trials of [3, 5, 12, 40]) {
    const most = spreadAllowed(trials, 0.05, 3);
    expect(trialsNeeded(most * 0.999, 0.05, 3)).toBeLessThanOrEqual(trials);
    expect(trialsNeeded(most * 1.02, 0.05, 3)).toBeGreaterThan(trials);
  }
});

describe('the sentence about planned trials', () => {
  const plan = { trials: 3, cells: 4, margin: 0.05 };

  test('says what they can show if the noise is unknown', () => {
    expect(trialsPlanned(plan, null)).toMatch(
      /^3 trials of each cell show a difference of 5% in 80% of runs if a trial varies by up to 1\.\d+%; if it varies by 5%, \d\d, and by 10%, \d\d+ are needed$/,
    );
    expect(trialsPlanned({ ...plan, trials: 1 }, null)).toContain(
      'A single trial of each cell shows no difference',
    );
    expect(trialsPlanned({ ...plan, cells: 1 }, null)).toBe('');
  });

  test('follows from the noise of earlier runs', () => {
    expect(trialsPlanned(plan, 0.03)).toMatch(
      /^Trials varied by 3% in earlier runs, so about \d+ trials .*; 3 are planned$/,
    );
    expect(trialsPlanned(plan, 0.005)).toContain('the 3 planned are enough');
    expect(trialsPlanned({ ...plan, margin: 0.001 }, 0.1)).toContain('no realistic number of trials');
  });
});
