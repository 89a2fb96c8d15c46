import { ThreadCpu } from './thread-cpu';

test('the thread’s own CPU time grows by what it does, and is not told once it is closed', () => {
  const cpu = new ThreadCpu();
  const before = cpu.ms();
  const until = performance.now() + 50;
  while (performance.now() < until);
  const after = cpu.ms();
  // Elsewhere than on Linux nothing tells it.
  const isTold = process.platform === 'linux';
  expect((after ?? 0) - (before ?? 0) > 5).toBe(isTold);
  cpu.close();
  cpu.close();
  expect(cpu.ms()).toBeNull();
});
