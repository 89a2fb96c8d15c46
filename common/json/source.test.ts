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
])('the value at %j is cut out exactly as written', (path, source) => {
  expect(sourceAt(TEXT, path)).toBe(source);
});

test('the last of duplicate keys counts, or the first one if requested', () => {
  expect([sourceAt(TEXT, ['a']), sourceAt(TEXT, ['a'], 'first')]).toEqual(['-0', '9007199254740993']);
});

test('empty lists and objects have no values', () => {
  expect([sourceAt('[]', ['last']), sourceAt(' {} ', ['a']), sourceAt('[ ]', ['0'])]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test('spaces between tokens are removed', () => {
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

test('the value of a key is cut out exactly as written; the last duplicate counts', () => {
  expect(valueText(ODD, 'b')).toBe('{"c":[1.0,-0.0,"}\\"]"]}');
  expect(valueText(ODD, 'a')).toBe('-0');
  expect(valueText(ODD, 'c')).toBeUndefined();
});

test('a truncated object gives its complete members', () => {
  expect(membersOf('{"a":1,"b":{"c":').map(({ key }) => key)).toEqual(['a']);
  expect(membersOf('{"a":1,"b":12').map(({ key }) => key)).toEqual(['a']);
  expect(membersOf('[1]')).toEqual([]);
  expect(membersOf('{}')).toEqual([]);
  expect(endOfValue('{"a":"b', 0)).toBe(-1);
});

test('merging keeps the text of both objects, and that of the second one for common keys', () => {
  expect(mergedText('{"size":1,"from":2.0}', '{"size" : 9007199254740993}')).toBe(
    '{"size" : 9007199254740993,"from":2.0}',
  );
  expect(mergedText('{}', '{"a":1}')).toBe('{"a":1}');
});
