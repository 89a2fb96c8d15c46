import { LoopDelay } from './loop-delay';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('what is heard after work may have waited as long as that took', async () => {
  const delay = new LoopDelay();
  delay.turned(performance.now());
  work(20);
  const heard = performance.now();
  expect(delay.noticed(heard)).toBeGreaterThanOrEqual(20);
  // Of the same turn: it has waited for the first, too.
  expect(delay.noticed(heard + 3)).toBeGreaterThanOrEqual(23);
  await turn();
  const now = performance.now();
  delay.turned(now);
  expect(delay.noticed(now + 1)).toBeCloseTo(1, 3);
});

test('what is heard after the loop slept has not waited for it', async () => {
  const delay = new LoopDelay();
  delay.turned(performance.now());
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(delay.noticed(performance.now())).toBe(0);
});
