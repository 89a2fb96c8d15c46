/** Tests the HTTP server that answers while Elasticsearch is starting. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EXAMPLE } from '../../../common/example';
import { API } from '../../../common/api';
import { REQUEST_HEADER } from '../../../common/api/request-header';
import { readRunFile } from '../../results/run-file/format';
import { recordedIn } from '../../results/example-run';
import type { Handlers } from '../../routes/handler';
import { openFront, type Front } from './front';
import { readBeforeStart, StartCourse } from './steps';

const { id } = EXAMPLE.run;
let folder: string;
let course: StartCourse;
let front: Front;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'dyno-front-'));
});
afterAll(() => rm(folder, { recursive: true }));
beforeEach(async () => {
  course = new StartCourse(
    () => undefined,
    readBeforeStart(undefined, Date.now()),
    undefined,
    () => () => undefined,
  );
  front = await openFront({
    address: { host: '127.0.0.1', port: 0 },
    access: { password: undefined, names: [] },
    course,
    results: '',
    allowedHosts: undefined,
    example: recordedIn('common/example/run.dyno-runs.gz'),
    appFolder: folder,
    version: '1.2.3',
    log: (text) => {
      throw new Error(text);
    },
  });
});
afterEach(() => front.close());

const ask = (where: string, method = 'GET'): Promise<Response> =>
  fetch(`${front.url}/api/dyno/${where}`, { method, headers: { [REQUEST_HEADER]: '1' } });
const codeOf = async (response: Response): Promise<string> =>
  ((await response.json()) as { attributes: { problems: { code: string }[] } }).attributes.problems[0]!.code;

test('refuses requests that need Elasticsearch, with the current step and a time to retry', async () => {
  void course.carry({ doing: 'Downloading it', done: '' }, () => new Promise(() => undefined));
  for (const where of [
    'experiments',
    'runs',
    'targets',
    'runs/another',
    'runs/another/report',
    'collector',
  ]) {
    const response = await ask(where);
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    const { message } = (await response.json()) as { message: string };
    expect(message).toBe('Dyno is still starting (Downloading it); try again later');
  }
});

test('the status contains the steps', async () => {
  void course.carry({ doing: 'Downloading it', done: '' }, () => new Promise(() => undefined));
  expect(API.getStatus.response.parse(await (await ask('status')).json())).toMatchObject({
    version: '1.2.3',
    start: { failed: '', steps: [{ text: 'Downloading it', state: 'under-way' }] },
  });
});

test('the example contains everything that a run has', async () => {
  const json = async (where: string): Promise<unknown> => (await ask(`runs/${id}${where}`)).json();
  const { run, trials } = API.getRun.response.parse(await json(''));
  expect(run.run).toMatchObject({ id, state: 'completed' });
  expect(trials).toHaveLength(EXAMPLE.run.trials);
  const report = (await json('/report')) as { verdict: { sentence: string } };
  expect(report.verdict.sentence).toBe(EXAMPLE.run.sentence);
  const timeline = API.getTimeline.response.parse(await json('/timeline'));
  expect(timeline.tasks[0]!.points.some(({ throughput }) => (throughput ?? 0) > 0)).toBe(true);
  expect(new Set(timeline.phases.map(({ trial }) => trial)).size).toBe(trials.length);
  const heat = API.getHeatmap.response.parse(
    await json(`/heatmap?trial=${trials[0]!.id}&task=ingest&columns=10`),
  );
  expect(heat.columns.length).toBeGreaterThan(1);
  const { tasks } = API.getDistributions.response.parse(await json('/distributions'));
  expect(tasks[0]!.cells.filter(({ count }) => count > 0)).toHaveLength(EXAMPLE.run.cells);
  for (const format of ['csv', 'json', 'md', 'html'])
    expect((await ask(`runs/${id}/export?format=${format}`)).status).toBe(200);
});

test('the file of the example can be exported completely', async () => {
  const { body } = await ask(`run-files?run=${id}`);
  const [counted] = await readRunFile(body as unknown as AsyncIterable<Buffer>, {
    head: () => undefined,
    document: () => undefined,
  });
  expect(counted).toMatchObject({ id, trials: EXAMPLE.run.trials });
});

test.each([
  ['POST', '/cancel'],
  ['POST', '/clean-up'],
])('nothing changes the example: %s %s', async (method, what) => {
  const response = await ask(`runs/${id}${what}`, method);
  expect([response.status, await codeOf(response)]).toEqual([403, 'run.example']);
});

test('uses the handlers of the started host at the same address', async () => {
  const runs = { runs: [] };
  front.serveHandlers({ listRuns: () => Promise.resolve(runs) } as unknown as Handlers);
  expect(await (await ask('runs')).json()).toEqual(runs);
  expect(course.start).toBe(null);
});

test('waits until an open page has received the reason of a failure, and for nothing else', async () => {
  const begun = performance.now();
  await front.failureShown();
  expect(performance.now() - begun).toBeLessThan(1000);
  await ask('status');
  course.fail('no JDK');
  const shown = front.failureShown();
  expect(await (await ask('status')).json()).toMatchObject({ start: { failed: 'no JDK' } });
  await shown;
});
