/**
 * Repeats an experiment with one short trial per run on a real Elasticsearch. `dyno watch` must find and name a setting that makes the runs
 * 15% slower, and report the recovery after the setting is removed.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, createServer, request as proxied, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { definitionSchema, type Definition, type DefinitionInput } from '../../common/experiment/definition';
import type { History } from '../../common/history/history';
import { watchHistory, type WatchNotice } from '../../common/history/watch';
import type { Problem } from '../../common/problem';
import { createHistories } from '../../server/results/histories';
import { createResultsReader, type ResultsReader } from '../../server/results/reader';
import { createResultsWriter, type ResultsWriter } from '../../server/results/writer';
import { Connection } from '../../server/target-cluster/connection';
import { until } from '../support/until';
import { workplace, type Ended } from './support/dyno';
import { sharedElasticsearch } from './support/elasticsearch';
import { ownRuns, type OwnRuns } from './support/runs';

jest.setTimeout(300_000);

const url = sharedElasticsearch();
const place = workplace();
const spoolDir = mkdtempSync(path.join(tmpdir(), 'dyno-histories-'));
const problems: Problem[] = [];
const onProblem = (problem: Problem): void => void problems.push(problem);

/**
 * Simulated network delay of bulks in ms, by the refresh interval of their index. Other tests keep the machine busy, which delays bulks
 * too. The simulated delay is so long that these other delays hardly matter.
 */
const DELAYS_MS = { '5s': 3000, '1s': 3450 } as const;
type Interval = keyof typeof DELAYS_MS;

/** Number of runs before the simulated change for the worse. */
const GOOD = 9;
/** Maximum number of runs until the change for the worse is reported. */
const MOST_BAD = 8;
/** Maximum number of runs until the recovery is reported, after the change is undone. */
const MOST_UNDONE = 10;

const EXPERIMENT = 'bulks-1';

let connection: Connection;
let writer: ResultsWriter;
let reader: ResultsReader;
let service: OwnRuns;
let servers: Server[];
const received: WatchNotice[] = [];
let webhook: string;

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Starts a proxy that delays answers to bulks by {@link DELAYS_MS}, according to the setting of the index. */
function slowedBySetting(): Server {
  const { hostname, port } = new URL(url());
  const agent = new Agent({ keepAlive: true });
  const ways = new Map<string, number>();
  const intervals = Object.keys(DELAYS_MS) as Interval[];
  return createServer((request, response) => {
    const { method, url: asked = '', headers } = request;
    const index = /^\/(dyno-trial-[\w-]+)/.exec(asked)?.[1] ?? '';
    let body = '';
    if (method === 'PUT' && index !== '') {
      request.on('data', (chunk: Buffer) => (body += chunk.toString()));
      request.once('end', () => {
        const own = intervals.find((interval) => body.includes(`"${interval}"`));
        if (own !== undefined && !ways.has(index)) ways.set(index, DELAYS_MS[own]);
      });
    }
    const onward = proxied({ agent, hostname, port, path: asked, method, headers }, (answer) => {
      const pass = (): void => {
        response.writeHead(answer.statusCode!, answer.headers);
        answer.pipe(response);
      };
      if (asked.includes('_bulk') && ways.has(index)) setTimeout(pass, ways.get(index));
      else pass();
    });
    onward.once('error', () => response.destroy());
    request.pipe(onward);
  });
}

/** Starts a webhook that accepts messages about changes at the path `/`, and refuses them at other paths. */
const webhookServer = (): Server =>
  createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.once('end', () => {
      if (request.url === '/') received.push(JSON.parse(body) as WatchNotice);
      response.writeHead(request.url === '/' ? 204 : 503).end();
    });
  });

beforeAll(async () => {
  connection = new Connection({ hosts: [url()] });
  writer = createResultsWriter({ client: connection, spoolDir, onProblem });
  servers = [slowedBySetting(), webhookServer()];
  const [target, hook] = (await Promise.all(servers.map(listening))) as [string, string];
  webhook = hook;
  reader = createResultsReader(connection);
  service = await ownRuns({
    reader,
    writer,
    results: connection,
    connect: () => Promise.resolve(new Connection({ hosts: [target] })),
    folder: place.folder,
    onProblem,
  });
});

afterAll(async () => {
  await service.close('the test is over');
  await writer.close();
  await connection.close();
  for (const server of servers) {
    server.close();
    server.closeAllConnections();
  }
  place.remove();
  rmSync(spoolDir, { recursive: true, force: true });
});

const definition = (refresh: Interval, more: Partial<DefinitionInput> = {}): Definition =>
  definitionSchema.parse({
    version: 1,
    name: 'Repeated bulks',
    spread: 'given-hosts',
    index: { settings: { number_of_shards: 1, number_of_replicas: 0, refresh_interval: refresh } },
    tasks: [
      {
        name: 'ingest',
        ingest: { source: { generator: 'systembase' }, bulk: { docs: 1 } },
        executor: { 'constant-rate': { rate: 40, 'max-clients': 200 } },
      },
    ],
    measure: { warmup: '0s', duration: '1s' },
    trials: 1,
    ...more,
  });

async function carryOut(of: Definition, experimentId: string): Promise<void> {
  const { run } = await service.start({ definition: of, experimentId, asked: 'manually' });
  await until('the end of the run', () => service.runOf(experimentId) === null);
  // Histories contain a run only after its last state is stored.
  await until('its end is stored', async () => (await reader.getRun(run))?.run.state === 'completed');
  expect(await writer.flush(30_000)).toBe(true);
}

/** Executes one run. Returns the history of the experiment, which includes the run. */
async function runOnce(refresh: Interval): Promise<History> {
  await carryOut(definition(refresh), EXPERIMENT);
  return createHistories(connection).history({ id: EXPERIMENT, name: 'Repeated bulks' });
}

/** Executes runs until `holds` returns true for the history of the experiment. Throws after `most` runs. */
async function runsUntil(
  refresh: Interval,
  most: number,
  holds: (history: History) => boolean,
): Promise<History> {
  for (let runs = 1; ; runs += 1) {
    const history = await runOnce(refresh);
    if (holds(history)) return history;
    if (runs === most)
      throw new Error(
        `not within ${most} runs: ${history.series.map(({ metric, now, means }) => `${metric} ${now} ${means.join(' ')}`).join('; ')}`,
      );
  }
}

const dyno = (command: 'history' | 'watch', ...args: string[]): Promise<Ended> =>
  place.dyno(command, ...args, '--results', url());

const isWorse = (history: History): boolean => watchHistory(history).state === 'regression';

/** Name of two experiments that only warm up the cluster. */
const WARM_UP = 'Warm-up';

// A cluster that has just started answers several times more slowly than a little later.
beforeAll(async () => {
  const longer = definition('5s', { name: WARM_UP, measure: { warmup: '4s', duration: '1s' } });
  await carryOut(longer, 'warm-up-1');
  await carryOut(longer, 'warm-up-2');
}, 120_000);

test('a setting that slows runs by 15% is reported and named, and so is the recovery', async () => {
  await runOnce('5s');
  await runOnce('5s');
  const few = await dyno('watch', EXPERIMENT);
  expect(few).toMatchObject({
    code: 4,
    stdout: expect.stringContaining('too few runs for an answer, 2 as of'),
  });

  for (let more = 2; more < GOOD; more += 1) expect(isWorse(await runOnce('5s'))).toBe(false);
  const good = await dyno('watch', 'Repeated bulks', '--webhook', webhook);
  expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('no confirmed regression, as of') });
  expect(received).toEqual([]);

  const bad = await runsUntil('1s', MOST_BAD, isWorse);
  // If the machine was so busy that the load fell behind, a run has no latencies.
  const { means } = bad.series.find(({ metric }) => metric === 'ingest.latency.p50')!;
  const isTold = (mean: number | null): boolean => mean !== null;
  const lastGoodAt = means.slice(0, GOOD).findLastIndex(isTold);
  const firstBadAt = GOOD + means.slice(GOOD).findIndex(isTold);
  const firstBad = bad.nights[firstBadAt]!;
  const [junit, markdown] = ['junit.xml', 'summary.md'].map((name) => path.join(place.folder, name)) as [
    string,
    string,
  ];
  const files = ['--junit', junit, '--markdown', markdown];
  // Only some in parallel, because a command waits for the webhook for at most ten seconds.
  const [alarm, refused, unwritten] = await Promise.all([
    dyno('watch', EXPERIMENT, ...files, '--webhook', webhook),
    dyno('watch', EXPERIMENT, '--webhook', `${webhook}/refusing`),
    dyno('watch', EXPERIMENT, '--junit', path.join(place.write('a-file', ''), 'junit.xml')),
  ]);
  const [accepted, json, shown, rows] = await Promise.all([
    dyno('watch', EXPERIMENT, '--since', bad.nights.at(-1)!.at),
    dyno('history', EXPERIMENT, '--json'),
    dyno('history', 'Repeated bulks', '--metric', 'ingest.latency.p50'),
    dyno('history', EXPERIMENT, '--csv', '--metric', 'ingest.latency.p50', '--from', firstBad.at),
  ]);
  const [away, none, several, wrong] = await Promise.all([
    place.dyno('watch', EXPERIMENT, '--results', 'http://127.0.0.1:1'),
    dyno('watch', 'no such experiment'),
    dyno('watch', WARM_UP),
    dyno('history', EXPERIMENT, '--metric', 'ingest.latency.p51'),
  ]);
  const changed = 'index.settings.refresh_interval 5s → 1s';
  const sentence =
    /since \d{4}-\d\d-\d\d, index\.settings\.refresh_interval 1s instead of 5s: ingest latency p50 \+1\d(\.\d)?%, 95% interval \+\S+% to \+\S+%, worse/;
  expect(alarm.code).toBe(1);
  for (const text of [
    alarm.stdout,
    readFileSync(markdown, 'utf8'),
    readFileSync(junit, 'utf8'),
    shown.stdout,
  ]) {
    const words = text.replaceAll('\\', '').replaceAll(/\s+/g, ' ');
    expect(words).toMatch(sentence);
    expect(words).toContain(`Changed in the same run: ${changed}`);
  }
  expect(alarm.stdout).toContain(`(run ${firstBad.run})`);
  expect(readFileSync(junit, 'utf8')).toMatch(/<testcase [^>]*ingest\.latency\.p50[^>]*><failure /);
  expect(received).toHaveLength(1);
  const notice = received[0]!.changes.find(({ metric }) => metric === 'ingest.latency.p50')!;
  expect(lastGoodAt).toBeGreaterThanOrEqual(GOOD - 3);
  expect(firstBadAt).toBeLessThan(GOOD + 3);
  expect(received[0]).toMatchObject({ experiment: { id: EXPERIMENT }, state: 'regression' });
  expect(notice).toMatchObject({
    kind: 'worse',
    since: firstBad,
    before: bad.nights[lastGoodAt],
    confirmed: bad.nights.at(-1),
    lines: expect.arrayContaining([expect.stringContaining(changed)]),
    cause: {
      differs: expect.arrayContaining([
        {
          of: 'definition',
          what: 'index.settings.refresh_interval',
          before: '5s',
          after: '1s',
          often: false,
        },
      ]),
      looked: { before: firstBadAt, after: bad.nights.length - firstBadAt },
    },
  });
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('it answered with status 503') });
  expect(unwritten).toMatchObject({ code: 3, stderr: expect.stringContaining('a-file') });
  expect(away).toMatchObject({ code: 3, stderr: expect.stringContaining('http://127.0.0.1:1') });
  expect(accepted).toMatchObject({ code: 0, stdout: expect.stringContaining('no confirmed regression') });
  expect(json.code).toBe(0);
  expect((JSON.parse(json.stdout) as History).changes.map(({ sentence: own }) => own)).toEqual(
    bad.changes.map(({ sentence: own }) => own),
  );
  expect(shown).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/ingest latency p50 .* worse +\+1\d/),
  });
  expect(rows.code).toBe(0);
  const [header, ...lines] = rows.stdout.trimEnd().split('\n');
  expect(header).toBe('run,at,metric,cell,mean,deviation,trials,level,outlier,changed,note');
  expect(lines).toHaveLength(bad.nights.length - firstBadAt);
  expect(lines[0]).toMatch(new RegExp(`^${firstBad.run},.*,worse,$`));
  expect(none).toMatchObject({ code: 2, stderr: expect.stringContaining('no runs of such an experiment') });
  expect(several).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/several experiments have this name.*warm-up-[12], warm-up-[12]/s),
  });
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('ingest.latency.p50') });

  // On a busy machine the load may fall behind, and the run has no latency. Then it is neither worse nor recovered.
  const hasRecovered = ({ series }: History): boolean =>
    series.some(({ metric, now }) => metric === 'ingest.latency.p50' && now === 'recovered');
  const undone = await runsUntil('5s', MOST_UNDONE, (history) => hasRecovered(history) && !isWorse(history));
  const recovered = await dyno('watch', EXPERIMENT, '--json', '--webhook', webhook);
  expect(recovered.code).toBe(0);
  expect(JSON.parse(recovered.stdout)).toMatchObject({
    state: 'no-regression',
    night: undone.nights.at(-1),
    regressions: [],
  });
  expect(received.at(-1)!.changes).toContainEqual(
    expect.objectContaining({ metric: 'ingest.latency.p50', kind: 'recovery' }),
  );
  // On a busy machine, some results may wait on disk for a moment. This problem is ignored.
  const lasting = problems.filter(({ code }) => !['results.slow', 'results.recovered'].includes(code));
  expect(lasting).toEqual([]);
});

test('the ends of a bisect can be given as prefixes of run ids that only one run has', async () => {
  const { nights } = await createHistories(connection).history({ id: EXPERIMENT, name: 'Repeated bulks' });
  const [first, second] = nights.map(({ run }) => run) as [string, string];
  const ends = (good: string, bad: string) =>
    place.dyno(
      ...['bisect', '--runs', EXPERIMENT, '--good', good, '--bad', bad],
      ...['--elasticsearch', url(), '--results', url()],
    );
  const [several, turned] = await Promise.all([ends(first.slice(0, 4), second), ends(second, first)]);
  expect(several).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--good: more than one run of the experiment begins like this'),
  });
  expect(turned).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`(found good ${second}, bad ${first}; allowed: a run after ${second})`),
  });
});

test('the plan for removing samples of old runs can be printed as JSON', async () => {
  const { code, stdout } = await place.dyno(
    ...['results', 'retention', '--keep-samples', '2 runs', '--dry-run', '--json', '--results', url()],
  );
  expect(code).toBe(0);
  const plan = JSON.parse(stdout) as { keep: string; runs: { documents: number }[]; documents: number };
  expect(plan.keep).toBe('the newest 2 runs of each experiment');
  // The runs belong to one experiment. Each warm-up is the only run of its experiment, so it keeps its samples.
  expect(plan.runs.length).toBeGreaterThanOrEqual(GOOD);
  expect(plan.documents).toBe(plan.runs.reduce((sum, { documents }) => sum + documents, 0));
});
