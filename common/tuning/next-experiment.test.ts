import { readDefinition, readDefinitionText } from '../experiment/read';
import type { LimitName } from '../analysis/limiting-factor';
import type { Resource } from '../analysis/limiting-factor-rules';
import { nextExperiment, nextExperimentText, type CellSeen, type PlaceSeen } from './next-experiment';
import { START } from './testing/simulated-target';

const LIMITS: readonly LimitName[] = [
  'generator',
  'parsing',
  'gc',
  'disk wait',
  'cpu',
  'network',
  'merge throttling',
  'indexing pressure',
  'write queue',
  'search queue',
  'none found',
];

type Work = NonNullable<CellSeen['server']>;

/** Work of nodes that did everything: indexing, searches, merges, refreshes. The load generator is on another machine. */
const BUSY: Work = {
  indexing: { docs: 1_000_000, timeMs: 50_000 },
  search: { queryMs: 10_000, fetchMs: 1000 },
  merges: { count: 40, timeMs: 20_000 },
  refresh: { count: 300, timeMs: 10_000 },
  flush: { timeMs: 1000 },
  busiest: { othersCpuShare: 0.02, generatorCpuShare: null },
};

interface Given {
  work?: Partial<Work> | null;
  levels?: Record<string, unknown>;
  also?: Resource[];
  ruledOut?: Resource[];
  unknown?: Resource[];
  settings?: Record<string, unknown>;
  factors?: Record<string, unknown[]>;
  /** Whether replicas were assigned. */
  copies?: boolean;
  place?: PlaceSeen;
}

const OTHER_MACHINE: PlaceSeen = { sharedMachine: false, generator: { cores: 8, workers: 4 } };

function next(name: LimitName, given: Given = {}) {
  const { index } = START as { index: { settings: object } };
  const definition = readDefinition({
    ...START,
    index: { ...index, settings: { ...index.settings, ...given.settings } },
    factors: given.factors ?? {},
  });
  const judged = (resources: Resource[] = []) => resources.map((resource) => ({ resource }) as never);
  const cell: CellSeen = {
    levels: { 'tasks.ingest.ingest.bulk.docs': 3000, ...given.levels },
    limit: {
      name,
      also: judged(given.also),
      ruledOut: judged(given.ruledOut),
      unknown: judged(given.unknown),
    },
    server: given.work === null ? null : { ...BUSY, ...given.work },
    state: { primaries: ['1'], shards: [given.copies === true ? '2' : '1'] },
  };
  const found = nextExperiment(definition, cell, given.place ?? OTHER_MACHINE);
  return { definition, cell, found, text: found?.text ?? '' };
}

const SMALL = { 'tasks.ingest.ingest.bulk.docs': 50 };
const NO_MERGES = { merges: { count: 0, timeMs: 0 } };
const FEW_MERGES = { merges: { count: 1, timeMs: 100 } };
const NO_REFRESHES = { refresh: { count: 0, timeMs: 0 } };
const SHORT_REFRESHES = { refresh: { count: 300, timeMs: 300 } };
const NO_INDEXING = { indexing: { docs: 0, timeMs: 0 } };

test.each<[limit: LimitName, given: string, Given, advice: RegExp]>([
  ['cpu', 'small bulks', { levels: SMALL }, /more clients or shards do not help; try larger bulks\.$/],
  ['cpu', 'refreshes that take time', {}, /try a longer refresh interval\.$/],
  ['cpu', 'no refreshes', { work: NO_REFRESHES }, /try a merge policy that merges less\.$/],
  ['cpu', 'refreshes that take hardly any time', { work: SHORT_REFRESHES }, /merges less\.$/],
  [
    'cpu',
    'neither refreshes nor merges',
    { work: { ...NO_REFRESHES, ...NO_MERGES } },
    /more nodes, or more cores/,
  ],
  ['cpu', 'few and short merges', { work: { ...NO_REFRESHES, ...FEW_MERGES } }, /more nodes, or more cores/],
  ['cpu', 'nothing indexed', { work: NO_INDEXING, levels: SMALL }, /more nodes, or more cores/],
  ['cpu', 'nothing known of the nodes', { work: null }, /more nodes, or more cores/],
  [
    'cpu',
    'compression',
    { work: NO_REFRESHES, settings: { codec: 'best_compression' } },
    /compression that costs less CPU/,
  ],
  [
    'cpu',
    'many segments allowed already',
    { work: NO_REFRESHES, settings: { 'merge.policy.segments_per_tier': 24 } },
    /more nodes, or more cores/,
  ],
  [
    'cpu',
    'a generator on the same machine',
    { work: { busiest: { othersCpuShare: 0, generatorCpuShare: 0.45 } } },
    /the load generator used 45% of it: generate the load on another machine/,
  ],
  ['disk wait', 'refreshes that take time', {}, /try a longer refresh interval\.$/],
  ['disk wait', 'no refreshes', { work: NO_REFRESHES }, /merges less\.$/],
  [
    'disk wait',
    'no merges either',
    { work: { ...NO_REFRESHES, ...NO_MERGES } },
    /faster disks, or more nodes/,
  ],
  [
    'disk wait',
    'copies that are assigned',
    { work: { ...NO_REFRESHES, ...NO_MERGES }, copies: true, settings: { number_of_replicas: 1 } },
    /try fewer replicas/,
  ],
  [
    'disk wait',
    'copies that no node takes',
    { work: { ...NO_REFRESHES, ...NO_MERGES }, settings: { number_of_replicas: 1 } },
    /faster disks, or more nodes/,
  ],
  ['network', 'no replicas', {}, /a faster network, or a load generator within it/],
  ['network', 'replicas', { copies: true, settings: { number_of_replicas: 1 } }, /try fewer replicas/],
  ['merge throttling', 'idle cores', {}, /try more merge threads/],
  ['merge throttling', 'busy cores', { also: ['cpu'], work: NO_REFRESHES }, /more nodes, or more cores/],
  ['merge throttling', 'busy disks', { also: ['disk wait'], work: NO_REFRESHES }, /try faster disks/],
  [
    'merge throttling',
    'no merge that ended, and idle disks',
    { work: { ...NO_MERGES, ...NO_REFRESHES }, ruledOut: ['disk wait'] },
    /more nodes, so that each has fewer merges/,
  ],
  ['gc', 'bulks', { levels: { 'tasks.ingest.ingest.bulk.docs': 1000 } }, /try smaller bulks/],
  ['gc', 'nothing indexed', { work: NO_INDEXING }, /try fewer clients/],
  ['indexing pressure', 'clients', {}, /try fewer clients/],
  ['write queue', 'clients', {}, /try fewer clients/],
  ['generator', 'cores left', {}, /more load threads/],
  [
    'generator',
    'a thread for each core',
    { place: { sharedMachine: false, generator: { cores: 4, workers: 4 } } },
    /on another machine, or on several/,
  ],
  [
    'generator',
    'the machine of the target',
    { place: { sharedMachine: true, generator: { cores: 8, workers: 2 } } },
    /on another machine, or on several/,
  ],
  ['parsing', 'cores left', {}, /more threads/],
  ['parsing', 'busy cores', { also: ['cpu'] }, /on a separate machine/],
  ['none found', 'all judged', {}, /^No resource was at its limit: try more clients\.$/],
  [
    'none found',
    'some not judged',
    { unknown: ['network'] },
    /^No resource that could be judged was at its limit/,
  ],
  ['none found', 'an offered rate that was met with little left', { also: ['cpu'] }, /^$/],
])('%s with %s', (limit, _, given, advice) => {
  expect(next(limit, given).text).toMatch(advice);
});

test.each(LIMITS)('other processes come first if the limit was %s', (limit) => {
  const busiest = { othersCpuShare: 0.76, generatorCpuShare: null };
  const { found } = next(limit, { work: { busiest }, levels: SMALL });
  expect(found).toEqual({
    text: 'Other processes used 76% of the CPU: stop them, or measure on machines without them, before you change anything else.',
    short: 'free the CPU',
    factor: null,
  });
});

test('other processes that use at most a fifth of the CPU are not the first thing to change', () => {
  const busiest = { othersCpuShare: 0.2, generatorCpuShare: null };
  expect(next('cpu', { work: { busiest } }).text).toMatch(/longer refresh interval/);
});

test('the suggestion for a full search queue is about the clients that search', () => {
  const { found } = next('search queue', {
    levels: { 'tasks.queries.executor.constant-clients.clients': 4 },
  });
  expect(found!.factor?.path).toContain('tasks.queries.');
  expect(next('write queue').found!.factor?.path).toContain('tasks.ingest.');
});

test('a change that the experiment has already measured is not suggested', () => {
  const factors = { 'index.settings.refresh_interval': ['1s', '30s'] };
  const { text } = next('cpu', { factors, levels: { 'index.settings.refresh_interval': '1s' } });
  expect(text).toMatch(/merges less/);
});

test('levels begin with the current value', () => {
  expect(next('cpu', { levels: SMALL }).found!.factor).toEqual({
    path: 'tasks.ingest.ingest.bulk.docs',
    levels: [50, 500],
  });
  expect(next('none found').found!.factor!.levels).toEqual([2, 4, 8]);
});

test.each(LIMITS)('the suggestion for %s is an experiment that the editor can parse', (limit) => {
  const { definition, cell, found } = next(limit, { levels: SMALL });
  const read = readDefinitionText(nextExperimentText(definition, cell.levels, found!), 'definition');
  expect(read.tasks[0]!.ingest!.bulk.docs).toBe(50);
  expect(Object.keys(read.factors)).toEqual(found!.factor === null ? [] : [found!.factor.path]);
});
