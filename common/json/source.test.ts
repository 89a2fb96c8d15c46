import { endOfValue, membersOf, mergedText, sourceAt, valueText, withoutSpaces } from './source';

const TEXT =
  '{ "a" : 9007199254740993 , "b":{"c":[1.0,-0.0,"}\\"]",[ 2.0 ]]}, "a\\u0062": 1e400 ,"a":-0, "d": "x\\\\" }';

test.each<[string[], string | undefined]>([
  [['b', 'c', '0'], '1.0'],
  [['b', 'c', '2'], '"}\\"]"'],
  [['b', 'c', 'last'], '[ 2.0 ]'],
  [['b', 'c', '-3'], '-0.0'],
  [['b'], '{"c":[1.0,-0.0,"}\\"]",[ 2.0 ]]}'],
  [['ab'], '1e400'],
  [['d'], '"x\\\\"'],
  [['a'], '-0'],
  [[], TEXT],
  [['b', 'c', 'length'], undefined],
  [['b', 'c', '4'], undefined],
  [['x'], undefined],
  [['d', 'x'], undefined],
])('the value at %j is cut out as it was written', (path, source) => {
  expect(sourceAt(TEXT, path)).toBe(source);
});

test('of duplicate keys the last counts, or the first where that is asked for', () => {
  expect([sourceAt(TEXT, ['a']), sourceAt(TEXT, ['a'], 'first')]).toEqual(['-0', '9007199254740993']);
});

test('of empty lists and objects there is nothing', () => {
  expect([sourceAt('[]', ['last']), sourceAt(' {} ', ['a']), sourceAt('[ ]', ['0'])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('spaces between tokens are taken out', () => {
  expect(withoutSpaces(' {\n "a b" : [ 1.0 , " \\" x" ]\r\n}\n')).toBe('{"a b":[1.0," \\" x"]}');
});

const ODD = '{ "a" : 9007199254740993 , "b":{"c":[1.0,-0.0,"}\\"]"]}, "a\\u0062": 1e400 ,"a":-0}';

test('members of an object keep their source text, duplicates included', () => {
  expect(membersOf(ODD).map(({ key, valueStart, end }) => [key, ODD.slice(valueStart, end)])).toEqual([
    ['a', '9007199254740993'],
    ['b', '{"c":[1.0,-0.0,"}\\"]"]}'],
    ['ab', '1e400'],
    ['a', '-0'],
  ]);
});

test('the value of a key is cut out as it was written; the last duplicate counts', () => {
  expect(valueText(ODD, 'b')).toBe('{"c":[1.0,-0.0,"}\\"]"]}');
  expect(valueText(ODD, 'a')).toBe('-0');
  expect(valueText(ODD, 'c')).toBeUndefined();
});

test('an object that is cut gives the members that are whole', () => {
  expect(membersOf('{"a":1,"b":{"c":').map(({ key }) => key)).toEqual(['a']);
  expect(membersOf('{"a":1,"b":12').map(({ key }) => key)).toEqual(['a']);
  expect(membersOf('[1]')).toEqual([]);
  expect(membersOf('{}')).toEqual([]);
  expect(endOfValue('{"a":"b', 0)).toBe(-1);
});

test('merging keeps the text of both, and that of the second one where both have a key', () => {
  expect(mergedText('{"size":1,"from":2.0}', '{"size" : 9007199254740993}')).toBe(
    '{"size" : 9007199254740993,"from":2.0}',
  );
  expect(mergedText('{}', '{"a":1}')).toBe('{"a":1}');
});
