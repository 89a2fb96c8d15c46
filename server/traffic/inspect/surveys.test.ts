import { appendFileSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { until } from '../../../test/support/until';
import { madeFolder } from '../../traffic-file/testing/made-records';
import { Surveys, type SurveyState } from './surveys';

const at = madeFolder();
const thread = at('thread.mjs');
// A thread that does what the first line of its file requests. Its result contains how often it was started.
writeFileSync(
  thread,
  `import { parentPort, workerData } from 'node:worker_threads';
   import { existsSync, readFileSync, appendFileSync } from 'node:fs';
   const [order] = readFileSync(workerData, 'utf8').split('\\n');
   appendFileSync(workerData + '.log', 'x');
   parentPort.postMessage({ read: 5, of: 10 });
   if (order === 'die') process.exit(7);
   if (order === 'throw') throw new Error('the order was to throw');
   const wait = () => {
     if (order === 'wait' && !existsSync(workerData + '.go')) return setTimeout(wait, 5);
     if (order === 'fail') parentPort.postMessage({ kind: 'input', problems: [{ code: 'traffic.header', path: workerData, message: 'damaged' }] });
     else parentPort.postMessage({ answer: { starts: readFileSync(workerData + '.log', 'utf8').length } });
   };
   wait();`,
);
let surveys: Surveys;
beforeEach(() => (surveys = new Surveys(thread)));
afterEach(() => surveys.close());

function file(name: string, order: string): string {
  writeFileSync(at(name), `${order}\n`);
  return at(name);
}

/** Requests the survey of a file repeatedly until it is complete. Returns it. */
async function read(of: string): Promise<SurveyState> {
  let state: SurveyState | undefined;
  await until('the survey', async () => (state = await surveys.of(of)).state === 'read');
  return state!;
}

/** Requests the survey of a file repeatedly until the survey fails. Returns the error. */
async function failureOf(all: Surveys, of: string): Promise<unknown> {
  let failure: unknown;
  await until('the failure', () =>
    all.of(of).then(
      () => false,
      (error: unknown) => {
        failure = error;
        return true;
      },
    ),
  );
  return failure;
}

test('a survey reports its progress, and then its result', async () => {
  const name = file('slow', 'wait');
  await until('progress', async () => {
    const state = await surveys.of(name);
    return state.state === 'reading' && state.read === 5 && state.of === 10;
  });
  writeFileSync(`${name}.go`, '');
  expect(await read(name)).toEqual({ state: 'read', found: { starts: 1 } });
});

test('a file is read again only if it has changed', async () => {
  const name = file('kept', 'read');
  await read(name);
  expect(await read(name)).toMatchObject({ found: { starts: 1 } });
  utimesSync(name, new Date(0), new Date(0));
  expect(await read(name)).toMatchObject({ found: { starts: 2 } });
});

test('a recording is read again if one of its further files has changed', async () => {
  const name = file('parts.traffic.gz', 'read');
  await read(name);
  writeFileSync(at('parts.2.traffic.gz'), 'a');
  expect(await read(name)).toMatchObject({ found: { starts: 2 } });
  appendFileSync(at('parts.2.traffic.gz'), 'b');
  expect(await read(name)).toMatchObject({ found: { starts: 3 } });
  expect(await read(name)).toMatchObject({ found: { starts: 3 } });
});

test('a thread that cannot start does not block later surveys', async () => {
  const broken = new Surveys('no-absolute-path.mjs');
  for (const name of ['first', 'second'])
    expect(await failureOf(broken, file(name, 'read'))).toMatchObject({
      problems: [{ code: 'traffic.ended' }],
    });
});

test('a survey whose thread ended is tried again later, and one of a damaged file is not', async () => {
  for (const [order, starts] of [
    ['die', 'xx'],
    ['fail', 'x'],
  ] as const) {
    const name = file(`again-${order}`, order);
    for (let time = 0; time < 3; time += 1) await failureOf(surveys, name);
    expect(readFileSync(`${name}.log`, 'utf8')).toBe('x');
    const later = Date.now() + 3_600_000;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(later);
    await failureOf(surveys, name);
    expect(readFileSync(`${name}.log`, 'utf8')).toBe(starts);
    clock.mockRestore();
  }
});

test('the reason of a failure is reported', async () => {
  for (const [order, code, text] of [
    ['fail', 'traffic.header', 'damaged'],
    ['die', 'traffic.ended', 'ended before its work'],
    ['throw', 'traffic.ended', 'the order was to throw'],
  ] as const) {
    const failure = await failureOf(surveys, file(order, order));
    expect(failure).toMatchObject({ problems: [{ code }] });
    expect(String(failure)).toContain(text);
  }
});

test('a missing file is refused', async () => {
  const name = file('gone', 'read');
  rmSync(name);
  await expect(surveys.of(name)).rejects.toMatchObject({
    kind: 'input',
    problems: [{ code: 'traffic.not-found' }],
  });
});
