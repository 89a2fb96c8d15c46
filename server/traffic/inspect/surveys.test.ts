import { rmSync, utimesSync, writeFileSync } from 'node:fs';
import { until } from '../../../test/support/until';
import { madeFolder } from '../../traffic-file/testing/made-records';
import { Surveys, type SurveyState } from './surveys';

const at = madeFolder();
const thread = at('thread.mjs');
// A thread that does what the first line of the file requests, and counts in its result how often it was started.
writeFileSync(
  thread,
  `import { parentPort, workerData } from 'node:worker_threads';
   import { existsSync, readFileSync, appendFileSync } from 'node:fs';
   const [order] = readFileSync(workerData, 'utf8').split('\\n');
   appendFileSync(workerData + '.log', 'x');
   parentPort.postMessage({ read: 5, of: 10 });
   if (order === 'die') process.exit(7);
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

/** Asks until the file has been read. */
async function read(of: string): Promise<SurveyState> {
  let state: SurveyState | undefined;
  await until('the survey', async () => (state = await surveys.of(of)).state === 'read');
  return state!;
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

test('the reason of a failure is reported', async () => {
  for (const [order, code] of [
    ['fail', 'traffic.header'],
    ['die', 'traffic.ended'],
  ] as const) {
    const name = file(order, order);
    let failure: unknown;
    await until('the failure', () =>
      surveys.of(name).then(
        () => false,
        (error: unknown) => {
          failure = error;
          return true;
        },
      ),
    );
    expect(failure).toMatchObject({ problems: [{ code }] });
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
