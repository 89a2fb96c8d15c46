/** Reproduces the section "Determining limiting factors" of the published benchmark azure-ingestion from its published values. */
import { findLimit, type LimitName } from './limiting-factor';
import { unknownNode, type NodeFigures, type TrialFigures } from './limiting-factor-figures';

/**
 * Returns a thread pool from a published table. `samples`: all requests, including rejected ones. The tables count requests, not tasks of
 * the thread pool.
 */
const pool = (samples: number, errors: number): TrialFigures['write'] => ({
  completed: samples - errors,
  rejected: errors,
  queueShare: null,
});

/**
 * Returns a trial with closed clients. Their number is throughput x response time. Values of the load generator and of garbage collection
 * were not published.
 */
const published = (
  clients: number,
  node: Partial<NodeFigures>,
  write: TrialFigures['write'],
): TrialFigures => ({
  nodes: [{ ...unknownNode('esdatavm2'), ...node }],
  write,
  search: null,
  pressure: null,
  indexingThrottledShare: null,
  generator: null,
  parsing: null,
  load: { pace: 'closed', clients, thinks: false },
});

const SMALL = published(
  6,
  { cores: 2, cpuShare: 0.7501, shares: { iowait: 0.2104 }, networkBytesPerSecond: 3_993_640.3 },
  pool(67_057, 0),
);
const MEDIUM = published(
  12,
  { cores: 4, cpuShare: 0.6493, shares: { iowait: 0.1448 }, networkBytesPerSecond: 7_311_689.9 },
  pool(123_483, 1),
);
const LARGE = published(
  23,
  { cores: 8, cpuShare: 0.6464, shares: { iowait: 0.1584 }, networkBytesPerSecond: 11_893_874.2 },
  pool(200_702, 3617),
);
/**
 * The published text says that the wait for disks was "around 1% on average". The CPU use is left out, because it is shown only in a chart.
 */
const PREMIUM = published(23, { cores: 8, shares: { iowait: 0.01 } }, pool(255_985 + 35_797, 35_797));
/** CPU use and waiting for disks are shown only in a chart. */
const EPHEMERAL = published(23, { cores: 8 }, pool(289_488, 33_862));
/** The publication states an error rate of 7.2%, without counts. Windows does not report waiting for disks. */
const WINDOWS = published(23, { cores: 8 }, pool(1000, 72));

test.each<[string, TrialFigures, LimitName, string, LimitName[]]>([
  [
    'small cluster: disk wait of 21.04%; the published benchmark does not say whether 75.01% CPU is a limit too, and for the rule it is not',
    SMALL,
    'disk wait',
    '21% of the CPU time waiting for disks',
    [],
  ],
  [
    'medium cluster: disk wait of 14.48%, which the published benchmark includes although its sentence begins at "nearly 16%"',
    MEDIUM,
    'disk wait',
    '14.5% of the CPU time waiting for disks',
    [],
  ],
  [
    'large cluster: the published benchmark then reduces the disk wait of 15.84%; full queues also rejected 1.8%',
    LARGE,
    'disk wait',
    '15.8% of the CPU time waiting for disks',
    ['write queue'],
  ],
  [
    'large cluster, premium disks: no more disk wait, 12.3% rejected; the published benchmark says "close to capacity" and gives no CPU',
    PREMIUM,
    'write queue',
    '12.3% of the write pool’s work rejected (35,797 of 291,782)',
    [],
  ],
  [
    'large cluster, ephemeral disks: 11.7% rejected; the cause cannot be determined from published values',
    EPHEMERAL,
    'write queue',
    '11.7% of the write pool’s work rejected (33,862 of 289,488)',
    [],
  ],
  [
    'large cluster, Windows: 7.2% refused; that the CPU was high is drawn, not printed',
    WINDOWS,
    'write queue',
    '7.2% of the write pool’s work rejected',
    [],
  ],
])('%s', (_, figures, name, why, also) => {
  const limit = findLimit(figures);
  expect(limit.name).toBe(name);
  expect(limit.why).toContain(why);
  expect(limit.also.map(({ resource }) => resource)).toEqual(also);
});

test('as in the published benchmark, CPU is not the limit of the large cluster, at 64.64% of 8 cores', () => {
  expect(findLimit(LARGE).ruledOut).toContainEqual(
    expect.objectContaining({ resource: 'cpu', value: 0.6464, text: '64.6% of 8 cores busy' }),
  );
});

test('one rejection in 123,483 is not a limit, as in the published benchmark', () => {
  expect(findLimit(MEDIUM).ruledOut).toContainEqual(
    expect.objectContaining({ resource: 'write queue', value: 1 / 123_483 }),
  );
});

test('the network is not judged: the published benchmark gives bytes/s without a capacity, and no conclusion', () => {
  expect(findLimit(LARGE).unknown).toContainEqual({
    resource: 'network',
    why: '11.3 MB/s, capacity unknown',
  });
});

test('GC is not judged: the published benchmark calls it low and gives no value', () => {
  expect(findLimit(LARGE).unknown.map(({ resource }) => resource)).toContain('gc');
});

test('CPU and disk wait that are only in a chart are unknown', () => {
  expect(findLimit(EPHEMERAL).unknown.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['cpu', 'disk wait']),
  );
});
