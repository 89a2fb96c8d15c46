/** Tests the metrics of rejections for alerts. The documents in the real Elasticsearch look like those of real results. */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import {
  rejectionParamsSchema,
  type RejectionParams,
  type RejectionParamsInput,
} from '../../common/alerting/rejections/params';
import type { WindowFigures } from '../../common/alerting/rejections/figures';
import type { ElasticsearchClient } from '../../common/elasticsearch/client';
import type { RunDocument } from '../../common/experiment/run';
import type { SampleDocument } from '../../common/measurement/trial';
import { createRejectionsReader } from '../../server/results/rejections';
import { installTemplates, TEMPLATES, type Template } from '../../server/results/templates';
import { aRun, aSample } from '../../server/results/testing/made-documents';
import { Connection } from '../../server/target-cluster/connection';
import { ask, sharedElasticsearch } from './support/elasticsearch';

const ROOT = path.resolve(__dirname, '../..');
const START = Date.parse('2026-11-20T10:00:00.000Z');
const at = (second: number): string => new Date(START + second * 1000).toISOString();
const WINDOW = { from: START, to: START + 300_000 };

const url = sharedElasticsearch();
let cluster: Connection;

const QUEUE =
  'rejected execution of TimedRunnable{x} on TaskExecutionTimeTrackingEsThreadPoolExecutor[name = n1/write, queue capacity = 5]';
const PRESSURE = 'rejected execution of coordinating operation [coordinating_and_primary_bytes=1]';

interface Second {
  run: string;
  second: number;
  attempted: number;
  rejected?: number;
  task?: string;
  /** Kind of the task. Undefined as in samples of older versions of Dyno, for which the run's definition contains the kind. */
  kind?: string;
  why?: string;
  experiment?: Partial<SampleDocument['experiment']>;
}

function sample({
  run,
  second,
  attempted,
  rejected = 0,
  task = 'ingest',
  kind,
  why = QUEUE,
  experiment,
}: Second): object {
  const whole = aSample(run, `${run}-0`, second);
  return {
    ...whole,
    '@timestamp': at(second),
    task,
    taskKind: kind,
    experiment: { id: 'shards', name: 'Shards', target: 'local', ...experiment },
    counts: { ...whole.counts, attempted, rejected, accepted: attempted - rejected, failed: 0 },
    failures: rejected === 0 ? {} : { es_rejected_execution_exception: { count: rejected, example: why } },
  };
}

function run(
  id: string,
  { run: about, ...more }: Omit<Partial<RunDocument>, 'run'> & { run?: Partial<RunDocument['run']> } = {},
): object {
  const whole = aRun(id);
  return { ...whole, ...more, run: { ...whole.run, state: 'completed', ...about } };
}

interface NodeSecond {
  node: string;
  second: number;
  completed: number;
  queue?: number;
  primary?: number;
  more?: object;
  agent?: string;
  clusterId?: string;
  restarted?: boolean;
}

const change = (value: number): object => ({ change: value, total: value });

const nodeEvent = (given: NodeSecond): object => {
  const { node, second, completed, queue = 0, primary = 0, more, agent = 'one', clusterId = 'c1' } = given;
  return {
    '@timestamp': at(second),
    event: { dataset: 'dyno.node', module: 'dyno' },
    agent: { id: agent },
    elasticsearch: { cluster: { id: clusterId, name: 'prod' }, node: { id: `id-${node}`, name: node } },
    dyno: {
      node: {
        interval: { ms: 10_000 },
        restarted: given.restarted ?? false,
        thread_pool: { write: { completed: change(completed), rejected: change(queue) } },
        indexing_pressure: {
          rejections: { coordinating: change(0), primary: change(primary), replica: change(0) },
        },
      },
    },
    ...more,
  };
};

async function store(index: string, documents: object[]): Promise<void> {
  const lines = documents.flatMap((document) => ['{"create":{}}', JSON.stringify(document)]);
  const { status, body } = await ask<{ errors: boolean }>(
    'POST',
    `${url()}/${index}/_bulk?refresh=true`,
    `${lines.join('\n')}\n`,
  );
  if (status !== 200 || body.errors) throw new Error(JSON.stringify(body).slice(0, 1000));
}

const watched = (given: RejectionParamsInput = {}): RejectionParams => rejectionParamsSchema.parse(given);
const read = (given?: RejectionParamsInput, space = 'default'): Promise<WindowFigures[]> =>
  createRejectionsReader(cluster, space).read(watched(given), WINDOW);

function metricsTemplate(): Template {
  const made = spawnSync(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      "import { metricsTemplate } from './scripts/build-metrics-template.mjs'; console.log(JSON.stringify(await metricsTemplate()));",
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  return { name: 'dyno-metrics', body: JSON.parse(made.stdout) as Template['body'] };
}

beforeAll(async () => {
  cluster = new Connection({ hosts: [url()] });
  expect(await read()).toEqual([]);
  expect(await read({ measure: 'write-pool' })).toEqual([]);
  await installTemplates(cluster, [...TEMPLATES, metricsTemplate()]);
  const provoking = { provokesRejections: true as const };
  await store('dyno-samples-2026.11', [
    sample({ run: 'r1', second: -1, attempted: 9999, rejected: 9999 }),
    sample({ run: 'r1', second: 0, attempted: 1000, rejected: 100 }),
    sample({ run: 'r2', second: 10, attempted: 1000, rejected: 300, why: PRESSURE }),
    sample({ run: 'r2', second: 10, attempted: 5000, task: 'queries' }),
    sample({ run: 'r3', second: 20, attempted: 700, rejected: 700, experiment: provoking }),
    sample({
      run: 'r4',
      second: 30,
      attempted: 500,
      kind: 'ingest',
      experiment: { id: 'refresh', name: 'Refresh', target: 'other' },
    }),
    sample({
      run: 'r4',
      second: 30,
      attempted: 7000,
      task: 'queries',
      kind: 'search',
      experiment: { id: 'refresh', name: 'Refresh', target: 'other' },
    }),
    sample({
      run: 'r5',
      second: 40,
      attempted: 400,
      rejected: 400,
      experiment: { id: 'theirs', name: 'Theirs', space: 'team' },
    }),
    sample({ run: 'r1', second: 300, attempted: 9999, rejected: 9999 }),
  ]);
  const tasks = [
    { name: 'ingest', ingest: {} },
    { name: 'queries', search: {} },
  ];
  await store('dyno-runs-2026.11', [
    run('r1'),
    run('r2', { definition: { tasks } as never }),
    run('r5', { experiment: { id: 'theirs', name: 'Theirs', space: 'team', hypothesis: '', preset: null } }),
  ]);
});

afterAll(() => cluster.close());

describe('rejections that clients saw', () => {
  test('are counted for each experiment of the space, without searches and without deliberate ones', async () => {
    const found = await read();
    expect(found.map(({ group }) => group).sort()).toEqual(['refresh', 'shards']);
    expect(found.find(({ group }) => group === 'shards')).toEqual({
      group: 'shards',
      name: 'Shards',
      attempted: 2000,
      rejected: 400,
      silenced: 700,
      causes: { queue: 100, coordinating: 300, primary: 0, replica: 0 },
      restarts: 0,
      run: 'r2',
    });
  });

  test('are read with one search, unless samples of an older version lack the kind of their task', async () => {
    const asked: string[] = [];
    const counting: ElasticsearchClient = {
      request: (request) => {
        asked.push(request.path);
        return cluster.request(request);
      },
    };
    const reader = createRejectionsReader(counting, 'default');
    expect(await reader.read(watched({ experiments: ['refresh'] }), WINDOW)).toMatchObject([
      { attempted: 500 },
    ]);
    expect(asked).toHaveLength(1);
    expect(await reader.read(watched({ experiments: ['shards'] }), WINDOW)).toMatchObject([
      { attempted: 2000 },
    ]);
    expect(asked).toHaveLength(3);
  });

  test('include deliberate ones unless these are silenced', async () => {
    const [shards] = await read({ silenceProvoked: false, experiments: ['shards'] });
    expect(shards).toMatchObject({ attempted: 2700, rejected: 1100, silenced: 0 });
  });

  test('can be grouped by target, and limited to one target', async () => {
    const found = await read({ groupBy: 'target' });
    expect(found.map(({ group, attempted }) => [group, attempted]).sort()).toEqual([
      ['local', 2000],
      ['other', 500],
    ]);
    expect(await read({ target: 'other' })).toMatchObject([{ group: 'refresh', name: 'Refresh' }]);
  });

  test('are separate for each space', async () => {
    expect(await read({}, 'team')).toMatchObject([
      { group: 'theirs', attempted: 400, rejected: 400, run: 'r5' },
    ]);
    expect(await read({}, 'nobody')).toEqual([]);
  });
});

describe('rejections of nodes', () => {
  beforeAll(async () => {
    const ended = { started: at(200), ended: at(210), heartbeat: at(210) };
    const provoking = { id: 'storm', name: 'Storm', provokesRejections: true as const, space: 'team' };
    await store('dyno-runs-2026.11', [
      run('storm', {
        run: ended,
        experiment: { ...provoking, hypothesis: '', preset: null },
        provenance: { ...aRun('x').provenance!, cluster: { name: 'wild', uuid: 'c2', version: '', url: '' } },
      }),
    ]);
    await store('dyno-metrics-2026.11.20', [
      nodeEvent({ node: 'n1', second: 0, completed: 900, queue: 100, more: { run: { id: 'r1' } } }),
      nodeEvent({ node: 'n1', second: 10, completed: 50, queue: 50, primary: 5, restarted: true }),
      // A second collector saw less of this node. Its events must not count again.
      nodeEvent({ node: 'n1', second: 10, completed: 50, queue: 50, agent: 'two' }),
      nodeEvent({ node: 'n2', second: 10, completed: 300, more: { run: { id: 'r5' } } }),
      { ...nodeEvent({ node: 'n2', second: 20, completed: 0 }), dyno: undefined, error: { message: 'away' } },
      nodeEvent({ node: 'w1', second: 100, completed: 90, queue: 10, clusterId: 'c2' }),
      nodeEvent({ node: 'w1', second: 205, completed: 100, queue: 900, clusterId: 'c2' }),
      nodeEvent({ node: 'w1', second: 260, completed: 0, queue: 30, clusterId: 'c2' }),
    ]);
  });

  const byName = async (given: RejectionParamsInput): Promise<Record<string, WindowFigures>> =>
    Object.fromEntries((await read(given)).map((figures) => [figures.name, figures]));

  test('are summed for each node across restarts, from one collector', async () => {
    const { n1, n2 } = await byName({ measure: 'write-pool' });
    expect(n1).toEqual({
      group: 'prod/n1 (id-n1)',
      name: 'n1',
      attempted: 1100,
      rejected: 150,
      silenced: 0,
      causes: { queue: 150, coordinating: 0, primary: 5, replica: 0 },
      restarts: 1,
      run: 'r1',
    });
    // Its run belongs to another space, so there is no page to open.
    expect(n2).toMatchObject({ attempted: 300, rejected: 0, run: null });
  });

  test('of indexing pressure are a separate measure', async () => {
    const { n1 } = await byName({ measure: 'indexing-pressure' });
    expect(n1).toMatchObject({ attempted: 955, rejected: 5 });
  });

  test('are left out during a run that provokes rejections on the same cluster, and for a minute after it', async () => {
    const { w1, n1 } = await byName({ measure: 'write-pool' });
    expect(w1).toMatchObject({ attempted: 100, rejected: 10, silenced: 1030 });
    expect(n1).toMatchObject({ silenced: 0 });
    const { w1: loud } = await byName({ measure: 'write-pool', silenceProvoked: false });
    expect(loud).toMatchObject({ attempted: 1130, rejected: 940, silenced: 0 });
  });

  test('can be summed by cluster, and limited to some nodes or to one cluster', async () => {
    const found = await read({ measure: 'write-pool', groupBy: 'cluster' });
    expect(found).toContainEqual(
      expect.objectContaining({
        group: 'prod (c1)',
        name: 'prod',
        attempted: 1400,
        rejected: 150,
        restarts: 1,
      }),
    );
    expect(await read({ measure: 'write-pool', nodes: 'n*', cluster: 'prod' })).toHaveLength(2);
    expect(await read({ measure: 'write-pool', nodes: '?2' })).toMatchObject([{ name: 'n2' }]);
    expect(await read({ measure: 'write-pool', cluster: 'c2' })).toMatchObject([{ name: 'w1' }]);
  });
});
