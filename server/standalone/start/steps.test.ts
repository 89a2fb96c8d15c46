import { readBeforeStart, StartCourse } from './steps';

/**
 * Creates the progress of a start, with a fake clock. `printed`: its lines. `drawn`: progress of the current step in bytes. `before`: steps
 * before the start of this process.
 */
function course(before = readBeforeStart(undefined, 0)) {
  const printed: string[] = [];
  const clock = { now: 0 };
  const drawn: (number | undefined)[] = [];
  const made = new StartCourse(
    (line) => void printed.push(line),
    before,
    () => clock.now,
    () => (done) => void drawn.push(done),
  );
  return { made, printed, clock, drawn };
}

const TEXT = { doing: 'Unpacking', done: 'It is unpacked' };

test('prints the start of a step, its end and its duration', async () => {
  const { made, printed, clock } = course();
  const result = await made.carry(TEXT, () => {
    clock.now = 8200;
    return Promise.resolve(7);
  });
  expect([result, printed]).toEqual([7, ['Unpacking ...', 'It is unpacked (8s).']]);
  expect(made.start!.steps).toEqual([{ text: 'It is unpacked', state: 'done', tookMs: 8200, share: null }]);
});

test('reports the progress and the duration of the current step to pages', async () => {
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

test('a failed step stays the last one, with the reason', async () => {
  const { made, printed } = course();
  await expect(made.carry(TEXT, () => Promise.reject(new Error('no space')))).rejects.toThrow('no space');
  made.fail('no space');
  expect(made.start).toMatchObject({ failed: 'no space', steps: [{ text: 'Unpacking', state: 'failed' }] });
  expect(printed).toEqual(['Unpacking ...']);
});

test('the steps of npm start are listed too, and count into the duration of the start', () => {
  const steps = [{ text: 'The pages are built', tookMs: 2100 }];
  const given = JSON.stringify({ at: 1000, steps, collector: null });
  const { made, clock } = course(readBeforeStart(given, 5000));
  clock.now = 5000;
  expect(made.tookMs).toBe(4000);
  expect(made.start!.steps).toEqual([
    { text: 'The pages are built', state: 'done', tookMs: 2100, share: null },
  ]);
});

test.each([undefined, '', '{}', 'no JSON'])('without valid earlier steps (%j) a start begins now', (text) => {
  expect(readBeforeStart(text, 5000)).toEqual({ at: 5000, steps: [], collector: null });
});
