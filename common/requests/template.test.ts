import {
  drawnNumber,
  drawnText,
  drawnValue,
  encodedTemplate,
  filled,
  isParameterName,
  jsonTemplate,
  ndjsonTemplate,
  parametersOf,
  pathTemplate,
  queryTemplate,
  TemplateError,
  textTemplate,
  type Drawn,
  type Template,
} from './template';

const VALUES: Readonly<Record<string, Drawn>> = {
  n: drawnNumber('42'),
  text: drawnText('a "b"\n/ü'),
  list: drawnValue(['x', 'y']),
  object: drawnValue({ gte: 1 }),
  index: drawnText('trial-1,trial-2'),
};
const render = (template: Template): string => filled(template, (name) => VALUES[name]!);

test('without parameters, JSON has the same form as from JSON.stringify, in one piece', () => {
  const value = { a: [1, 'x', null, true, {}, []], 'b"c': { d: 1.5e-7 }, e: '\u2028', f: '}} }' };
  expect(jsonTemplate(value)).toEqual([JSON.stringify(value)]);
});

test('a parameter that is a whole string becomes the value itself, within a string it becomes text', () => {
  const body = {
    size: '{{n}}',
    query: { terms: { tag: '{{list}}' }, range: { '@{{n}}': '{{object}}' } },
    text: 'say {{text}}, {{ n }} and {{list}}',
  };
  expect(JSON.parse(render(jsonTemplate(body)))).toEqual({
    size: 42,
    query: { terms: { tag: ['x', 'y'] }, range: { '@42': { gte: 1 } } },
    text: 'say a "b"\n/ü, 42 and x,y',
  });
  expect(JSON.parse(render(jsonTemplate('{{text}}')))).toBe('a "b"\n/ü');
});

test('in paths and query strings, values are percent-encoded, and the written text stays', () => {
  expect(render(pathTemplate('/{{index}}/_doc/{{text}}'))).toBe(
    '/trial-1%2Ctrial-2/_doc/a%20%22b%22%0A%2F%C3%BC',
  );
  expect(render(encodedTemplate('a/b {{n}}'))).toBe('a%2Fb%2042');
  expect(render(queryTemplate({ q: 'x y:{{text}}', size: '{{n}}', b: true }))).toBe(
    '?q=x%20y%3Aa%20%22b%22%0A%2F%C3%BC&size=42&b=true',
  );
  expect(queryTemplate({})).toEqual([]);
});

test('lines of JSON end with a line break each', () => {
  expect(render(ndjsonTemplate([{}, { size: '{{n}}' }]))).toBe('{}\n{"size":42}\n');
});

test('{{{{ is a literal {{, as Mustache templates need it', () => {
  expect(render(textTemplate('{{{{#toJson}}tags{{{{/toJson}} {{n}} {{{{{x}}}'))).toBe(
    '{{#toJson}}tags{{/toJson}} 42 {{{x}}}',
  );
  expect(JSON.parse(render(jsonTemplate({ source: '{{{{q}}' })))).toEqual({ source: '{{q}}' });
  expect(textTemplate('}} { {x}')).toEqual(['}} { {x}']);
});

test.each([['{{'], ['{{a'], ['{{}}'], ['{{a b}}'], ['{{#each}}'], ['x {{1}}']])('%s is refused', (text) => {
  expect(() => textTemplate(text)).toThrow(TemplateError);
  expect(() => jsonTemplate({ a: [text] })).toThrow('contains no parameter');
});

test('parameters are listed once each, without the index', () => {
  const path = pathTemplate('/{{index}}/{{a}}');
  expect(parametersOf(path, jsonTemplate({ x: '{{b}} {{a}}' }))).toEqual(['a', 'b']);
  expect(['a', '_a-1', 'index', '1a', ''].map(isParameterName)).toEqual([true, true, false, false, false]);
});
