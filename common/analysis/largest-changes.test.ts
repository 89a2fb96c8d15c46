import type { CallTree, FrameChange } from './call-tree';
import { largestChanges } from './largest-changes';

const NAMES = { cell: '30s', against: '1s', event: 'cpu' } as const;

/** A frame: its name, its caller's index, its shares in the reference cell and in the cell, and whether the change is decided. */
type Frame = [name: string, parent: number, against: number, share: number, isDecided?: boolean];

function treeOf(frames: readonly Frame[], activities: readonly (string | null)[] = []): CallTree {
  return {
    names: frames.map(([name]) => name),
    parents: frames.map(([, parent]) => parent),
    activities: frames.map((_, at) => activities[at] ?? null),
    undecidable: '',
    shares: frames.map(([, , , share]) => share),
    against: frames.map(([, , against]) => against),
    changes: frames.map(([, , against, share, isDecided = true]): FrameChange => {
      const difference = share - against;
      const interval = { low: difference - 0.02, high: difference + 0.03, level: 0.95 };
      return { difference, interval, adjusted: interval, isDecided };
    }),
  };
}

const found = (
  frames: readonly Frame[],
  most?: number,
  activities?: readonly (string | null)[],
): string[] => {
  const tree = treeOf(frames, activities);
  return largestChanges(tree, NAMES, most).map(({ frame }) => tree.names[frame]!);
};

test('a sentence contains the activity, the frame, both shares and the difference with its interval', () => {
  const tree = treeOf(
    [
      ['all', -1, 1, 1, false],
      ['org.apache.lucene.index.SegmentMerger.mergeTerms', 0, 0.18, 0.06],
      ['write', 0, 0, 0.0321],
    ],
    [null, 'merge-postings'],
  );
  expect(largestChanges(tree, NAMES).map(({ sentence }) => sentence)).toEqual([
    'merging postings (SegmentMerger.mergeTerms): 18% of CPU with 1s, 6% with 30s (difference −12 points, 95% interval −14 to −9)',
    'write: 0% of CPU with 1s, 3.21% with 30s (difference +3.2 points, 95% interval +1.2 to +6.2)',
  ]);
  expect(largestChanges(tree, { ...NAMES, event: 'alloc' })[0]!.sentence).toContain(
    '18% of allocated bytes with 1s',
  );
});

test('the largest changes come first, in both directions, and undecided ones are left out', () => {
  const frames: Frame[] = [
    ['all', -1, 1, 1, false],
    ['a', 0, 0.1, 0.14],
    ['b', 0, 0.5, 0.4],
    ['c', 0, 0.1, 0.3, false],
    ['d', 0, 0.1, 0.17],
  ];
  expect(found(frames)).toEqual(['b', 'd', 'a']);
  expect(found(frames, 2)).toEqual(['b', 'd']);
});

test('the innermost frame that carries most of a change represents its callers', () => {
  const frames: Frame[] = [
    ['all', -1, 1, 1, false],
    ['run', 0, 0.6, 0.48],
    ['merge', 1, 0.3, 0.18],
    ['mergeTerms', 2, 0.18, 0.07],
    ['next', 3, 0.1, 0.06],
    ['write', 3, 0.08, 0.01],
  ];
  expect(found(frames)).toEqual(['mergeTerms', 'write', 'next']);
});

test('if only one cell calls the frames of a change, it has the name of the outermost one with an activity', () => {
  const frames: Frame[] = [
    ['all', -1, 1, 1, false],
    ['run', 0, 0.6, 0.7],
    ['wrapper', 1, 0, 0.12],
    ['tokenizer', 2, 0.001, 0.12],
    ['match', 3, 0, 0.11],
    ['studies', 4, 0, 0.06],
  ];
  const activities = [null, null, null, 'analysis', 'analysis', 'analysis'];
  expect(found(frames, undefined, activities)).toEqual(['tokenizer', 'studies']);
});

test('a caller whose change is smaller, because others of its frames changed in the other direction, is not named again', () => {
  const frames: Frame[] = [
    ['all', -1, 1, 1, false],
    ['write', 0, 0.4, 0.43],
    ['script', 1, 0, 0.05],
    ['index', 1, 0.4, 0.38],
  ];
  expect(found(frames)).toEqual(['script', 'index']);
});

test('a change that an undecided frame carries is named by its decided caller', () => {
  const frames: Frame[] = [
    ['all', -1, 1, 1, false],
    ['merge', 0, 0.2, 0.1],
    ['mergeTerms', 1, 0.2, 0.1, false],
  ];
  expect(found(frames)).toEqual(['merge']);
});

test('frames with the same name are distinguished by their callers', () => {
  const tree = treeOf([
    ['all', -1, 1, 1, false],
    ['org.example.A.run', 0, 0.3, 0.2, false],
    ['java.util.HashMap.get', 1, 0.2, 0.1],
    ['org.example.B.run', 0, 0.3, 0.2, false],
    ['java.util.HashMap.get', 3, 0, 0.2],
  ]);
  expect(largestChanges(tree, NAMES).map(({ sentence }) => sentence.replace(/:.*/, ''))).toEqual([
    'HashMap.get, called by B.run',
    'HashMap.get, called by A.run',
  ]);
});
