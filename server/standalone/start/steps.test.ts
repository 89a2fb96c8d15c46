import { readBeforeStart, StartCourse } from './steps';

/** A course of which all is heard, with a clock that is set by hand. */
function course(before = readBeforeStart(undefined, 0)) {
  const said: string[] = [];
  const clock = { now: 0 };
  const drawn: (number | undefined)[] = [];
  const made = new StartCourse(
    (line) => void said.push(line),
    before,
    () => clock.now,
    () => (done) => void drawn.push(done),
  );
  return { made, said, clock, drawn };
}

const TEXT = { doing: 'Unpacking', done: 'It is unpacked' };

test('a step says what it does, that it is done, and how long it took', async () => {
  const { made, said, clock } = course();
  const result = await made.carry(TEXT, () => {
    clock.now = 8200;
    return Promise.resolve(7);
  });
  expect([result, said]).toEqual([7, ['Unpacking ...', 'It is unpacked (8s).']]);
  expect(made.start!.steps).toEqual([{ text: 'It is unpacked', state: 'done', tookMs: 8200, share: null }]);
});

test('a page hears of what goes on how far it is, and how long it takes so far', async () => {
  const { made, clock, drawn } = course();
  let end = (): void => undefined;
  const carried = made.carry(TEXT, (onProgress) => {
    onProgress(25, 100);
    return new Promise<void>((resolve) => (end = resolve));
  });
  clock.now = 3000;
  expect(made.doing).toBe('Unpacking');
  expect(made.start!.steps).toEqual([{ text: 'Unpacking', state: 'under-way', tookMs: 3000, share: 0.25 }]);
  expect(drawn).toEqual([25]);
  end();
  await carried;
  made.ready();
  expect(made.start).toBe(null);
});

test('a step that fails stays the last one, with the reason', async () => {
  const { made, said } = course();
  await expect(made.carry(TEXT, () => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  made.fail('no space');
  expect(made.start).toMatchObject({ failed: 'no space', steps: [{ text: 'Unpacking', state: 'failed' }] });
  expect(said).toEqual(['Unpacking ...']);
});

test('what npm start did before is told too, and counts into the time of the start', () => {
  const steps = [{ text: 'The pages are built', tookMs: 2100 }];
  const told = JSON.stringify({ at: 1000, steps, collector: null });
  const { made, clock } = course(readBeforeStart(told, 5000));
  clock.now = 5000;
  expect(made.tookMs).toBe(4000);
  expect(made.start!.steps).toEqual([
    { text: 'The pages are built', state: 'done', tookMs: 2100, share: null },
  ]);
});

test.each([undefined, '', '{}', 'no JSON'])(
  'without an account of before (%j) a start begins now',
  (text) => {
    expect(readBeforeStart(text, 5000)).toEqual({ at: 5000, steps: [], collector: null });
  },
);
