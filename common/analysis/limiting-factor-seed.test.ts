/** What the account azure-ingestion finds by hand under "Determining limiting factors", from the figures that it prints. */
import { findLimit, type LimitName } from './limiting-factor';
import { unknownNode, type NodeFigures, type TrialFigures } from './limiting-factor-figures';

/** Samples as its table counts them: all requests, the refused among them. Its tables count requests, not pool tasks. */
const pool = (samples: number, errors: number): TrialFigures['write'] => ({
  completed: samples - errors,
  rejected: errors,
  queueShare: null,
});

/** Closed clients; their number follows from throughput x response time. Of the generator and of GC no figure is printed. */
const account = (
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

const SMALL = account(
  6,
  { cores: 2, cpuShare: 0.7501, shares: { iowait: 0.2104 }, networkBytesPerSecond: 3_993_640.3 },
  pool(67_057, 0),
);
const MEDIUM = account(
  12,
  { cores: 4, cpuShare: 0.6493, shares: { iowait: 0.1448 }, networkBytesPerSecond: 7_311_689.9 },
  pool(123_483, 1),
);
const LARGE = account(
  23,
  { cores: 8, cpuShare: 0.6464, shares: { iowait: 0.1584 }, networkBytesPerSecond: 11_893_874.2 },
  pool(200_702, 3617),
);
/** "Around 1% on average"; the busier CPU is only drawn. */
const PREMIUM = account(23, { cores: 8, shares: { iowait: 0.01 } }, pool(255_985 + 35_797, 35_797));
/** CPU and disk wait are only drawn. */
const EPHEMERAL = account(23, { cores: 8 }, pool(289_488, 33_862));
/** An error rate of 7.2% is printed, no counts; disk wait cannot be had on Windows. */
const WINDOWS = account(23, { cores: 8 }, pool(1000, 72));

test.each<[string, TrialFigures, LimitName, string, LimitName[]]>([
  [
    'small cluster: disk wait of 21.04%; whether 75.01% CPU is a limit too, the account leaves open, the rule says no',
    SMALL,
    'disk wait',
    '21% of the CPU time waiting for disks',
    [],
  ],
  [
    'medium cluster: disk wait of 14.48%, which the account counts in although its sentence begins at "nearly 16%"',
    MEDIUM,
    'disk wait',
    '14.5% of the CPU time waiting for disks',
    [],
  ],
  [
    'large cluster: disk wait of 15.84% is what the account goes on to cure; the 1.8% refused by full queues are beside it',
    LARGE,
    'disk wait',
    '15.8% of the CPU time waiting for disks',
    ['write queue'],
  ],
  [
    'large cluster, premium disks: no more disk wait, 12.3% refused; the account says "close to capacity" and prints no CPU',
    PREMIUM,
    'write queue',
    '12.3% of the write pool’s work refused (35,797 of 291,782)',
    [],
  ],
  [
    'large cluster, ephemeral disks: 11.7% refused; what was behind it cannot be said from printed figures',
    EPHEMERAL,
    'write queue',
    '11.7% of the write pool’s work refused (33,862 of 289,488)',
    [],
  ],
  [
    'large cluster, Windows: 7.2% refused; that the CPU was high is drawn, not printed',
    WINDOWS,
    'write queue',
    '7.2% of the write pool’s work refused',
    [],
  ],
])('%s', (_, figures, name, why, also) => {
  const limit = findLimit(figures);
  expect(limit.name).toBe(name);
  expect(limit.why).toContain(why);
  expect(limit.also.map(({ resource }) => resource)).toEqual(also);
});

test('as in the account, CPU is no limit of the large cluster, at 64.64% of 8 cores', () => {
  expect(findLimit(LARGE).ruledOut).toContainEqual(
    expect.objectContaining({ resource: 'cpu', value: 0.6464, text: '64.6% of 8 cores busy' }),
  );
});

test('one refusal in 123,483 is no limit, as the account treats it', () => {
  expect(findLimit(MEDIUM).ruledOut).toContainEqual(
    expect.objectContaining({ resource: 'write queue', value: 1 / 123_483 }),
  );
});

test('the network stays unjudged: the account prints bytes/s and no capacity, and draws no conclusion', () => {
  expect(findLimit(LARGE).unknown).toContainEqual({
    resource: 'network',
    why: '11.3 MB/s, capacity unknown',
  });
});

test('GC stays unjudged: the account calls it low and prints no figure', () => {
  expect(findLimit(LARGE).unknown.map(({ resource }) => resource)).toContain('gc');
});

test('where CPU and disk wait are only drawn, both are said to be unknown', () => {
  expect(findLimit(EPHEMERAL).unknown.map(({ resource }) => resource)).toEqual(
    expect.arrayContaining(['cpu', 'disk wait']),
  );
});
