import {
  exactText,
  hasMarks,
  isExactNumber,
  JsonNotHeld,
  parseExact,
  plainValue,
  shownWhole,
  stringifyExact,
} from './exact';

test.each([
  '9007199254740993',
  '-9223372036854775808',
  '1.0',
  '-0.0',
  '-0',
  '1e400',
  '0.1234567890123456789012345678',
  '"\\u0041\\/"',
  '"\\ud800"',
  '"\ufdd0"',
  '"\ufdd01.0"',
  '"\\ufdd0x"',
  '{"2":1,"a":2,"1":3}',
  '{"\\u0061":{"__proto__":1.0}}',
  '{"4294967295":1,"4294967294":2}',
  '[1e3,{"a":[-0.0,null,true]}]',
])('%s is written exactly as it was read, even after passing through plain JSON', (text) => {
  const value = parseExact(text);
  expect(stringifyExact(value)).toBe(text);
  expect(stringifyExact(JSON.parse(JSON.stringify(value)))).toBe(text);
});

test('values that JavaScript writes identically are plain data', () => {
  const text = '{"query":{"term":{"n":9007199254740991}},"aggs":{"0":{},"1":{}},"x":[0.1,-5,"é"]}';
  expect(hasMarks(parseExact(text))).toBe(false);
  expect(parseExact(text)).toEqual(JSON.parse(text));
});

test('spaces between tokens are removed, but not those in strings', () => {
  expect(stringifyExact(parseExact(' { "a b" : [ 1.0 , " x " ] }\n'))).toBe('{"a b":[1.0," x "]}');
  expect(hasMarks(parseExact('{ "a b": [1, " x \\" " ]}'))).toBe(false);
});

test('several lines are indented as in JSON', () => {
  const value = { a: [1, { b: 'x' }], c: {}, d: [] };
  expect(stringifyExact(value, 2)).toBe(JSON.stringify(value, null, 2));
  expect(stringifyExact(parseExact('{"a":1.0}'), 2)).toBe('{\n  "a": 1.0\n}');
});

test('duplicate keys are rejected with their path, even if they are escaped differently', () => {
  expect(() => parseExact('{"a":[{"b":1,"\\u0062":2}]}')).toThrow(
    'a[0]: the key "b" appears twice in one object, and only one of its values could be kept',
  );
  expect(() => parseExact('{"a":1,"a":1}')).toThrow(JsonNotHeld);
});

test('deep nesting is rejected with a sentence, and invalid JSON with the error of JSON.parse', () => {
  expect(() => parseExact(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow('nested too deeply');
  expect(() => parseExact('{"a":01}')).toThrow(SyntaxError);
});

test('a marked string without a valid token is never sent raw', () => {
  expect(stringifyExact('\ufdd0},"x":{')).toBe('"\ufdd0},\\"x\\":{"');
  expect(stringifyExact('\ufdd01,2')).toBe('"\ufdd01,2"');
});

test('the plain value is rounded and reordered as JavaScript does', () => {
  expect(plainValue(parseExact('{"2":9007199254740993,"1":[1.0,"\\u0041"]}'))).toEqual({
    1: [1, 'A'],
    2: 9007199254740992,
  });
  const same = { a: 1 };
  expect(plainValue(same)).toBe(same);
});

test('the display of a number is its token, and that of a string has no quotes', () => {
  expect(exactText(parseExact('9007199254740993') as string)).toBe('9007199254740993');
  expect(exactText(parseExact('"\\u0041"') as string)).toBe('A');
  expect(shownWhole(parseExact('[1.0]'))).toBe('[1.0]');
  expect([isExactNumber(parseExact('1.0')), isExactNumber('1.0'), isExactNumber(1)]).toEqual([
    true,
    false,
    false,
  ]);
});
