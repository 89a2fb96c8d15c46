/** Tests runs whose load two nodes of Kibana generate together, with a real Elasticsearch. Kibana's Task Manager is simulated strictly. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { LoadOutcome, TaskJob } from '../../server/load/contract';
import { becomeActor } from '../../server/kibana/actor';
import type { KibanaServices } from '../../server/kibana/kibana-services';
import { SeatLending } from '../../server/kibana/seats/lending';
import { shareKey } from '../../server/kibana/seats/shared-key';
import { createSecrets } from '../../server/kibana/secrets';
import { seatTaskDefinitions } from '../../server/kibana/seats/tasks';
import { fakeKibanaServices } from '../../server/kibana/testing/fake-kibana-services';
import { fakeSavedObjects, type FakeSavedObjects } from '../../server/kibana/testing/fake-saved-objects';
import { fakeTaskManager, type FakeTaskNode } from '../../server/kibana/testing/fake-task-manager';
import { prepareLoad } from '../../server/load/pool';
import { thisProcess } from '../../server/process-life';
import { BUS_PREFIX } from '../../server/seats/bus';
import { openSeats, type Seats } from '../../server/seats/coordinator';
import { Connection } from '../../server/target-cluster/connection';
import { until } from '../support/until';
import { ask, sharedElasticsearch } from './support/elasticsearch';
import { buildWorker, FOUND, job, Target, WORKER } from './support/load';
import { searchJob } from '../../common/tasks/search';

const url = sharedElasticsearch();
const KEY = { id: 'id-of-the-run', api_key: 'geheim' };
const AUTHORIZATION = `ApiKey ${Buffer.from(`${KEY.id}:${KEY.api_key}`).toString('base64')}`;

const search: TaskJob = {
  name: 'search',
  operation: searchJob({ name: 'all', body: { size: 0 } }),
  executor: { kind: 'constant-rate', perSecond: 100, maxClients: 20 },
};

interface Node {
  kibana: KibanaServices;
  lending: SeatLending;
  tasks: FakeTaskNode;
}

let folder: string;
let client: Connection;
let objects: FakeSavedObjects;
let manager: ReturnType<typeof fakeTaskManager>;
let target: Target;
let node: string;
let asked: Map<string, number>;
let nodes: Node[];
let polling: NodeJS.Timeout;

beforeAll(buildWorker);

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'dyno-kibana-seats-'));
  client = new Connection({ hosts: [url()] });
  objects = fakeSavedObjects();
  manager = fakeTaskManager();
  asked = new Map();
  target = new Target((_, { headers }) => {
    const key = headers.authorization ?? '';
    asked.set(key, (asked.get(key) ?? 0) + 1);
    return { status: 200, body: FOUND, after: 2 };
  });
  node = await target.listen();
  nodes = [startNode(), startNode()];
  // Polls the nodes in changing order.
  polling = setInterval(() => {
    nodes.forEach(({ tasks }) => setTimeout(() => void tasks.poll(), Math.random() * 400));
  }, 500);
});
afterEach(async () => {
  clearInterval(polling);
  for (const { lending } of nodes) await lending.close('the test is over');
  await target.close();
  await client.close();
  rmSync(folder, { recursive: true, force: true });
});

function startNode(): Node {
  const tasks = manager.node();
  const kibana = fakeKibanaServices({ client, objects, taskManager: tasks, folder });
  const lending = new SeatLending({ kibana, workerFile: WORKER, corpora: folder });
  tasks.registerTaskDefinitions(seatTaskDefinitions('9.5.3', () => lending));
  return { kibana, lending, tasks };
}

async function carry(seats: Seats): Promise<LoadOutcome> {
  const going = prepareLoad(job(node, [search], { measureMs: 2000, warmupMs: 1000 }), {
    workerFile: '',
    seating: seats.seating([]),
    onSample: () => undefined,
  });
  const leadMs = await going.ready;
  going.begin(Date.now() + leadMs);
  return await going.done;
}

/**
 * Checks that both nodes of Kibana together had to send 300 requests, at most 150 each. Returns how many were really sent. On a busy
 * machine, the last requests may not be sent before the end.
 */
function expectAllDue({ tasks, seats }: LoadOutcome): number {
  const attempted = seats.map((seat) => seat.attempted);
  expect(attempted).toHaveLength(2);
  expect(Math.max(...attempted)).toBeLessThanOrEqual(150);
  const sent = attempted.reduce((all, one) => all + one, 0);
  expect(sent + tasks[0]!.unsent).toBe(300);
  return sent;
}

const complete = (seats: Seats): Promise<void> =>
  seats.complete({ withinMs: 40_000, onChange: () => undefined }, new AbortController().signal);

test('each of two nodes takes a seat and uses the key of the run, and a third replaces the one that stops', async () => {
  const secrets = createSecrets(objects.client, objects.encrypted, undefined);
  const actor = await becomeActor(
    nodes[0]!.kibana,
    { key: KEY, shared: await shareKey(secrets, KEY), giveBack: () => Promise.resolve() },
    { space: undefined, corpora: folder },
  );
  const seats = await openSeats(actor.results, {
    run: { id: `kibana-${Date.now()}`, experiment: 'seats' },
    coordinator: thisProcess(),
    version: 'test',
    seats: 2,
    workers: 1,
    // Both run on this machine.
    shareMachine: true,
    onNote: () => undefined,
  });
  const run = 'the run';
  const recruitment = await actor.recruitSeats!({ run, bus: seats.index, seats: 2, target: 'local' });
  try {
    await complete(seats);
    expect(nodes.map(({ lending }) => lending.runs)).toEqual([[run], [run]]);
    const outcome = await carry(seats);
    expect(outcome.tasks[0]!.offered).toBe(200);
    // The documents by which the processes communicate do not contain the key. Each node has decrypted it.
    expect([...asked]).toEqual([[AUTHORIZATION, expectAllDue(outcome)]]);
    const bus = await ask('GET', `${url()}/${seats.index}/_search?size=1000`);
    expect(JSON.stringify(bus.body)).not.toContain(KEY.api_key);
    expect(JSON.stringify(bus.body)).not.toContain(AUTHORIZATION.slice(7));

    nodes.push(startNode());
    nodes[1]!.tasks.kill();
    await nodes[1]!.lending.close('Kibana was stopped');
    await until('the coordinator notices it', () => seats.taken.length === 1);
    // The task of a node checks again within half a minute.
    await complete(seats);
    expect(nodes.map(({ lending }) => lending.runs)).toEqual([[run], [], [run]]);
    expectAllDue(await carry(seats));
  } finally {
    await recruitment.close();
    await seats.close('the run is over');
    await actor.close();
  }
  expect(manager.ids()).toEqual([]);
  expect(Object.keys((await ask('GET', `${url()}/${BUS_PREFIX}*`)).body)).toEqual([]);
});
