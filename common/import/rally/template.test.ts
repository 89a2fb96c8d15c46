import { stringifyExact, type OnRepeatedKey } from '../../json/exact';
import { DynoError } from '../../problem';
import { madeFiles } from './testing/made-track';
import { render, renderJson } from './template';

const rendered = (
  files: Record<string, string>,
  params: Record<string, unknown> = {},
  onRepeated: OnRepeatedKey = () => undefined,
): unknown =>
  renderJson('track.json', { files: madeFiles(files), params, now: Date.UTC(2026, 0, 31) }, onRepeated);

const refusal = (files: Record<string, string>): string => {
  try {
    render('track.json', { files: madeFiles(files), params: {}, now: 0 });
  } catch (error) {
    if (error instanceof DynoError) return `${error.problems[0]!.path} ${error.problems[0]!.message}`;
    throw error;
  }
  return '';
};

test('inserts collected parts in the order of their names, with commas, and collects files next to them', () => {
  const files = {
    'track.json':
      '{% import "rally.helpers" as rally with context %}\n[{{ rally.collect(parts="parts/*.json") }}]',
    'parts/b.json': '2',
    'parts/a.json': '{{ rally.collect(parts="deep/*.json") }}',
    'parts/deep/x.json': '{"deep": {{ depth | default(1) }} }',
  };
  expect(rendered(files)).toEqual([{ deep: 1 }, 2]);
  expect(rendered(files, { depth: 7 })).toEqual([{ deep: 7 }, 2]);
});

test('an included file has access to the variables around it', () => {
  expect(
    rendered({
      'track.json': '{% set n = 3 %}[{% include "list.json" %}]',
      'list.json': '{% for i in range(n) %}{{ i }}{{ "," if not loop.last }}{% endfor %}',
    }),
  ).toEqual([0, 1, 2]);
});

test('variables that are set in a loop are local to each iteration', () => {
  expect(
    rendered({
      'track.json':
        '{% set n = 3 %}[{% for i in range(1, 4) %}{% set n = n * i %}{{ n }}{{ "," if not loop.last }}{% endfor %}]',
    }),
  ).toEqual([3, 6, 9]);
});

test('supports filters and helpers of Rally and of Python', () => {
  expect(
    rendered({
      'track.json': `{%- set comma = joiner(",") -%}{%- set d = {"a": 1} -%}{%- set _ = d.update({"b": 2}) -%}
        [{% for n in [1, 2] %}{{ comma() }}{{ n }}{% endfor %}, {{ [3, 9] | max }}, {{ [3, 9] | min }}, {{ d | tojson }},
        {{ "01-01-2026" | days_ago(now) }}, "{{ 2.5 | round }}", "{{ 10 / 2 ~ "" }}", {{ nothing | length }},
        {% for a, b in [(1, 2)] %}{{ a + b }}{% endfor %}, {{ "%s-%s" | format("x", 1) | tojson }},
        {% raw %}"{{ as_it_is }}"{% endraw %} {# none #}]`,
    }),
  ).toEqual([1, 2, 9, 3, { a: 1, b: 2 }, 30, '2.0', '5.0', 0, 3, 'x-1', '{{ as_it_is }}']);
});

test('writes a setting if a value or a default is given', () => {
  const files = {
    'track.json': `{% import "rally.helpers" as rally %}
      {"a": 1 {{ rally.exists_set_param("b", given) }} {{ rally.exists_set_param("c", other, default_value=5) }}}`,
  };
  expect(rendered(files)).toEqual({ a: 1, c: 5 });
  expect(rendered(files, { given: 'x' })).toEqual({ a: 1, b: 'x', c: 5 });
});

test('variables of a "with" block are local to it', () => {
  expect(
    rendered({
      'track.json': '{% set n = 1 %}[{% with n = 2, m = [3, 4] %}{{ n }}, {{ m[1] }}{% endwith %}, {{ n }}]',
    }),
  ).toEqual([2, 4, 1]);
});

test('treats a test with a value as a comparison', () => {
  const files = { 'track.json': '[{% if mode | default("a") is equalto "a" %}1{% else %}2{% endif %}]' };
  expect(rendered(files)).toEqual([1]);
  expect(rendered(files, { mode: 'b' })).toEqual([2]);
});

test.each([
  ['a file that includes itself', '{% include "track.json" %}', 'is included more than 20 deep'],
  [
    'an excessive loop',
    '{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %}',
    'steps to render',
  ],
  ['a range without measure', '{{ range(1000000000) }}', 'a range of 1000000000 numbers'],
  ['another library', '{% import "os" as os %}', 'track.json:1 cannot be rendered: imports os as os'],
  [
    'a file that is not there',
    '{\n{% include "none.json" %}}',
    'none.json does not exist: track.json:2 includes it',
  ],
  ['what is no template', '{% if %}', 'cannot be rendered'],
  ['a way out of the interpreter', '{{ range.constructor("return 1")() }}', 'cannot be rendered'],
])('%s is refused', (_, template, message) => {
  expect(refusal({ 'track.json': template })).toContain(message);
});

test.each([
  [
    'an operator on a name that is not set',
    '{\n\n{% if index-mode is defined %}{% endif %}\n}',
    'track.json:3',
    'write index_mode',
  ],
  ['a name with hyphens that is set', '{\n{% set my-name = 1 %}\n}', 'track.json:2', 'write my_name'],
  ['a tag that is never closed', '[\n{% if a %}\n1\n]', 'track.json:2', 'is never closed by {% endif %}'],
  ['an unknown statement', '[\n1,\n{% unknown %}\n]', 'track.json:3', 'Unknown statement'],
  ['an unknown filter', '[\n{{ "a" }},\n{{ a | default(1) | nothing }}\n]', 'track.json:3', 'nothing'],
  ['what is not a token', '[\n1,\n{{ a ? b }}\n]', 'track.json:3', 'Unexpected character'],
])('an error names the file and line of %s', (_, template, where, message) => {
  const found = refusal({ 'track.json': template });
  expect(found.split(' ')[0]).toBe(where);
  expect(found).toContain(message);
  expect(found).toContain(`> ${where.split(':')[1]} | `);
});

test('an error inside a part names that part', () => {
  expect(
    refusal({
      'track.json': '[\n{% include "part.json" %}\n]',
      'part.json': '1,\n{% for i in [1, 2] %}\n{{ i | upper-case }}\n{% endfor %}',
    }),
  ).toMatch(/^part\.json:3 cannot be rendered: .*\n/);
});

const jsonRefusal = (files: Record<string, string>, params: Record<string, unknown> = {}): string => {
  try {
    rendered(files, params);
  } catch (error) {
    if (error instanceof DynoError) return `${error.problems[0]!.path} ${error.problems[0]!.message}`;
    throw error;
  }
  return '';
};

test.each([
  ['the end', '[1,\n', 'track.json:1', 'expected a value, but found the end'],
  ['a missing comma', '[\n{ "a": 1 }\n{ "b": 2 }\n]', 'track.json:3', 'a comma is missing before "{"'],
  ['a comma too many', '{\n"a": 1,\n}', 'track.json:2', 'there is a superfluous comma before "}"'],
  ['a comment', '{\n// a comment\n"a": 1 }', 'track.json:2', 'JSON has no comments'],
  ['single quotes', "{\n'a': 1 }", 'track.json:2', 'double quotes'],
  ['a word of Python', '{\n"a": True }', 'track.json:2', 'True is not a value of JSON'],
  ['a text that is not closed', '{\n"a": "b\n}', 'track.json:2', 'is not closed on its line'],
  ['what follows the end', '{}\n{}', 'track.json:2', 'the JSON ends here'],
])('%s in JSON is shown with its line', (_, template, where, message) => {
  const found = jsonRefusal({ 'track.json': template });
  expect(found.split(' ')[0]).toBe(where);
  expect(found).toContain(message);
});

test('reports the line in the source, even if templates change the number of lines before it', () => {
  const files = {
    'track.json':
      '{#\na comment\n#}[\n{% for i in range(3) %}\n{{ i }},\n{% endfor %}\n{% include "part.json" %}\n]',
    'part.json':
      '{%- macro item(n) %}{ "n": {{ n }} }{% endmacro %}\n{{ item(1) }},\n{%- if mode == "b" %}\n{{ item(2) }}\n{% endif %}\n{{ item(3) }}',
  };
  expect(rendered(files)).toEqual([0, 1, 2, { n: 1 }, { n: 3 }]);
  const found = jsonRefusal(files, { mode: 'b' });
  expect(found).toMatch(/^part\.json:6 is not JSON after rendering: a comma is missing before "\{"\n/);
  expect(found).toContain('rendered: ');
});

test('shows the lines around an error without credentials', () => {
  const track =
    '{\n "headers": {"Authorization": "ApiKey UExBTlRFRA==", "X-Api-Key": "planted"},\n "a": 1,\n}';
  let message = '';
  try {
    rendered({ 'track.json': track });
  } catch (error) {
    message = String((error as DynoError).problems[0]!.message);
  }
  expect(message).toContain('[removed]');
  expect(message).not.toMatch(/UExBTlRFRA|planted/);
});

test('uses the last value of a repeated key, like Python, and reports its path', () => {
  const track = '[{"a": 1, "id": 9007199254740993, "a": 2.0, "b": {"c": 1, "c": 2, "\\u0063": 3}}]';
  const found: string[] = [];
  const value = rendered({ 'track.json': track }, {}, ({ owner, key, times }) =>
    found.push(`${owner} ${key} ${times}`),
  );
  expect(stringifyExact(value)).toBe('[{"a":2.0,"id":9007199254740993,"b":{"c":3}}]');
  expect(found).toEqual(['[0] a 2', '[0].b c 3']);
});
