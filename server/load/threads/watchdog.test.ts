import { Watchdog } from './watchdog';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function watching(threads: number): { dog: Watchdog; calls: string[] } {
  const calls: string[] = [];
  const dog = new Watchdog({ threads, onSilent: (thread, ms) => calls.push(`${thread} silent ${ms}`) });
  return { dog, calls };
}

test('reports the silent one of several threads, once', () => {
  const { dog, calls } = watching(3);
  const pass = (seconds: number): void => {
    for (let second = 0; second < seconds; second += 1) {
      dog.noteSignOfLife(0);
      dog.noteSignOfLife(2);
      jest.advanceTimersByTime(1000);
    }
  };
  pass(29);
  expect(calls).toEqual([]);
  pass(21);
  dog.release(2);
  for (let second = 0; second < 50; second += 1) {
    dog.noteSignOfLife(0);
    jest.advanceTimersByTime(1000);
  }
  expect(calls).toEqual(['1 silent 30000']);
  dog.close();
});

test('nobody is blamed for the time in which the watching thread was held up itself', () => {
  const { dog, calls } = watching(1);
  jest.advanceTimersByTime(20_000);
  // The machine slept for an hour, in which only one tick passed.
  jest.setSystemTime(Date.now() + 3_600_000);
  jest.advanceTimersByTime(1000);
  dog.noteSignOfLife(0);
  jest.advanceTimersByTime(29_000);
  expect(calls).toEqual([]);
  dog.close();
});

test('the earliest of several ends counts, and none after it is closed', () => {
  const { dog, calls } = watching(1);
  const late = (name: string) => (): void => void calls.push(name);
  dog.endWithin(20_000, late('late'));
  dog.endWithin(5000, late('early'));
  dog.endWithin(10_000, late('between'));
  dog.release(0);
  jest.advanceTimersByTime(60_000);
  expect(calls).toEqual(['early']);
  dog.endWithin(1000, late('closed'));
  dog.close();
  jest.advanceTimersByTime(60_000);
  expect(calls).toEqual(['early']);
});
