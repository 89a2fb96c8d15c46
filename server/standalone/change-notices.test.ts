import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { RunDocument, RunState } from '../../common/experiment/run';
import { madeHistoryRuns } from '../../common/history/testing/made-history';
import type { WatchNotice } from '../../common/history/watch';
import type { Problem } from '../../common/problem';
import { until } from '../../test/support/until';
import { createHistories } from '../results/histories';
import { aRun } from '../results/testing/made-documents';
import { fakeHistories } from '../results/testing/fake-histories';
import { askedEvent, type RunOrder } from '../run/active-run/active-run';
import { ChangeNotices } from './change-notices';

const EXPERIMENT = { id: 'searches', name: 'Searches' };

/** History of 40 runs. The second combination of factor levels is slower from run 20 and normal again from run 30. */
const HISTORY_RUNS = madeHistoryRuns({
  runs: 40,
  factor: (run, cell) => (cell === 1 && run >= 20 && run < 30 ? 1.2 : 1),
});

let folder: string;
let server: Server;
let taken: WatchNotice[];
/** Status codes of the webhook's responses, in order; 200 after the last. */
let statuses: number[];
let problems: Problem[];
let opened: ChangeNotices[];

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'dyno-notices-'));
  [taken, statuses, problems, opened] = [[], [], [], []];
  server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const status = statuses.shift() ?? 200;
      if (status === 200) taken.push(JSON.parse(Buffer.concat(parts).toString()) as WatchNotice);
      response.writeHead(status).end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
});

afterEach(async () => {
  for (const notices of opened) await notices.close();
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

const cluster = fakeHistories(EXPERIMENT, []);

async function open(pausesMs: readonly number[] = [5, 5]): Promise<ChangeNotices> {
  const notices = await ChangeNotices.open({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    histories: createHistories(cluster.client),
    file: path.join(folder, 'webhook.json'),
    onProblem: (problem) => problems.push(problem),
    pausesMs,
  });
  opened.push(notices);
  return notices;
}

const runOf = (
  at: number,
  asked: NonNullable<RunOrder['asked']> = 'by its schedule',
  state: RunState = 'completed',
): RunDocument => {
  const run = aRun(`run-${at}`);
  const started = HISTORY_RUNS[at]!.at;
  return {
    ...run,
    run: { ...run.run, id: `run-${at}`, state, started },
    experiment: { ...run.experiment, ...EXPERIMENT },
    events: [{ at: started, level: 'info', message: askedEvent(asked) }],
  };
};

/** Adds the runs to the history one after the other, and calls `notices.ended` for each. */
async function live(notices: ChangeNotices, from: number, to: number): Promise<void> {
  for (let run = from; run < to; run += 1) {
    cluster.runs.splice(0, Infinity, ...HISTORY_RUNS.slice(0, run + 1));
    notices.ended(runOf(run));
    await notices.idle();
  }
}

const kindsOf = (): string[] =>
  taken.flatMap(({ changes }) => changes.map(({ metric, kind }) => `${metric} ${kind}`)).sort();

const BOTH = ['search.latency.p95 worse', 'search.throughput worse'];

test('sends each change once, with the run that confirmed it', async () => {
  await live(await open(), 15, 40);
  expect(kindsOf()).toEqual([...BOTH, 'search.latency.p95 recovery', 'search.throughput recovery'].sort());
  for (const { night: run, changes } of taken)
    for (const { confirmed } of changes) expect(confirmed).toEqual(run);
  expect(problems).toEqual([]);
});

test('does not send changes that were confirmed before the first watched run', async () => {
  await live(await open(), 28, 30);
  expect(taken).toEqual([]);
});

test.each<[string, RunDocument]>([
  ['was started manually', runOf(26, 'manually')],
  ['failed', runOf(26, 'by its schedule', 'failed')],
])('sends nothing after a run that %s; the next run sends what it confirmed', async (_, other) => {
  const notices = await open();
  await live(notices, 15, 18);
  cluster.runs.splice(0, Infinity, ...HISTORY_RUNS.slice(0, 27));
  notices.ended(other);
  await notices.idle();
  expect(taken).toEqual([]);
  await live(notices, 27, 28);
  expect(kindsOf()).toEqual(BOTH);
});

test('retries a notice that the webhook rejects', async () => {
  statuses = [503, 500];
  const notices = await open();
  await live(notices, 15, 28);
  expect(kindsOf()).toEqual(BOTH);
  expect([notices.untold, problems]).toEqual([[], []]);
});

test('reports a notice that cannot be sent in the log and on the pages, and sends it after the next run', async () => {
  statuses = new Array<number>(100).fill(503);
  const notices = await open();
  await live(notices, 15, 28);
  const why = expect.stringContaining('it answered with status 503') as string;
  expect(notices.untold).toMatchObject([{ experiment: 'searches', name: 'Searches', run: 'run-27', why }]);
  const message = expect.stringContaining('tried 3 times') as string;
  expect(problems.at(-1)).toMatchObject({ code: 'webhook.untold', message });
  statuses = [];
  await live(notices, 28, 29);
  expect(kindsOf()).toEqual(BOTH);
  expect(notices.untold).toEqual([]);
});

test('a restarted server sends the unsent notices of the previous one, and nothing twice', async () => {
  statuses = new Array<number>(100).fill(503);
  const first = await open([]);
  await live(first, 15, 28);
  expect(taken).toEqual([]);
  await first.close();
  statuses = [];
  const second = await open();
  await second.idle();
  expect(kindsOf()).toEqual(BOTH);
  await second.close();
  await live(await open(), 27, 29);
  expect(kindsOf()).toEqual(BOTH);
});

test('waits for a run that is not stored yet', async () => {
  const notices = await open(new Array<number>(200).fill(10));
  await live(notices, 15, 26);
  const already = taken.length;
  cluster.runs.splice(0, Infinity, ...HISTORY_RUNS.slice(0, 34));
  notices.ended(runOf(34));
  await until('a try in vain', () => Promise.resolve(notices.untold.length > 0 || undefined));
  expect(notices.untold[0]!.why).toBe('the results do not have the run yet');
  expect(taken).toHaveLength(already);
  cluster.runs.splice(0, Infinity, ...HISTORY_RUNS.slice(0, 35));
  await notices.idle();
  expect(kindsOf()).toContain('search.latency.p95 recovery');
});

test.each(['{', 'null'])('reports an unreadable list and treats it as empty: %s', async (text) => {
  await writeFile(path.join(folder, 'webhook.json'), text);
  await live(await open(), 28, 29);
  expect(problems).toMatchObject([{ code: 'webhook.kept' }]);
  expect(taken).toEqual([]);
});

test('drops a notice that is older than a week', async () => {
  const at = new Date(Date.now() - 8 * 24 * 3_600_000).toISOString();
  const waits = { run: 'run-of-old', at, why: 'the results do not have the run yet' };
  const kept = { gone: { name: 'Gone', since: at, told: [], waits } };
  await writeFile(path.join(folder, 'webhook.json'), JSON.stringify(kept));
  const notices = await open();
  await notices.idle();
  expect(notices.untold).toEqual([]);
  expect(problems).toEqual([]);
  await notices.close();
});
