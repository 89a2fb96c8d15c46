import { LoopDelay } from './loop-delay';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

test('an event noticed after work may have waited as long as the work took', async () => {
  const delay = new LoopDelay();
  delay.turned(performance.now());
  work(20);
  const received = performance.now();
  expect(delay.noticed(received)).toBeGreaterThanOrEqual(20);
  // The second event is in the same turn, so it also waited for the first one.
  expect(delay.noticed(received + 3)).toBeGreaterThanOrEqual(23);
  await turn();
  const now = performance.now();
  delay.turned(now);
  expect(delay.noticed(now + 1)).toBeCloseTo(1, 3);
});

test('an event noticed after the loop slept has not waited', async () => {
  const delay = new LoopDelay();
  delay.turned(performance.now());
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(delay.noticed(performance.now())).toBe(0);
});
