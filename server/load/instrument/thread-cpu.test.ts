import { ThreadCpu } from './thread-cpu';

test('the thread’s own CPU time grows while it works, and is unknown after closing', () => {
  const cpu = new ThreadCpu();
  const before = cpu.ms();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const after = cpu.ms();
  // Only Linux reports the CPU time of a thread.
  const isKnown = process.platform === 'linux';
  expect((after ?? 0) - (before ?? 0) > 5).toBe(isKnown);
  cpu.close();
  cpu.close();
  expect(cpu.ms()).toBeNull();
});
