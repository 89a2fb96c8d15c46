import { DynoError } from '../../problem';
import { madeFiles } from './testing/made-track';
import { render, renderJson } from './template';

const rendered = (files: Record<string, string>, params: Record<string, unknown> = {}): unknown =>
  renderJson('track.json', { files: madeFiles(files), params, now: Date.UTC(2026, 0, 31) });

const refusal = (files: Record<string, string>): string => {
  try {
    render('track.json', { files: madeFiles(files), params: {}, now: 0 });
  } catch (error) {
    if (error instanceof DynoError) return `${error.problems[0]!.path} ${error.problems[0]!.message}`;
    throw error;
  }
  return '';
};

test('collected parts stand in the order of their names, with commas, and collect beside themselves', () => {
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

test('an included file sees what is set around it', () => {
  expect(
    rendered({
      'track.json': '{% set n = 3 %}[{% include "list.json" %}]',
      'list.json': '{% for i in range(n) %}{{ i }}{{ "," if not loop.last }}{% endfor %}',
    }),
  ).toEqual([0, 1, 2]);
});

test('what is set within a round of a loop is forgotten with it', () => {
  expect(
    rendered({
      'track.json':
        '{% set n = 3 %}[{% for i in range(1, 4) %}{% set n = n * i %}{{ n }}{{ "," if not loop.last }}{% endfor %}]',
    }),
  ).toEqual([3, 6, 9]);
});

test('filters and helpers of Rally and of Python are there', () => {
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

test('a setting is written where it, or a default of it, is given', () => {
  const files = {
    'track.json': `{% import "rally.helpers" as rally %}
      {"a": 1 {{ rally.exists_set_param("b", given) }} {{ rally.exists_set_param("c", other, default_value=5) }}}`,
  };
  expect(rendered(files)).toEqual({ a: 1, c: 5 });
  expect(rendered(files, { given: 'x' })).toEqual({ a: 1, b: 'x', c: 5 });
});

test('names of a part of a template are forgotten behind it', () => {
  expect(
    rendered({
      'track.json': '{% set n = 1 %}[{% with n = 2, m = [3, 4] %}{{ n }}, {{ m[1] }}{% endwith %}, {{ n }}]',
    }),
  ).toEqual([2, 4, 1]);
});

test('a test with a value is a comparison', () => {
  const files = { 'track.json': '[{% if mode | default("a") is equalto "a" %}1{% else %}2{% endif %}]' };
  expect(rendered(files)).toEqual([1]);
  expect(rendered(files, { mode: 'b' })).toEqual([2]);
});

test.each([
  ['a file that includes itself', '{% include "track.json" %}', 'is included more than 20 deep'],
  [
    'a loop without measure',
    '{% for a in range(99999) %}{% for b in range(99999) %}{{ b }}{% endfor %}{% endfor %}',
    'steps to render',
  ],
  ['a range without measure', '{{ range(1000000000) }}', 'a range of 1000000000 numbers'],
  ['another library', '{% import "os" as os %}', 'imports os as os'],
  ['a file that is not there', '{% include "none.json" %}', 'none.json is not there'],
  ['what is no template', '{% if %}', 'cannot be rendered'],
  ['a way out of the interpreter', '{{ range.constructor("return 1")() }}', 'cannot be rendered'],
])('%s is refused', (_, template, message) => {
  expect(refusal({ 'track.json': template })).toContain(message);
});

test('what is no JSON once it is rendered says so', () => {
  expect(() => rendered({ 'track.json': '[1,' })).toThrow('is no JSON once it is rendered');
});
