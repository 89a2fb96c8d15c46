import { callAfter, endsWithin, TaskChain, withTimeLimit } from './waiting';

const never = new Promise<never>(() => undefined);

test('work that ends in time returns its result', async () => {
  await expect(withTimeLimit(Promise.resolve(1), 1000, () => new Error('late'))).resolves.toBe(1);
  await expect(endsWithin(Promise.resolve(1), 1000)).resolves.toBe(true);
});

test('work that takes too long is rejected with the error of the caller', async () => {
  await expect(withTimeLimit(never, 1, () => new Error('late'))).rejects.toThrow('late');
  await expect(endsWithin(never, 1)).resolves.toBe(false);
});

test('an error of the work is not mistaken for the time limit', async () => {
  const failed = Promise.reject(new Error('refused'));
  await expect(withTimeLimit(failed, 1000, () => new Error('late'))).rejects.toThrow('refused');
  await expect(endsWithin(failed, 1000)).rejects.toThrow('refused');
});

test('the tasks of a chain run one after another, also after a failed one', async () => {
  const chain = new TaskChain();
  const order: string[] = [];
  const task = (name: string) => async (): Promise<string> => {
    order.push(`${name} begins`);
    await Promise.resolve();
    order.push(`${name} ends`);
    if (name === 'a') throw new Error(name);
    return name;
  };
  const first = chain.add(task('a'));
  const second = chain.add(task('b'));
  await expect(first).rejects.toThrow('a');
  await expect(second).resolves.toBe('b');
  await chain.settled();
  expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
});

test('a chain waits for the promise that it starts after', async () => {
  let release = (): void => undefined;
  const chain = new TaskChain(new Promise<void>((resolve) => (release = resolve)));
  let isRun = false;
  const done = chain.add(async () => {
    isRun = true;
  });
  await Promise.resolve();
  expect(isRun).toBe(false);
  release();
  await done;
  expect(isRun).toBe(true);
});

test('a call can wait longer than a timer of Node.js, and can be cancelled', () => {
  jest.useFakeTimers();
  try {
    const calls: string[] = [];
    const day = 86_400_000;
    callAfter(60 * day, () => calls.push('called'));
    const cancel = callAfter(60 * day, () => calls.push('cancelled'));
    jest.advanceTimersByTime(59 * day);
    expect(calls).toEqual([]);
    cancel();
    jest.advanceTimersByTime(2 * day);
    expect(calls).toEqual(['called']);
  } finally {
    jest.useRealTimers();
  }
});
