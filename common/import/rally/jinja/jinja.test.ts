import { DynoError } from '../../../problem';
import { render } from '../template';
import { madeFiles } from '../testing/made-track';

const rendered = (files: Record<string, string>, params: Record<string, unknown> = {}): string =>
  render('track.json', { files: madeFiles(files), params, now: 0 });
const valueOf = (expression: string): string => rendered({ 'track.json': `{{ ${expression} }}` });
const refusal = (files: Record<string, string>): string => {
  try {
    return `was rendered: ${rendered(files)}`;
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return `${error.problems[0]!.path} ${error.problems[0]!.message}`;
  }
};

// The expected values come from Jinja2 3.1.6 on Python 3.
test.each([
  ["'1' == 1", 'False'],
  ['1 == 1.0', 'True'],
  ['true == 1', 'True'],
  ['none == false', 'False'],
  ['undef == other', 'True'],
  ["[1, 'a'] == [1.0, 'a']", 'True'],
  ["{'a': 1} == {'a': 1.0}", 'True'],
  ['1 < 2 < 3', 'True'],
  ['3 > 2 > 1', 'True'],
  ['3 > 2 == 2', 'True'],
  ["'a' < 'b'", 'True'],
  ['[1, 2] < [1, 3]', 'True'],
  ['2 in [1, 2.0]', 'True'],
  ["'b' in 'abc'", 'True'],
  ['1 in {true: 1}', 'True'],
  ['none not in [1]', 'True'],
  ['10 / 4', '2.5'],
  ['6 / 3', '2.0'],
  ['7 // 2', '3'],
  ['-7 // 2', '-4'],
  ['-7 % 3', '2'],
  ['7 % -3', '-2'],
  ['7.5 // 2', '3.0'],
  ['-7.5 % 2', '0.5'],
  ['2 ** 10', '1024'],
  ['2 ** -1', '0.5'],
  ['2 ** 100', '1267650600228229401496703205376'],
  ['2 ** 3 ** 2', '64'],
  ['-2 ** 2', '4'],
  ['0.1 + 0.2', '0.30000000000000004'],
  ['9007199254740993 * 3', '27021597764222979'],
  ['9007199254740992 + 1', '9007199254740993'],
  ['10 ** 20 // 3', '33333333333333333333'],
  ['9007199254740993 / 3', '3002399751580331.0'],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['0x1F + 1_000', '1031'],
  ['1e16', '1e+16'],
  ['1e15', '1000000000000000.0'],
  ['0.00001', '1e-05'],
  ['0.0001', '0.0001'],
  ['1e22 * 10', '1e+23'],
  ['-0.0', '-0.0'],
  ['100000.0 * 3', '300000.0'],
  ['1 / 3', '0.3333333333333333'],
  ["'a' ~ none", 'aNone'],
  ["'a' ~ true ~ 1.0", 'aTrue1.0'],
  ["'x' ~ undef ~ 'y'", 'xy'],
  ['1 ~ 2', '12'],
  ["'ab' * 3", 'ababab'],
  ["2 * 'ab'", 'abab'],
  ['[1] * 2', '[1, 1]'],
  ["'a' + 'b'", 'ab'],
  ['(1,) + (2,)', '(1, 2)'],
  ['none', 'None'],
  ['true', 'True'],
  ["[1, 'a', none, 2.0]", "[1, 'a', None, 2.0]"],
  ["{'a': [true]}", "{'a': [True]}"],
  ['(1,)', '(1,)'],
  [`["it's"]`, `["it's"]`],
  ["['tab\\t']", "['tab\\t']"],
  ['range(3)', 'range(0, 3)'],
  ["{'a': 1}.items()", "dict_items([('a', 1)])"],
  ["'y' if [] else 'n'", 'n'],
  ["'y' if 0.0 else 'n'", 'n'],
  ["'' or 'x'", 'x'],
  ['0 and 1', '0'],
  ['not none', 'True'],
  ['1 if false', ''],
  ['[] and 1', '[]'],
  ["'%.2f'|format(3.14159)", '3.14'],
  ["'%05d'|format(42)", '00042'],
  ["'%-5d|%+d|%x|%o'|format(7, 7, 255, 8)", '7    |+7|ff|10'],
  ["'%s and %s'|format('a', none)", 'a and None'],
  ["'%5s|%.2s'|format('ab', 'abc')", '   ab|ab'],
  ["'%d'|format(3.9)", '3'],
  ["'%e %g'|format(12345.678, 0.00001)", '1.234568e+04 1e-05'],
  ["'%(n)03d'|format(n=5)", '005'],
  ["'%s: %d%%' % ('a', 50)", 'a: 50%'],
  ["'%08.3f'|format(-3.14159)", '-003.142'],
  ["'%.0f'|format(0.5)", '0'],
  ['2.5|round', '2.0'],
  ['1.5|round', '2.0'],
  ['2.675|round(2)', '2.67'],
  ['5|round', '5'],
  ['1250|round(-2)', '1200'],
  ["42.7|round(0, 'floor')", '42.0'],
  ["42.123|round(2, 'ceil')", '42.13'],
  ["'42.7'|int", '42'],
  ["'x'|int(7)", '7'],
  ["'0x1f'|int(0, 16)", '31'],
  ["' 12 '|int", '12'],
  ['true|int', '1'],
  ["'1e3'|float", '1000.0'],
  ["'x'|float", '0.0'],
  ["12|string ~ ''", '12'],
  ["{'b': 1, 'a': [2.0, none, '<é>']}|tojson", '{"a": [2.0, null, "\\u003c\\u00e9\\u003e"], "b": 1}'],
  ["{1: 'x'}|tojson", '{"1": "x"}'],
  ['[1]|tojson(indent=2)', '[\n  1\n]'],
  [`"it's"|tojson`, '"it\\u0027s"'],
  ["undef|default('d')", 'd'],
  ["''|default('d', true)", 'd'],
  ["none|default('d')", 'None'],
  ["[3, 1, 2]|sort|join(',')", '1,2,3'],
  ["['b', 'A']|sort", "['A', 'b']"],
  ["[{'a': 2}, {'a': 1}]|map(attribute='a')|list", '[2, 1]'],
  ["[1, 2, 3]|select('odd')|list", '[1, 3]'],
  ["[1, 2, 3]|reject('in', [2])|list", '[1, 3]'],
  ["['1', '2']|map('int')|sum", '3'],
  ['[1, 1, 2]|unique|list', '[1, 2]'],
  ["{'b': 1, 'a': 2}|dictsort", "[('a', 2), ('b', 1)]"],
  ['[1, 2, 3]|batch(2)|list', '[[1, 2], [3]]'],
  ['[]|first', ''],
  ["'abc'|reverse", 'cba'],
  ['[1, 3]|max', '3'],
  ['[]|sum', '0'],
  ["[{'t': 1}, {'t': 2}]|selectattr('t', 'gt', 1)|list", "[{'t': 2}]"],
  ["'hello world'|title", 'Hello World'],
  ["'ABC'|capitalize", 'Abc'],
  ["'a,b'.split(',')", "['a', 'b']"],
  ["'a b  c'.split()", "['a', 'b', 'c']"],
  ["' a '|trim", 'a'],
  ["'aXa'|replace('a', 'b', 1)", 'bXa'],
  ["'{}-{}'.format(1, 'a')", '1-a'],
  ["'abc'[1:]", 'bc'],
  ["'abc'[-1]", 'c'],
  ['[1, 2, 3][::-1]', '[3, 2, 1]'],
  ["{'a': {'b': 5}}.a.b", '5'],
  ["'😀a'|length", '2'],
  ["'5'.zfill(3)", '005'],
  ["'a' 'b'", 'ab'],
  ["'\\x41\\d'", 'A\\d'],
  ['1 is number', 'True'],
  ['true is number', 'True'],
  ['1.0 is integer', 'False'],
  ['5 is divisibleby 5', 'True'],
  ["'a' is in ['a']", 'True'],
  ['1 is sameas true', 'False'],
  ['undef is defined', 'False'],
  ['none is none', 'True'],
  ['{} is mapping', 'True'],
  ["'a' is string", 'True'],
  ['3 is odd', 'True'],
  ["'a' is eq 'a'", 'True'],
  ['2 is not even', 'False'],
])('%s is written as Python writes it', (expression, value) => {
  expect(valueOf(expression)).toBe(value);
});

test.each([
  ["'1' + 1", "unsupported operand type(s) for +: 'str' and 'int'"],
  ["1 + 2 ~ 'x'", 'unsupported operand'],
  ['none < 1', "'<' not supported between instances of 'NoneType' and 'int'"],
  ["1 in 'a1'", 'requires string as left operand'],
  ['1 / 0', 'division by zero'],
  ['undef + 1', "'undef' is undefined"],
  ['undef.a', "'undef' is undefined"],
  ['undef()', "'undef' is undefined"],
  ['undef|tojson', "'undef' is undefined"],
  ['[3, "a"]|sort', 'not supported between instances'],
  ["'%d'|format('x')", 'a real number is required, not str'],
  ["'%s'|format(1, 2)", 'not all arguments converted'],
  ["'%s %s'|format(1)", 'not enough arguments'],
  ['{[1]: 2}', "unhashable type: 'list'"],
  ['2 ** 100000', 'more than 4300 digits'],
  ["'a' * 100000000", 'more than 50000000 characters'],
  ['2.0 ** 0.3', 'is not rendered here'],
  ['[1]|random', 'returns a different value each time'],
  ['1|nothing', 'the filter nothing is unknown'],
  ['1 is nothing', 'there is no test nothing'],
  ["[1]|map('odd')|join", 'the filter odd is unknown'],
  ['1|int(1, 2, 3)', 'takes 2 arguments and was given 3'],
  ['1|default(nothing=1)', 'has no argument nothing'],
  ["('a'|tojson) + 'b'", 'escapes as HTML'],
  ['(1, 2', 'Unexpected character: }'],
  ['1 +', 'Unexpected the end of the tag'],
])('%s is an error with its line', (expression, message) => {
  const found = refusal({ 'track.json': `[\n1,\n{{ ${expression} }}]` });
  expect(found).toMatch(/^track\.json:3 /);
  expect(found).toContain(message);
});

// The expected texts come from Jinja2 too.
test.each([
  ['{% set n = 1 %}{% if true %}{% set n = 2 %}{% endif %}{{ n }}', '2'],
  ['{% set n = 1 %}{% for i in [1, 2] %}{% set n = n + i %}{{ n }},{% endfor %}{{ n }}', '2,3,1'],
  ['{% set ns = namespace(x=1) %}{% for i in [1, 2] %}{% set ns.x = ns.x + i %}{% endfor %}{{ ns.x }}', '4'],
  ["{% for a, b in {'x': 1}.items() %}{{ a }}{{ b }}{{ loop.index }}{{ loop.last }}{% endfor %}", 'x11True'],
  ['{% for i in range(6) if i is even %}{{ i }}{{ loop.length }}{% else %}none{% endfor %}', '032343'],
  ['{% for i in [] %}x{% else %}none{% endfor %}', 'none'],
  [
    '{% macro m(a, b=2, c=a) %}{{ a }}-{{ b }}-{{ c }}{% endmacro %}{{ m(1) }} {{ m(1, c=3) }}',
    '1-2-1 1-2-3',
  ],
  ['{% macro m() %}{{ caller(5) }}{% endmacro %}{% call(x) m() %}<{{ x }}>{% endcall %}', '<5>'],
  ['{% set v = 1 %}{% macro m() %}{{ v }}{% endmacro %}{% set v = 2 %}{{ m() }}', '2'],
  ['{% set t | upper %}a{{ 1 + 1 }}{% endset %}{{ t }}{% filter upper %}b{% endfilter %}', 'A2B'],
  ['{% with a = 1 %}{{ a }}{% endwith %}{{ a is defined }}', '1False'],
  ['a {%- raw -%}  {{ x }}  {%- endraw -%} b', 'a{{ x }}b'],
  ['{% set a, b = 1, 2 %}{{ b }}{{ a }}{{ 1, 2 }}', '21(1, 2)'],
  ["{% set c = cycler('x', 'y') %}{{ c.next() }}{{ c.next() }}{{ c.current }}", 'xyx'],
  ['{% for i in [1, 1, 2] %}{% if loop.changed(i) %}{{ i }}{% endif %}{% endfor %}', '12'],
])('%s is rendered as Jinja does', (template, text) => {
  expect(rendered({ 'track.json': template })).toBe(text);
});

test('variables of an included file are local to it, those of a collected file are not', () => {
  const files = {
    'track.json':
      '{% set a = 1 %}{% include "part.json" %} {{ a }} {{ rally.collect(parts="part.json") }} {{ a }} {{rally.collect(parts="part.json")}} {{ a }}',
    'part.json': '{% set a = a + 1 %}{{ a }}',
  };
  expect(rendered(files)).toBe('2 1 2 2 3 2');
});

test('parameters keep the notation of their numbers', () => {
  const template = { 'track.json': '{{ a }} {{ b * 2 }} {{ c }} {{ d }} {{ e }}' };
  const params = { a: '\uFDD09007199254740993', b: '\uFDD01.0', c: true, d: null, e: [0.5] };
  expect(rendered(template, params)).toBe('9007199254740993 2.0 True None [0.5]');
});

test('skips a missing include with "ignore missing"', () => {
  expect(rendered({ 'track.json': '1{% include "none.json" ignore missing %}2' })).toBe('12');
});

test('an error in a macro names the line in the macro', () => {
  const found = refusal({ 'track.json': '{% macro m(a) %}\n{{ a.b.c }}\n{% endmacro %}\n{{ m({}) }}' });
  expect(found).toMatch(/^track\.json:2 /);
});

test.each([
  ['brackets', `{{ ${'('.repeat(100_000)}1${')'.repeat(100_000)} }}`, 'is nested too deeply'],
  ['blocks', '{% if a %}'.repeat(50_000), 'is nested too deeply'],
  ['calls of itself', '{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}', 'calls itself too often'],
  ['digits', `{{ ${'9'.repeat(5000)} }}`, 'a whole number of more than 4300 characters'],
  [
    'a list that is joined again and again',
    "{% set x = ['a' * 1000000] * 1000 %}{{ x | join }}",
    'cannot be rendered',
  ],
])('a template with too many %s is refused in a sentence', (_, template, message) => {
  expect(refusal({ 'track.json': template })).toContain(message);
});
