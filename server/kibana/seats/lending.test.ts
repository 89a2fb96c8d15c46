/**
 * Tests which Kibana nodes generate load for a run. Several nodes share a simulated Task Manager that is as strict as Kibana's. The tests
 * advance the clock.
 */
import { FakeBus } from '../../seats/testing/fake-bus';
import { CALL, BEAT, type Call } from '../../seats/bus';
import type { serveOn } from '../../seats/worker';
import type { KibanaServices } from '../kibana-services';
import { createSecrets, type Secrets } from '../secrets';
import { fakeKibanaServices } from '../testing/fake-kibana-services';
import { fakeSavedObjects } from '../testing/fake-saved-objects';
import { fakeTaskManager, type FakeTaskNode } from '../testing/fake-task-manager';
import { SeatLending } from './lending';
import { seatRecruiter } from './recruitment';
import { shareKey } from './shared-key';
import { seatTaskDefinitions } from './tasks';

const INDEX = 'dyno-seats-fake';
const KEY = { id: 'k', api_key: 'geheim' };
const SEATS = 2;

type Recruitment = Awaited<ReturnType<ReturnType<typeof seatRecruiter>>>;

interface Node {
  tasks: FakeTaskNode;
  lending: SeatLending;
  kibana: KibanaServices;
  /** Ends all load generation of the node, for all runs. */
  drop: () => void;
}

let bus: FakeBus;
let objects: ReturnType<typeof fakeSavedObjects>;
let manager: ReturnType<typeof fakeTaskManager>;
let secrets: Secrets;
/** Ids of the processes on the nodes that generate load for the run. In production, the process that executes the run keeps this list. */
let held: string[];
let beats: number;
let nodes: Node[];

const call: Call = {
  kind: 'call',
  run: { id: 'r', experiment: 'e' },
  coordinator: { host: 'h', pid: 1 } as Call['coordinator'],
  version: 'test',
  seats: SEATS,
  shareMachine: true,
};

async function beat(): Promise<void> {
  await bus.put(BEAT, { kind: 'beat', number: ++beats, seats: [...held] });
}

function addNode(
  { lend = true, version = 'test', capacity }: { lend?: boolean; version?: string; capacity?: number } = {},
  client = {} as never,
): Node {
  const tasks = manager.node(capacity);
  const kibana = fakeKibanaServices({ client, objects, taskManager: tasks, folder: '/nowhere' });
  kibana.config = { ...kibana.config, seats: { lend, labels: {} } };
  kibana.version = version;
  kibana.elasticsearch = () => ({ hosts: ['http://127.0.0.1:9'], ssl: { verificationMode: 'full' } });
  const ends: (() => void)[] = [];
  const name = `node-${nodes.length}`;
  const serve = ((_setting, _bus, _call, signal) =>
    new Promise((resolve) => {
      const offer = `${name}:${held.length}`;
      held.push(offer);
      const end = (): void => {
        held = held.filter((one) => one !== offer);
        resolve({ why: 'it ended', hadSeat: true });
      };
      ends.push(end);
      signal.addEventListener('abort', end);
    })) as typeof serveOn;
  const lending = new SeatLending({ kibana, workerFile: '', corpora: '', busOf: () => bus, serve });
  tasks.registerTaskDefinitions(seatTaskDefinitions('9.5.3', () => lending));
  const node = { tasks, lending, kibana, drop: () => ends.splice(0).forEach((end) => end()) };
  nodes.push(node);
  return node;
}

/**
 * Advances the time. Each second, every node executes its due tasks; newer versions of Kibana do so twice a second. `isCarried`: whether a
 * process executes the run and sends signs of life.
 */
async function pass(seconds: number, isCarried = true): Promise<void> {
  for (let second = 0; second < seconds; second++) {
    jest.setSystemTime(Date.now() + 1000);
    if (isCarried) await beat();
    // The order of the nodes is rotated, so that each node is first in turn.
    nodes.push(...nodes.splice(0, 1));
    for (const { tasks } of nodes) await tasks.poll();
  }
}

const recruit = async (node: Node, key: typeof KEY | null = KEY): Promise<Recruitment> =>
  await seatRecruiter({
    kibana: node.kibana,
    shared: key && (await shareKey(secrets, key)),
    space: undefined,
  })({ run: 'r', bus: INDEX, seats: SEATS, target: 'local' });

beforeEach(async () => {
  // Only the wall clock is simulated, because Task Manager uses it.
  jest.useFakeTimers({
    now: 1_800_000_000_000,
    doNotFake: ['performance', 'nextTick', 'setImmediate', 'setTimeout', 'clearTimeout', 'queueMicrotask'],
  });
  bus = new FakeBus();
  objects = fakeSavedObjects();
  manager = fakeTaskManager();
  secrets = createSecrets(objects.client, objects.encrypted, undefined);
  held = [];
  beats = 0;
  nodes = [];
  await bus.put(CALL, call);
  await beat();
});
afterEach(() => jest.useRealTimers());

test('each node takes one seat although the first could claim all tasks, and nothing is left after the run', async () => {
  const a = addNode({ capacity: 100 });
  const b = addNode();
  const recruitment = await recruit(a);
  expect(manager.ids()).toHaveLength(6);
  expect(objects.kept()).not.toContain(KEY.api_key);
  await pass(8);
  expect([a.lending.runs, b.lending.runs]).toEqual([['r'], ['r']]);
  // The tasks remain and keep checking whether the run has enough nodes.
  await pass(120);
  expect(held).toHaveLength(2);
  expect(manager.ids()).toHaveLength(6);
  await recruitment.close();
  expect(manager.ids()).toEqual([]);
});

test('a large task waits until a node has capacity for it', async () => {
  const a = addNode({ capacity: 9 });
  await recruit(a);
  await pass(10);
  expect(a.lending.runs).toEqual([]);
  const b = addNode({ capacity: 10 });
  await pass(5);
  expect(b.lending.runs).toEqual(['r']);
});

test('a node that may not lend, or has another version, takes no seat; another node gets the tasks they gave back', async () => {
  const others = [addNode({ lend: false }), addNode({ version: 'older' })];
  await recruit(others[0]!);
  await pass(60);
  expect(held).toEqual([]);
  const lenders = [addNode(), addNode()];
  // A task that was often given back runs again within 20 s, on any node.
  for (let waited = 0; held.length < SEATS && waited < 600; waited++) await pass(1);
  expect(others.map(({ lending }) => lending.runs)).toEqual([[], []]);
  expect(lenders.map(({ lending }) => lending.runs)).toEqual([['r'], ['r']]);
});

test('another node takes the seat of a dead node', async () => {
  const [a, b] = [addNode(), addNode()];
  await recruit(a);
  await pass(8);
  expect([a.lending.runs, b.lending.runs]).toEqual([['r'], ['r']]);
  const c = addNode();
  b.tasks.kill();
  b.drop();
  await pass(31);
  expect(c.lending.runs).toEqual(['r']);
  expect(held).toHaveLength(2);
});

test('a task whose node dies during a check runs again after its timeout', async () => {
  const a = addNode();
  const look = jest.spyOn(a.lending, 'look').mockImplementation(() => new Promise(() => undefined));
  await recruit(a);
  const polling = a.tasks.poll();
  expect(look).toHaveBeenCalled();
  a.tasks.kill();
  nodes = [];
  const b = addNode();
  jest.setSystemTime(Date.now() + 61_000);
  await beat();
  // Node b claims the tasks for which the dead node had no capacity.
  await b.tasks.poll();
  expect(b.lending.runs).toEqual(['r']);
  await pass(60);
  expect(manager.ids()).toHaveLength(6);
  void polling;
});

test('a node that stops gives its seat back and takes no new one', async () => {
  const a = addNode();
  await recruit(a);
  await pass(3);
  expect(a.lending.runs).toEqual(['r']);
  await a.lending.close('Kibana was stopped');
  expect(held).toEqual([]);
  await pass(40);
  expect(held).toEqual([]);
});

test('tasks of a run without a carrier end, and their stored key is removed', async () => {
  const a = addNode({ lend: false });
  await recruit(a);
  await pass(2);
  await pass(100, false);
  expect(manager.ids()).toEqual([]);
  expect(objects.kept()).not.toContain('secret');
});

test('tasks of a run whose index is gone end; they wait while the results cluster is unavailable', async () => {
  const a = addNode({ lend: false });
  await recruit(a, null);
  bus.isAway = true;
  await pass(100, false);
  expect(manager.ids()).toHaveLength(6);
  bus.isAway = false;
  bus.isGone = true;
  await pass(12, false);
  expect(manager.ids()).toEqual([]);
});

test('a run whose key cannot be stored for other nodes requests no seats from them, and reports why', async () => {
  const a = addNode();
  secrets = createSecrets(objects.client, undefined, undefined);
  const { advice } = await recruit(a);
  expect(advice).toContain('xpack.encryptedSavedObjects.encryptionKey');
  expect(manager.ids()).toEqual([]);
});

test('before 8.16 the task type has no cost, because Kibana would refuse it', () => {
  const old = fakeTaskManager({ knowsCost: false });
  old.registerTaskDefinitions(seatTaskDefinitions('8.3.3', () => undefined));
  expect(() =>
    fakeTaskManager({ knowsCost: false }).registerTaskDefinitions(
      seatTaskDefinitions('8.19.0', () => undefined),
    ),
  ).toThrow('cost');
});
