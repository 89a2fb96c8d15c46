import { MachineWatch, parseCpuTimes } from './machine-cpu';

test('the first line of /proc/stat has the idle and the stolen time', () => {
  const text = 'cpu  100 10 40 800 30 5 5 10 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n';
  expect(parseCpuTimes(text)).toEqual({ idle: 8300, steal: 100 });
  // Kernels before 2.6.11 report only these fields (proc(5)).
  expect(parseCpuTimes('cpu 1 2 3 4\n')).toEqual({ idle: 40, steal: 0 });
  expect(parseCpuTimes('intr 1 2\n')).toBeNull();
  // In a sandbox that counts nothing, the machine does not count as busy.
  expect(parseCpuTimes('cpu 0 0 0 0 0 0 0 0 0 0\n')).toBeNull();
});

test('shares are of all cores, and asked for again at once they stay', async () => {
  const watch = new MachineWatch();
  await new Promise((resolve) => setTimeout(resolve, 250));
  const load = watch.take();
  expect(load).not.toBeNull();
  const { busy, steal, own } = load!;
  for (const share of [busy, steal, own]) {
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1.1);
  }
  expect(watch.take()).toBe(load);
  watch.close();
});
