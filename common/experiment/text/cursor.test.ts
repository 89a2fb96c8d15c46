import { cursorOf } from './cursor';

/** Returns where the cursor is, in one line for short expectations: keys, key or value, and the word before the cursor. */
const at = (text: string): string => {
  const cursor = cursorOf(text);
  if (cursor === null) return 'nothing';
  return `${cursor.keys.join('.')} ${cursor.at} ${cursor.quote}${cursor.typed}`.trim();
};

test('keys of JSON lead to the cursor, through objects, lists and strings with brackets in them', () => {
  expect(at('{"query": {"bool": {"must": [{"te')).toBe('query.bool.must key "te');
  expect(at('{"a": "}{[", "b": {"c')).toBe('b key "c');
  expect(at('{"a": {"b": 1}, "c": [1, 2], "d": ')).toBe('d value');
  expect(at('{"a": {"b": 1}, ')).toBe('key');
  expect(at('{\n  "query": {\n    "term": {\n      "tag": "m')).toBe('query.term.tag value "m');
  expect(at('{"a": "quote \\" and {", "b":')).toBe('b value');
});

test('keys of block style lead to the cursor by their columns', () => {
  expect(at('query:\n  bool:\n    must:\n      - term:\n          ta')).toBe(
    'query.bool.must.term either ta',
  );
  expect(at('query:\n  bool: { must: [] }\nsort:\n  - ')).toBe('sort either');
  expect(at('tasks:\n- name: a\n  search:\n    set: b\n  exe')).toBe('tasks either exe');
  expect(at('a:\n  b: 1\n\n# why\nc')).toBe('either c');
  expect(at('a:\n  b:\n    c: 1\n  ')).toBe('a either');
  expect(at("fields: ['@ti")).toBe("fields value '@ti");
});

test('brackets may span lines within block style', () => {
  const text = 'body:\n  query: {\n    match: { a: b },\n  }\n  sort: [\n    { ti';
  expect(at(text)).toBe('body.sort key ti');
});

test('nothing is offered in comments, in block scalars and after a value', () => {
  for (const text of [
    '# a comm',
    'a: 1 # wh',
    '{"a": 1, # wh',
    'script: |\n  doc.va',
    'a: "b"',
    '{"a": {}}',
    '{"a"',
  ])
    expect({ text, at: at(text) }).toEqual({ text, at: 'nothing' });
  expect(at('script: |\n  doc.value\nb')).toBe('either b');
});

test('a text with keys in double quotes is JSON', () => {
  expect(cursorOf('{"a": {b')?.isJson).toBe(true);
  expect(cursorOf('{a: {b')?.isJson).toBe(false);
});

test('no text makes it throw or loop forever', () => {
  const parts = ['{', '}', '[', ']', ':', ',', '"', "'", '\n', '  ', '- ', '#', 'a', '\\', '|', '{{b}}'];
  let seed = 1;
  const random = (most: number): number => (seed = (seed * 48271) % 2147483647) % most;
  for (let times = 0; times < 5000; times += 1) {
    const text = Array.from({ length: random(14) }, () => parts[random(parts.length)]).join('');
    expect(() => cursorOf(text)).not.toThrow();
  }
});
