import { executorOf, isOnce, phasesOf } from './pace';
import type { Task } from './track';

const task = (given: Partial<Task>): Task => ({
  name: 't',
  place: 'schedule[0]',
  operation: { name: 't', type: 'search', params: {} },
  clients: 1,
  ...given,
});

const phases = (tasks: readonly Task[], completedBy?: string) =>
  phasesOf(tasks, { tasks, ...(completedBy === undefined ? {} : { completedBy }) }, 'Rally');

test('counts iterations per client, and applies the rate to all clients together', () => {
  const given = task({ clients: 4, warmupIterations: 50, iterations: 100, rate: { value: 20, unit: 'ops' } });
  expect(phases([given])).toMatchObject({ warmup: '10s', duration: '20s', notes: [] });
  expect(executorOf(given)).toEqual({ 'constant-rate': { rate: 20, 'max-clients': 4 } });
});

test('uses a fixed time if the duration of the requests is unknown', () => {
  const found = phases([task({ warmupIterations: 200, iterations: 100 })]);
  expect(found).toMatchObject({ warmup: '10s', duration: '30s' });
  expect(found.notes[0]).toContain('Rally sends a number of requests');
});

test('uses the given times, and the longest of several', () => {
  const found = phases([task({ warmupTime: 120, time: 600 }), task({ time: 60 })]);
  expect(found).toMatchObject({ warmup: '120s', duration: '600s' });
  expect(found.notes).toEqual(['tasks of different lengths all run as long as the longest']);
});

test('converts a ramp-up of clients to a ramp', () => {
  expect(executorOf(task({ clients: 8, rampUp: 60, warmupTime: 60, time: 60 }))).toEqual({
    'ramping-clients': { start: 0, stages: [{ clients: 8, over: '60s' }] },
  });
});

test('converts documents per second to bulks per second', () => {
  const given = task({ clients: 2, rate: { value: 5000, unit: 'docs' }, time: 60 });
  expect(executorOf(given, 500)).toEqual({ 'constant-rate': { rate: 10, 'max-clients': 2 } });
});

test('sends a single request of one client once', () => {
  expect(isOnce(task({}))).toBe(true);
  expect(isOnce(task({ iterations: 1 }))).toBe(true);
  expect(isOnce(task({ iterations: 2 }))).toBe(false);
  expect(isOnce(task({ clients: 2 }))).toBe(false);
  expect(isOnce(task({ time: 10 }))).toBe(false);
});

const rate = (value: number) => ({ value, unit: 'ops' });

test('runs all tasks of an element as long as its completing task', () => {
  const short = task({ name: 'short', iterations: 20, clients: 2, rate: rate(4) });
  const long = task({ name: 'long', iterations: 100_000, clients: 2, rate: rate(2) });
  expect(phases([short, long])).toMatchObject({ duration: '100000s' });
  expect(phases([short, long], 'short')).toEqual({ warmup: '0s', duration: '10s', notes: [] });
  expect(phases([short, long], 'any')).toEqual({ warmup: '0s', duration: '10s', notes: [] });
  expect(phases([short, long], 'long').notes).toEqual([
    'all tasks of the element have the warm-up and the duration of long, which ends it',
  ]);
});

test('explains what happens if the length of the completing task is unknown', () => {
  const once = task({ name: 'once' });
  const fast = task({ name: 'fast', iterations: 50 });
  const timed = task({ name: 'timed', time: 60 });
  expect(phases([once, timed], 'once')).toMatchObject({
    duration: '60s',
    lost: 'how long once takes is not known in advance, so the tasks of the element run for 0s of warm-up and 60s',
  });
  expect(phases([fast, timed], 'any').lost).toContain('how long each task takes is not known');
  expect(phases([fast, timed], 'timed')).toMatchObject({ duration: '60s' });
});
