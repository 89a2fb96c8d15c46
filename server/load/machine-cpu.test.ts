import { MachineWatch, parseCpuTimes } from './machine-cpu';

test('the machine’s first line tells its work and what was stolen', () => {
  const text = 'cpu  100 10 40 800 30 5 5 10 7 0\ncpu0 1 1 1 1 1 1 1 1 1 1\n';
  expect(parseCpuTimes(text)).toEqual({ busy: 160, steal: 10, all: 1000 });
  // Kernels before 2.6.11 (proc(5)).
  expect(parseCpuTimes('cpu 1 2 3 4\n')).toEqual({ busy: 6, steal: 0, all: 10 });
  expect(parseCpuTimes('intr 1 2\n')).toBeNull();
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
