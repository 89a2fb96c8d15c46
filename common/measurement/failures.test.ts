import { FailureCounter, mergeFailures, patternOf } from './failures';

const counted = (...reasons: string[]) => {
  const counter = new FailureCounter();
  for (const reason of reasons) counter.add('document_parsing_exception', 1, reason);
  return counter.take()['document_parsing_exception']!;
};

test('reasons that differ only in positions, ids, quoted values and numbers are counted together', () => {
  for (const [one, other] of [
    [
      "[1:45] failed to parse field [n] of type [long] in document with id 'Kx-_j3Zk'. Preview of field's value: 'a'",
      "[12:3] failed to parse field [n] of type [long] in document with id 'b'. Preview of field's value: '{c=1}'",
    ],
    [
      '[a]: version conflict, document already exists (current version [1])',
      '[bcD]: version conflict, document already exists (current version [22])',
    ],
    ['[_doc][a]: document missing', '[_doc][Zk-x]: document missing'],
    ['Data too large, would be [1.1gb]', 'Data too large, would be [1000.4mb]'],
    ['For input string: "abc"', 'For input string: "d e"'],
    ['timed out after 10.5s at 2026-11-26T13:00:00.000Z', 'timed out after 9s at 2025-01-01T00:00:00Z'],
  ] as const)
    expect(patternOf(one)).toBe(patternOf(other));
});

test('reasons about different fields or types are counted separately, whatever their names contain', () => {
  const field = (name: string): string => `[1:2] failed to parse field [${name}] of type [long]`;
  expect(patternOf(field('f1'))).not.toBe(patternOf(field('f2')));
  expect(patternOf("field's name is empty")).not.toBe(patternOf("field's name is missing"));
});

test('each reason of a type has its count and one example', () => {
  expect(counted('[1:1] bad field [a]', '[1:2] bad field [b]', '[2:1] bad field [a]')).toEqual({
    count: 3,
    example: '[1:1] bad field [a]',
    reasons: [
      { count: 2, example: '[1:1] bad field [a]' },
      { count: 1, example: '[1:2] bad field [b]' },
    ],
  });
  expect(counted('x 1', 'x 2')).toEqual({ count: 2, example: 'x 1' });
});

test('reasons and types beyond a limit are counted together', () => {
  const words = Array.from({ length: 200 }, (_, i) => 'x'.repeat(i + 1));
  const { count, reasons } = counted(...words);
  expect(count).toBe(200);
  expect(reasons).toHaveLength(21);
  expect(reasons!.at(-1)).toEqual({ count: 180, example: 'other reasons' });
  const types = new FailureCounter();
  for (const type of words) types.add(type, 1, '');
  expect(Object.keys(types.take())).toHaveLength(51);
  expect(types.take()['other']).toEqual({ count: 150, example: '' });
});

test('examples are shortened, and their control characters are escaped', () => {
  expect(counted('\u001b[31m' + 'y'.repeat(1000)).example).toMatch(/^\\u001b\[31my{100,}$/);
  expect(counted('z'.repeat(1000)).example).toHaveLength(300);
});

test('failures of older results are merged as one reason', () => {
  const [old, now] = [{ t: { count: 5, example: 'a' } }, { t: counted('b', 'a') }];
  expect(mergeFailures([old, now, { u: { count: 1, example: '' } }])).toEqual({
    t: {
      count: 7,
      example: 'a',
      reasons: [
        { count: 6, example: 'a' },
        { count: 1, example: 'b' },
      ],
    },
    u: { count: 1, example: '' },
  });
});
