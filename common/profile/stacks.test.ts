import { activityOf } from './activities';
import {
  charactersOf,
  collapse,
  foldRare,
  framesOf,
  fromText,
  mergeStacks,
  partsOf,
  poolOf,
  shortFrame,
  stackOf,
  toText,
  totalOf,
  type Stacks,
} from './stacks';

test.each([
  ['elasticsearch[dyno-1][write][T#12]', 'write'],
  ['opensearch[dyno-1][clusterManagerService#updateTask][T#1]', 'clusterManagerService#updateTask'],
  ['elasticsearch[dyno-1][[timer]]', 'timer'],
  ['elasticsearch[keepAlive/9.5.3]', 'keepAlive'],
  ['elasticsearch[dyno-1][file-watcher[/etc/elasticsearch/operator/settings.json]]', 'file-watcher'],
  ['elasticsearch[dyno-1][products][[products][0]: Lucene Merge Thread #3]', 'Lucene Merge Thread'],
  ['G1 Conc#0', 'G1 Conc'],
  ['C2 CompilerThread0', 'C2 CompilerThread'],
  ['pool-3-thread-14', 'pool-thread'],
  ['process reaper (pid 4711)', 'process reaper'],
  ['17', 'other'],
])('threads of the same kind have the same pool: %s', (thread, pool) => {
  expect(poolOf(thread, 'dyno-1')).toBe(pool);
  // The activity of a stored stack is the same as that of the thread.
  expect(activityOf({ frames: [], thread: `[${pool}]` })).toBe(activityOf({ frames: [], thread }));
});

test('a reading becomes stacks with the outermost frame first, and equal stacks are added up', () => {
  const thread = (number: number, weight: number) => ({
    thread: `elasticsearch[a;b][write][T#${number}]`,
    weight,
    frames: ['x.Y.inner', 'x.Y.outer'],
  });
  const reading = [
    { nodeId: '1', nodeName: 'a;b', threads: [thread(1, 5750), thread(2, 1000), thread(3, 0.1)] },
    { nodeId: '2', nodeName: 'c', threads: [{ thread: 'Common-Cleaner', weight: 2000, frames: [] }] },
  ];
  const stacks = collapse(reading);
  expect(Object.fromEntries(stacks)).toEqual({
    'a_b;write;x.Y.outer;x.Y.inner': 6750,
    'c;Common-Cleaner': 2000,
  });
  expect(partsOf('a_b;write;x.Y.outer;x.Y.inner')).toEqual({
    node: 'a_b',
    pool: 'write',
    frames: ['x.Y.outer', 'x.Y.inner'],
  });
  expect(totalOf(mergeStacks([stacks, stacks]))).toBe(17_500);
});

test('the text contains sorted lines, and reading it returns the same stacks', () => {
  const stacks: Stacks = new Map([
    ['n;Lucene Merge Thread;b', 2],
    ['n;Lucene Merge Thread;a', 1],
  ]);
  const text = toText(stacks);
  expect(text).toBe('n;Lucene Merge Thread;a 1\nn;Lucene Merge Thread;b 2\n');
  expect(charactersOf(stacks)).toBe(text.length);
  expect(fromText(text)).toEqual(stacks);
});

test('lines without a stack or a positive whole weight are skipped, and deep stacks are cut', () => {
  const deep = Array.from({ length: 5000 }, (_, frame) => `f${frame}`).join(';');
  const stacks = fromText(
    `a;b;c 1\r\na;b 0\na;b -3\na;b 1.5\n 7\nx\n\na;b 99999999999999999999\n${deep} 2\n`,
  );
  expect([...stacks.values()]).toEqual([1, 2]);
  expect([...stacks.keys()][0]).toBe('a;b;c');
  expect(partsOf([...stacks.keys()][1]!).frames).toHaveLength(1000);
});

test.each([
  [{}, { 'a;b': 5, c: 4, '': 8 }],
  [{ node: 'n1' }, { 'a;b': 3, c: 4 }],
  [{ pool: 'write' }, { 'a;b': 3 }],
  [{ node: 'n1', pool: 'write' }, { 'a;b': 1 }],
  [{ node: 'n3' }, {}],
])('stacks can be chosen by node and pool: %j', (filter, expected) => {
  const stacks = new Map([
    ['n1;write;a;b', 1],
    ['n1;search;a;b', 2],
    ['n2;write;a;b', 2],
    ['n1;search;c', 4],
    ['n2;G1 Conc', 8],
  ]);
  expect(Object.fromEntries(framesOf(stacks, filter))).toEqual(expected);
});

/** Two heavy stacks, and `rare` light ones below one of them. */
const withRare = (rare: number): Stacks =>
  new Map([
    [stackOf({ node: 'n', pool: 'write', frames: ['heavy', 'left'] }), 1_000_000],
    [stackOf({ node: 'n', pool: 'write', frames: ['heavy', 'right'] }), 500_000],
    ...Array.from({ length: rare }, (_, number): [string, number] => [
      `n;write;heavy;right;rare-${number};inner`,
      1,
    ]),
  ]);

test('short stacks stay unchanged', () => {
  const stacks = withRare(10);
  expect(foldRare(stacks, 10_000)).toEqual({ stacks, folded: 0 });
});

test('only light calls become a part of their callers, and the total stays the same', () => {
  const stacks = withRare(1000);
  const { stacks: short, folded } = foldRare(stacks, 1000);
  expect({ short: Object.fromEntries(short), folded }).toEqual({
    short: { 'n;write;heavy;left': 1_000_000, 'n;write;heavy;right': 501_000 },
    folded: 1000,
  });
});

test('nodes and pools remain, and weight that is folded several times counts once', () => {
  const stacks = withRare(1000);
  const { stacks: short, folded } = foldRare(stacks, 0);
  expect({ short: Object.fromEntries(short), folded }).toEqual({
    short: { 'n;write': 1_501_000 },
    folded: 1_501_000,
  });
});

test.each([
  ['org.apache.lucene.index.SegmentMerger.mergeTerms', 'SegmentMerger.mergeTerms'],
  ['java.util.concurrent.ThreadPoolExecutor$Worker.run', 'ThreadPoolExecutor$Worker.run'],
  ['G1ParallelCleaningTask::work', 'G1ParallelCleaningTask::work'],
  ['libc.so.6', 'libc.so.6'],
])('a short name of %s has no package', (name, short) => {
  expect(shortFrame(name)).toBe(short);
});
