import { flameBoxes, flameLook, zoomedBoxes, type FlameBox } from './flame';

// all (1) > a (0.6) > b (0.25), c (0.35); all > d (0.4) > e (0.4) > f (0.1)
const parent = [-1, 0, 1, 1, 0, 4, 5];
const share = [1, 0.6, 0.25, 0.35, 0.4, 0.4, 0.1];
const boxes = flameBoxes({ parent, share, against: null });

const placed = (list: readonly Pick<FlameBox, 'left' | 'width' | 'depth'>[]): number[][] =>
  list.map(({ left, width, depth }) => [left, width, depth].map((value) => Number(value.toFixed(6))));

test('boxes are side by side below their caller, and as wide as their share', () => {
  expect(placed(boxes)).toEqual([
    [0, 1, 0],
    [0, 0.6, 1],
    [0, 0.25, 2],
    [0.25, 0.35, 2],
    [0.6, 0.4, 1],
    [0.6, 0.1, 2],
  ]);
});

test('calls without branches are one box', () => {
  expect(boxes.map(({ frames }) => frames)).toEqual([[0], [1], [2], [3], [4, 5], [6]]);
  expect(boxes[5]!.parent).toBe(4);
});

test('a comparison shows frames that occur in one of the cells only, and leaves out those in none', () => {
  const compared = flameBoxes({ parent, share, against: [1, 0.2, 0.2, 0, 0.8, 0, 0] });
  expect(placed(compared).slice(1, 4)).toEqual([
    [0, 0.4, 1],
    [0, 0.225, 2],
    [0.225, 0.175, 2],
  ]);
  expect(flameBoxes({ parent: [-1, 0], share: [1, 0], against: null })).toHaveLength(1);
});

test('after a zoom, callers have the whole width, and the boxes below are enlarged', () => {
  const shown = zoomedBoxes(boxes, 1, 0);
  expect(shown.map(({ box }) => box)).toEqual([0, 1, 2, 3]);
  expect(placed(shown)).toEqual([
    [0, 1, 0],
    [0, 1, 1],
    [0, 0.416667, 2],
    [0.416667, 0.583333, 2],
  ]);
  expect(zoomedBoxes(boxes, 0, 0.2).map(({ box }) => box)).toEqual([0, 1, 2, 3, 4]);
});

test('a box shows its innermost frame with a decided change, and the colour of this change', () => {
  const box = { frames: [4, 5, 6] };
  expect(flameLook(box, null)).toEqual({ frame: 6, tone: 'plain' });
  const [more, less, undecided] = [
    { difference: 0.1, isDecided: true },
    { difference: -0.1, isDecided: true },
    { difference: 0.1, isDecided: false },
  ];
  expect(flameLook(box, new Map([[6, undecided]]))).toEqual({ frame: 6, tone: 'grey' });
  expect(
    flameLook(
      box,
      new Map([
        [4, more],
        [5, less],
        [6, undecided],
      ]),
    ),
  ).toEqual({ frame: 5, tone: 'less' });
  expect(flameLook(box, new Map([[4, more]]))).toEqual({ frame: 4, tone: 'more' });
});

test('an empty tree has no boxes', () => {
  expect(flameBoxes({ parent: [], share: [], against: null })).toEqual([]);
  expect(zoomedBoxes([], 0, 0)).toEqual([]);
});
