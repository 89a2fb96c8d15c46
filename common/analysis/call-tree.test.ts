import type { Plan } from '../experiment/plan';
import { callTree, profileDesign, type CallTree, type FrameChange, type TrialStacks } from './call-tree';

const DESIGN = { order: 'interleaved', trials: 5, isApart: false } as const;

/** Returns the trials of a cell, one per element, in the order of the repetitions. */
const trials = (cell: number, ...stacks: Record<string, number>[]): TrialStacks[] =>
  stacks.map((own, repetition) => ({
    cell,
    repetition,
    order: 2 * repetition + cell,
    stacks: new Map(Object.entries(own)),
    samples: 100,
  }));

/** Returns one line per frame: its path and its share, and its share in the reference cell. */
const lines = ({ names, parents, shares, against }: CallTree): string[] => {
  const paths: string[] = [];
  return names.map((name, frame) => {
    paths.push(frame === 0 ? name : `${paths[parents[frame]!]} > ${name}`);
    const other = against === null ? '' : ` ${against[frame]!.toFixed(2)}`;
    return `${paths[frame]} ${shares[frame]!.toFixed(2)}${other}`;
  });
};

test('a tree contains each frame once, with the mean of its shares in the trials', () => {
  const cell = trials(0, { 'run;write;index': 30, 'run;write': 30, 'run;search': 40 }, { 'run;search': 7 });
  expect(lines(callTree(cell, null, DESIGN))).toEqual([
    'all 1.00',
    'all > run 1.00',
    'all > run > search 0.70',
    'all > run > write 0.30',
    'all > run > write > index 0.15',
  ]);
});

test('frames whose names begin alike are different, and so is the same frame below different parents', () => {
  const cell = trials(0, { ab: 1, 'ab;c': 1, 'ab;cd': 1, abc: 1, 'abc;cd': 1, a: 1, 'a;c;cd': 2 });
  expect(lines(callTree(cell, null, DESIGN)).map((line) => line.replace(/ [\d.]+$/, ''))).toEqual([
    'all',
    'all > a',
    'all > a > c',
    'all > a > c > cd',
    'all > ab',
    'all > ab > c',
    'all > ab > cd',
    'all > abc',
    'all > abc > cd',
  ]);
});

test('the order of stacks does not matter, and a frame of which stacks end is one frame', () => {
  const cell = trials(0, { 'b;c': 1, 'a;b': 3, 'a$1;b': 1, a: 2, 'b;d': 1, 'a;c': 1, 'a b': 1 });
  expect(lines(callTree(cell, null, DESIGN, 0.5))).toEqual(['all 1.00', 'all > a 0.60']);
  expect(lines(callTree(cell, null, DESIGN))).toHaveLength(10);
});

test('a comparison contains the frames of both cells', () => {
  const tree = callTree(trials(1, { 'a;b': 1, a: 3 }), trials(0, { 'a;c': 1, d: 1 }), DESIGN);
  expect(lines(tree)).toEqual([
    'all 1.00 1.00',
    'all > a 1.00 0.50',
    'all > a > b 0.25 0.00',
    'all > a > c 0.00 0.50',
    'all > d 0.00 0.50',
  ]);
});

test('frames that are rare in both cells are left out, and their parents include their weight', () => {
  const rare = { 'a;b': 1, 'a;c': 999_999 };
  expect(lines(callTree(trials(0, rare), null, DESIGN))).toEqual([
    'all 1.00',
    'all > a 1.00',
    'all > a > c 1.00',
  ]);
  expect(lines(callTree(trials(0, rare), trials(1, { 'a;b': 1 }), DESIGN))).toHaveLength(4);
});

test('trials without weight do not change the shares', () => {
  const cell = trials(0, { a: 1 }, {}, { a: 0 });
  expect(lines(callTree(cell, [], DESIGN))).toEqual(['all 1.00 0.00', 'all > a 1.00 0.00']);
  expect(lines(callTree([], null, DESIGN))).toEqual(['all 0.00']);
});

test('a frame has the activity of the stack that ends with it', () => {
  const stack = [
    'java.lang.Thread.run',
    'org.elasticsearch.action.bulk.TransportShardBulkAction.performOnPrimary',
    'org.apache.lucene.index.IndexWriter.updateDocument',
    'org.apache.lucene.analysis.standard.StandardTokenizerImpl.getNextToken',
    'java.lang.Character.codePointAt',
  ].join(';');
  expect(callTree(trials(0, { [stack]: 1 }), null, DESIGN).activities).toEqual([
    null,
    null,
    'indexing',
    'indexing',
    'analysis',
    'analysis',
  ]);
});

test.each([
  ['cells in one environment', ['A', 'A'], [0, 1, 1, 0], false],
  ['cells in environments that alternate', ['A', 'B'], [0, 1, 1, 0], false],
  ['cells whose environments followed each other', ['A', 'B'], [0, 0, 1, 1], true],
])('the design of %s', (_, environments, order, isApart) => {
  const plan = {
    cells: environments.map((id) => ({ definition: { environment: { labels: { id } } } })),
    trials: order.map((cell, at) => ({ cell, order: at, repetition: Math.floor(at / 2) })),
  } as unknown as Plan;
  expect(profileDesign({ order: 'interleaved', trials: 3 }, plan, 1, 0).isApart).toBe(isApart);
});

test('frames that are too rare have no change, and a frame that is always called by the same one has its change', () => {
  const own = Array.from({ length: 5 }, (_, at) => ({ 'a;b': 500 + at, 'c;d': 495 - at, 'c;e': 4, f: 1 }));
  const others = Array.from({ length: 5 }, (_, at) => ({ 'a;b': 200 + at, 'c;d': 795 - at, 'c;e': 4, f: 1 }));
  const { names, changes } = callTree(trials(1, ...own), trials(0, ...others), DESIGN);
  const of = (name: string): FrameChange | null => changes[names.indexOf(name)]!;
  expect(of('a')).toMatchObject({ difference: expect.closeTo(0.3), isDecided: true });
  expect(of('b')).toBe(of('a'));
  expect([of('all'), of('e'), of('f')]).toEqual([null, null, null]);
});

test('nothing is decided in cells that ran one after another', () => {
  const own = Array.from({ length: 5 }, () => ({ a: 1, b: 1 }));
  const others = Array.from({ length: 5 }, () => ({ a: 1 }));
  const cells = [trials(1, ...own), trials(0, ...others)] as const;
  expect(callTree(...cells, DESIGN)).toMatchObject({ undecidable: '' });
  expect(callTree(...cells, DESIGN).changes.at(-1)).toMatchObject({ isDecided: true });
  const sequential = callTree(...cells, { ...DESIGN, order: 'sequential' });
  expect(sequential.undecidable).toMatch('one after another');
  expect(sequential.changes.at(-1)).toMatchObject({ difference: 0.5, isDecided: false });
  expect(callTree(cells[0], null, { ...DESIGN, order: 'sequential' }).undecidable).toBe('');
});
