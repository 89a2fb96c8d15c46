import { findLimit, limitOfCell, type Limit } from './limiting-factor';
import {
  unknownNode,
  type LoadFigures,
  type NodeFigures,
  type TrialFigures,
} from './limiting-factor-figures';
import { RULES } from './limiting-factor-rules';

const idleNode = (name: string, more: Partial<NodeFigures> = {}): NodeFigures => ({
  ...unknownNode(name),
  cores: 8,
  cpuShare: 0.3,
  networkBytesPerSecond: 10e6,
  networkCapacity: 125e6,
  ...more,
  shares: { iowait: 0.01, 'disk.busy': 0.2, gc: 0.01, ...more.shares },
});

const idlePool = { completed: 10_000, rejected: 0, queueShare: 0.1 };
const closed: LoadFigures = { pace: 'closed', clients: 2, thinks: false };

/** Returns a trial in which all metrics are known and no resource is at its limit. */
const idle = (more: Partial<TrialFigures> = {}, node: Partial<NodeFigures> = {}): TrialFigures => ({
  nodes: [idleNode('es-1', node), idleNode('es-2')],
  write: idlePool,
  search: idlePool,
  pressure: { rejected: 0, requests: 1000 },
  indexingThrottledShare: 0,
  generator: { limited: false, reason: '' },
  parsing: null,
  load: closed,
  ...more,
});

const refusing = { completed: 900, rejected: 100, queueShare: null };

test.each<[string, TrialFigures, string, string]>([
  [
    'generator',
    idle({ generator: { limited: true, reason: 'its threads were busy' } }),
    'generator',
    'its threads were busy',
  ],
  ['gc', idle({}, { shares: { gc: 0.1 } }), 'gc', '10% of the time in GC pauses on es-1'],
  [
    'disk wait',
    idle({}, { shares: { iowait: 0.1 } }),
    'disk wait',
    '10% of the CPU time waiting for disks on es-1',
  ],
  ['cpu', idle({}, { cpuShare: 0.85 }), 'cpu', '85% of 8 cores busy on es-1'],
  ['network', idle({}, { networkBytesPerSecond: 100e6 }), 'network', '95.4 MB/s of 119 MB/s on es-1'],
  [
    'merge throttling',
    idle({ indexingThrottledShare: 0.05 }),
    'merge throttling',
    'indexing into a shard throttled to one thread for 5% of the time',
  ],
  [
    'indexing pressure',
    idle({ pressure: { rejected: 10, requests: 1000 } }),
    'indexing pressure',
    '10 rejections by indexing pressure in 1,000 bulk requests',
  ],
  [
    'write queue',
    idle({ write: refusing }),
    'write queue',
    '10% of the write pool’s work rejected (100 of 1,000)',
  ],
  [
    'search queue',
    idle({ search: { ...idlePool, queueShare: 0.8 } }),
    'search queue',
    'search queue 80% full on average',
  ],
])('finds %s at its threshold, with its figure', (_, figures, name, why) => {
  expect(findLimit(figures)).toMatchObject({ name, why, also: [] });
});

test.each<[string, TrialFigures, string[]]>([
  [
    'collections before the CPU time that they take',
    idle({}, { shares: { gc: 0.2 }, cpuShare: 0.9 }),
    ['gc', 'cpu'],
  ],
  [
    'the disk before the merges that it holds up',
    idle({ indexingThrottledShare: 0.5 }, { shares: { iowait: 0.3 } }),
    ['disk wait', 'merge throttling'],
  ],
  [
    'the CPU before the queue that it fills',
    idle({ write: refusing }, { cpuShare: 0.95 }),
    ['cpu', 'write queue'],
  ],
  [
    'the generator before everything',
    idle({ generator: { limited: true, reason: 'busy' } }, { cpuShare: 0.95 }),
    ['generator', 'cpu'],
  ],
])('names %s', (_, figures, names) => {
  const { name, also } = findLimit(figures);
  expect([name, ...also.map(({ resource }) => resource)]).toEqual(names);
});

test('judges by the busiest node, not by the mean', () => {
  const nodes = [idleNode('es-1'), idleNode('es-2', { cpuShare: 0.97 }), idleNode('es-3')];
  expect(findLimit(idle({ nodes }))).toMatchObject({ name: 'cpu', why: '97% of 8 cores busy on es-2' });
});

test('says that the CPU of a shared machine includes the load generator', () => {
  const nodes = [idleNode('es-1', { cpuShare: 0.93, cores: 2, withGenerator: true })];
  expect(findLimit(idle({ nodes })).why).toBe('93% of 2 cores busy, the load generator included');
});

test('says for a closed load without a limit that more clients may bring more, and what is nearest to its limit', () => {
  expect(findLimit(idle({}, { cpuShare: 0.5 }))).toMatchObject({
    name: 'none found',
    why: 'more clients than 2 may bring more: 50% of 8 cores busy on es-1',
    evidence: [{ resource: 'cpu', value: 0.5, from: 0.85 }],
  });
  const thinking: LoadFigures = { pace: 'closed', clients: 100, thinks: true };
  expect(findLimit(idle({ load: thinking })).why).toMatch(
    /^more clients than 100, or less time to think, may/,
  );
});

describe('an offered rate', () => {
  const met: LoadFigures = { pace: 'rate met', clients: null, thinks: false };

  test('that was met is the limit itself', () => {
    expect(findLimit(idle({ load: met }))).toMatchObject({
      name: 'none found',
      why: 'the offered rate was met: 30% of 8 cores busy on es-1',
    });
  });

  test('that was met with busy machines is still the limit, and little capacity is left', () => {
    expect(findLimit(idle({ load: met }, { cpuShare: 0.9 }))).toMatchObject({
      name: 'none found',
      why: 'the offered rate was met, with little capacity left: 90% of 8 cores busy on es-1',
      also: [{ resource: 'cpu' }],
    });
  });

  test('that was sent but rejected was not met by the target, and the cause takes precedence', () => {
    expect(findLimit(idle({ load: met, write: refusing })).name).toBe('write queue');
    expect(findLimit(idle({ load: met, write: refusing }, { cpuShare: 0.9 })).name).toBe('cpu');
  });

  test('that was missed without a known limit is reported as that', () => {
    const { name, why } = findLimit(idle({ load: { ...met, pace: 'rate missed' } }));
    expect(name).toBe('none found');
    expect(why).toMatch(/^the offered rate was missed, but no resource that could be judged/);
  });
});

describe('a missing metric', () => {
  const blind = (busy: number | null): TrialFigures =>
    idle({ nodes: [idleNode('es-1', { shares: { iowait: null, 'disk.busy': busy } })] });

  test('is unknown, never idle', () => {
    const nothing = idle({
      nodes: [],
      write: null,
      search: null,
      pressure: null,
      indexingThrottledShare: null,
    });
    const { name, why, ruledOut, unknown } = findLimit(nothing);
    expect(name).toBe('none found');
    expect(why).toBe('no resource of the target could be judged');
    expect(ruledOut.map(({ resource }) => resource)).toEqual(['generator']);
    expect(unknown.map(({ resource }) => resource)).toEqual([
      'gc',
      'disk wait',
      'cpu',
      'network',
      'merge throttling',
      'indexing pressure',
      'write queue',
      'search queue',
    ]);
    for (const { why: reason } of unknown) expect(reason).not.toMatch(/^$|undefined|NaN|Infinity/);
  });

  test('of one node prevents that a resource is ruled out, but not that it is the limit', () => {
    const silent = unknownNode('es-2');
    const { unknown } = findLimit(idle({ nodes: [idleNode('es-1'), silent] }));
    expect(unknown).toContainEqual({
      resource: 'cpu',
      why: 'not all nodes report it; for the others: 30% of 8 cores busy on es-1',
    });
    expect(findLimit(idle({ nodes: [idleNode('es-1', { cpuShare: 0.9 }), silent] })).name).toBe('cpu');
  });

  test('of disk wait is replaced by a disk that was nearly always busy, or hardly ever', () => {
    expect(findLimit(blind(0.95))).toMatchObject({
      name: 'disk wait',
      why: 'busiest disk busy for 95% of the time',
    });
    expect(findLimit(blind(0.05)).ruledOut.map(({ resource }) => resource)).toContain('disk wait');
  });

  test.each([[0.5], [null]])(
    'of disk wait stays unknown with a disk that was busy for %p of the time',
    (busy) => {
      const { name, unknown } = findLimit(blind(busy));
      expect(name).toBe('none found');
      expect(unknown).toContainEqual({
        resource: 'disk wait',
        why: expect.stringMatching(
          busy === null
            ? /the collector on their hosts would$/
            : /; a disk was busy for 50% of the time, which neither shows nor rules out this limit$/,
        ),
      });
    },
  );

  test('ignores a busy disk if a small disk wait is known', () => {
    expect(findLimit(idle({}, { shares: { iowait: 0.02, 'disk.busy': 0.99 } })).name).toBe('none found');
  });
});

describe('the limit of a cell', () => {
  const cpu = (cpuShare: number): Limit => findLimit(idle({}, { cpuShare }));
  const none = findLimit(idle());

  test('is the most frequent one, with the evidence of the clearest trial', () => {
    expect(limitOfCell([cpu(0.9), none, cpu(0.96)])).toMatchObject({
      name: 'cpu',
      why: '96% of 8 cores busy on es-1',
      trials: 2,
      of: 3,
      otherwise: [{ name: 'none found', trials: 1 }],
    });
  });

  test('is the one that takes precedence among equally frequent ones', () => {
    const gc = findLimit(idle({}, { shares: { gc: 0.3 } }));
    expect(limitOfCell([none, cpu(0.9), gc])?.name).toBe('gc');
    expect(limitOfCell([none, cpu(0.9)])?.name).toBe('cpu');
  });

  test('does not exist without trials', () => {
    expect(limitOfCell([])).toBeNull();
  });
});

test('every rule gives its reason and its source', () => {
  for (const { reason, source, from, clearBelow = from } of RULES) {
    expect(reason.length).toBeGreaterThan(20);
    expect(source.length).toBeGreaterThan(10);
    expect(clearBelow).toBeLessThanOrEqual(from);
  }
});
