import { PhaseProfile } from '../../../../common/profile/phase-profile';
import type { Needs } from '../input';
import { missingProfile, PhaseWatch, profileWatch, SamplingWatch } from './phase-watch';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Creates a watch whose readings the test answers one by one. */
function watching(): { watch: PhaseWatch<number>; answers: ((value: number) => void)[]; read: number[] } {
  const answers: ((value: number) => void)[] = [];
  const read: number[] = [];
  const ask = (): Promise<number> => new Promise((resolve) => answers.push(resolve));
  const watch = new PhaseWatch(
    100,
    ask,
    (value) => read.push(value),
    () => undefined,
  );
  return { watch, answers, read };
}

test('a reading that is still running is not overtaken by the next', async () => {
  const { watch, answers, read } = watching();
  watch.begin();
  await jest.advanceTimersByTimeAsync(350);
  expect(answers).toHaveLength(1);
  answers[0]!(1);
  await jest.advanceTimersByTimeAsync(100);
  expect({ asked: answers.length, read }).toEqual({ asked: 2, read: [1] });
  watch.end();
});

test('an answer after the phase does not count', async () => {
  const { watch, answers, read } = watching();
  watch.begin();
  await jest.advanceTimersByTimeAsync(100);
  watch.end();
  answers[0]!(1);
  await jest.advanceTimersByTimeAsync(500);
  expect({ asked: answers.length, read }).toEqual({ asked: 1, read: [] });
});

const HOT_THREADS = `::: {dyno-1}{id-1}{x}
   Hot threads at 2026-11-27T19:54:13.361Z, interval=50ms, busiestThreads=9999, ignoreIdleThreads=true:
   
   10.0% [cpu=10.0%, other=0.0%] (5ms out of 50ms) cpu usage by thread 'elasticsearch[dyno-1][write][T#2]'
     unique snapshot
       app/org.elasticsearch.server@9.5.3/org.elasticsearch.index.translog.Translog.add(Translog.java:1)
`;

/** Creates the profile's watch for a target that gives these answers in turn. */
function profiling(
  measure: object,
  answers: readonly { status: number; body: unknown }[],
): { watch: ReturnType<typeof profileWatch>; profile: PhaseProfile; notes: string[]; paths: string[] } {
  const profile = new PhaseProfile();
  const notes: string[] = [];
  const paths: string[] = [];
  const request = ({ path }: { path: string }): Promise<unknown> => {
    paths.push(path);
    return Promise.resolve(answers[Math.min(paths.length, answers.length) - 1]);
  };
  const trial = {
    target: { connection: { atOnce: { request } } },
    listener: { onNote: (note: string) => notes.push(note) },
  } as unknown as Needs<'target' | 'listener'>;
  const watch = profileWatch(trial, { measure } as never, profile, () => undefined);
  return { watch, profile, notes, paths };
}

test.each([{}, { profile: 'off' }])('without a profile, no stacks are read: %j', (measure) => {
  expect(profiling(measure, []).watch).toBeUndefined();
});

test('a profile without any CPU time is reported, if a profile was asked for', () => {
  const empty = new PhaseProfile();
  empty.add([{ nodeId: 'id-1', nodeName: 'dyno-1', threads: [] }]);
  expect(missingProfile({ measure: { profile: 'hot-threads' } } as never, empty)).toContain('has no profile');
  const locks = { measure: { profile: 'profiler', 'profile-event': 'lock' } } as never;
  expect(missingProfile(locks, empty)).toContain('no thread waited for a lock');
  expect(missingProfile({ measure: {} } as never, empty)).toBe('');
  const full = new PhaseProfile();
  full.add([{ nodeId: 'id-1', nodeName: 'dyno-1', threads: [{ thread: 't', weight: 1, frames: [] }] }]);
  expect(missingProfile({ measure: { profile: 'hot-threads' } } as never, full)).toBe('');
});

test('readings are added up, and only the first failure becomes a note', async () => {
  const failed = { status: 403, body: { error: { type: 'security_exception', reason: 'no monitor' } } };
  const { watch, profile, notes, paths } = profiling(
    { profile: 'hot-threads', 'profile-interval': '500ms' },
    [{ status: 200, body: HOT_THREADS }, failed, failed, { status: 200, body: HOT_THREADS }],
  );
  watch!.begin();
  await jest.advanceTimersByTimeAsync(2100);
  watch!.end();
  expect(paths).toEqual(Array.from({ length: 4 }, () => '/_nodes/hot_threads'));
  expect(notes).toEqual([expect.stringContaining('the profile lacks readings: ')]);
  expect(profile.byNode().get('id-1')).toEqual({ readings: 2, cpuMs: 10, activities: { translog: 10 } });
});

/** Creates a watch with a profiler that records its calls. `start`: result of the first call. */
function sampling(start: Promise<void>): {
  watch: SamplingWatch;
  calls: string[];
  read: unknown[];
  errors: unknown[];
  undo: () => unknown;
} {
  const calls: string[] = [];
  const read: unknown[] = [];
  const errors: unknown[] = [];
  let undo: () => unknown = () => undefined;
  const profiler = {
    start: (event: string, limitMs: number) => {
      calls.push(`start ${event} ${limitMs}`);
      return start;
    },
    stop: () => {
      calls.push('stop');
      return Promise.resolve([{ nodeId: 'id-1', nodeName: 'dyno-1', threads: [] }]);
    },
  };
  const watch = new SamplingWatch(
    profiler,
    'lock',
    5000,
    (nodes) => read.push(...nodes),
    (error) => errors.push(error),
    (step) => (undo = step),
  );
  return { watch, calls, read, errors, undo: () => undo() };
}

test('the nodes sample from the beginning to the end of the phase, once', async () => {
  const { watch, calls, read } = sampling(Promise.resolve());
  watch.begin();
  watch.end();
  watch.end();
  await watch.done;
  expect({ calls, read }).toEqual({
    calls: ['start lock 5000', 'stop'],
    read: [{ nodeId: 'id-1', nodeName: 'dyno-1', threads: [] }],
  });
});

test('a phase that fails ends the sampling, and nothing is sampled before the phase', async () => {
  const { watch, calls, undo } = sampling(Promise.resolve());
  await undo();
  expect(calls).toEqual([]);
  watch.begin();
  await undo();
  expect(calls).toEqual(['start lock 5000', 'stop']);
});

test('a sampling that cannot start is reported, and not stopped', async () => {
  const failed = new Error('refused');
  const { watch, calls, errors } = sampling(Promise.reject(failed));
  watch.begin();
  watch.end();
  await watch.done;
  expect({ calls, errors }).toEqual({ calls: ['start lock 5000'], errors: [failed] });
});

test('the nodes end the sampling themselves some time after a phase of known length, or after an hour', async () => {
  const started: unknown[] = [];
  const profiler = {
    start: (event: string, limitMs: number) => Promise.resolve(void started.push([event, limitMs])),
  };
  for (const measure of [{ duration: '30s' }, { documents: 1000, 'profile-event': 'alloc' }]) {
    const trial = { target: { profiler }, listener: {} } as unknown as Needs<'target' | 'listener'>;
    const cell = { measure: { profile: 'profiler', ...measure } } as never;
    profileWatch(trial, cell, new PhaseProfile(), () => undefined)!.begin();
  }
  expect(started).toEqual([
    ['cpu', 90_000],
    ['alloc', 3_600_000],
  ]);
});
