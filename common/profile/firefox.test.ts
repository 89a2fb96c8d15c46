import { firefoxProfile, type FirefoxProfile } from './firefox';
import { totalOf, type Stacks } from './stacks';

const ABOUT = { title: 'refresh', started: '2026-11-27T10:00:00.000Z', unit: 'us' } as const;

const RUN = 'java.lang.Thread.run';
const ENGINE = 'org.elasticsearch.index.engine.InternalEngine.index';
const MERGE = 'org.apache.lucene.index.SegmentMerger.merge';
const POSTINGS = 'org.apache.lucene.index.SegmentMerger.mergeTerms';

const STACKS: Stacks = new Map([
  [`dyno-1;write;${RUN};${ENGINE};Tool.pack`, 1500],
  [`dyno-1;write;${RUN};${ENGINE}`, 500],
  [`dyno-1;Lucene Merge Thread;${RUN};${MERGE};${POSTINGS};Tool.pack`, 4000],
  [`dyno-2;write;${RUN};${RUN};Unknown.call`, 20],
  ['dyno-2;GC Thread', 7],
  ['dyno-2;main;Unknown.call', 3],
]);

/** Returns the names of the frames of a sample, the outermost one first, each with its category and subcategory. */
function framesOf({ meta, shared }: FirefoxProfile, stack: number): string[] {
  const { frameTable, funcTable, stackTable, stringArray } = shared;
  const frame = stackTable.frame[stack]!;
  const category = meta.categories[frameTable.category[frame]!]!;
  const name = stringArray[funcTable.name[frameTable.func[frame]!]!]!;
  const own = `${name}: ${category.name}, ${category.subcategories[frameTable.subcategory[frame]!]}`;
  const prefix = stackTable.prefix[stack]!;
  return [...(prefix === null ? [] : framesOf({ meta, shared } as FirefoxProfile, prefix)), own];
}

const isIndex = (index: number | null, length: number): boolean =>
  Number.isInteger(index) && index! >= 0 && index! < length;

test.each([
  ['several nodes', STACKS],
  ['no stacks', new Map<string, number>()],
])('all columns of a table have its length, and all indices are in range: %s', (_, stacks) => {
  const { meta, shared, threads } = firefoxProfile(stacks, ABOUT);
  const { stringArray, ...named } = shared;
  const tables = [...Object.values(named), ...threads.flatMap(({ samples, markers }) => [samples, markers])];
  for (const { length, ...columns } of tables)
    for (const column of Object.values(columns).filter(Array.isArray)) expect(column).toHaveLength(length);

  const { funcTable, frameTable, stackTable } = shared;
  for (const name of funcTable.name) expect(isIndex(name, stringArray.length)).toBe(true);
  for (const func of frameTable.func) expect(isIndex(func, funcTable.length)).toBe(true);
  frameTable.category.forEach((category, frame) => {
    const { subcategories } = meta.categories[category]!;
    expect(isIndex(frameTable.subcategory[frame]!, subcategories.length)).toBe(true);
  });
  for (const frame of stackTable.frame) expect(isIndex(frame, frameTable.length)).toBe(true);
  stackTable.prefix.forEach((prefix, stack) => expect(prefix === null || isIndex(prefix, stack)).toBe(true));
  for (const { samples } of threads) {
    for (const stack of samples.stack) expect(isIndex(stack, stackTable.length)).toBe(true);
    expect(samples.time).toEqual(samples.time.toSorted((one, other) => one - other));
  }
  expect(new Set(threads.map(({ tid }) => tid)).size).toBe(threads.length);
});

test('each thread pool of a node is a thread, the one with the most CPU time first', () => {
  const { threads } = firefoxProfile(STACKS, ABOUT);
  expect(
    threads.map(({ pid, name, samples }) => [pid, name, samples.weight.reduce((sum, ms) => sum + ms, 0)]),
  ).toEqual([
    ['dyno-1', 'Lucene Merge Thread', 4],
    ['dyno-1', 'write', 2],
    ['dyno-2', 'write', 0.02],
    ['dyno-2', 'GC Thread', 0.007],
    ['dyno-2', 'main', 0.003],
  ]);
});

test('the category of a frame is the activity of the stack up to it', () => {
  const profile = firefoxProfile(STACKS, ABOUT);
  expect(
    profile.threads.flatMap(({ samples }) => samples.stack.map((stack) => framesOf(profile, stack))),
  ).toEqual([
    [
      `${RUN}: merges, Other`,
      `${MERGE}: merges, Other`,
      `${POSTINGS}: merges, merging postings`,
      'Tool.pack: merges, merging postings',
    ],
    [`${RUN}: indexing, Other`, `${ENGINE}: indexing, Other`],
    [`${RUN}: indexing, Other`, `${ENGINE}: indexing, Other`, 'Tool.pack: indexing, Other'],
    [`${RUN}: indexing, Other`, `${RUN}: indexing, Other`, 'Unknown.call: indexing, Other'],
    ['GC Thread: garbage collection, Other'],
    ['Unknown.call: Other, Other'],
  ]);
});

test('the first category is the default of the format: grey, and each category begins with the subcategory Other', () => {
  const { categories } = firefoxProfile(STACKS, ABOUT).meta;
  expect(categories.filter(({ color }) => color === 'grey')).toEqual([categories[0]]);
  for (const { subcategories } of categories) expect(subcategories[0]).toBe('Other');
  expect(new Set(categories.map(({ name }) => name)).size).toBe(categories.length);
});

test('weights of allocations are bytes', () => {
  const { threads } = firefoxProfile(STACKS, { ...ABOUT, unit: 'bytes' });
  expect(new Set(threads.map(({ samples }) => samples.weightType))).toEqual(new Set(['bytes']));
  const weights = threads.flatMap(({ samples }) => samples.weight);
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(totalOf(STACKS));
});
