import type { Change, FormRow, ListField, Way, Written } from '../fields/form';
import { TASK_KINDS } from '../tasks/registry';
import { DRAWN_REQUESTS, SEARCHES_IN_ORDER } from '../tasks/request-rows';
import { FACTORS } from './form-factors';
import { RECIPE_FIELD } from './form-recipe';
import { BASICS, INDEX, MEASUREMENT, PRELOAD } from './form-sections';
import { definitionSchema } from './definition';
import { editText } from './text/edit';
import { openDocument, valueOf } from './document';

type Row = FormRow<string>;

/**
 * Returns all alternatives that a form offers (`ways`), one list for each field with alternatives, including fields inside alternatives.
 */
function waysIn(rows: readonly Row[]): (readonly Way<string>[])[] {
  return rows.flatMap((row) => {
    if ('rows' in row) return waysIn(row.rows);
    if (!('kind' in row)) return waysIn(row);
    return row.kind === 'ways' ? [row.ways, ...row.ways.flatMap((way) => waysIn(way.rows ?? []))] : [];
  });
}

/** Returns the definition after the changes that the form makes. */
function after(written: Written, changes: readonly Change[]): Written {
  const text = editText(
    JSON.stringify(written),
    changes.map(({ key, value }) => {
      const path = key.split('.');
      return value === undefined ? { path, remove: true as const } : { path, value };
    }),
  );
  return (valueOf(openDocument(text)) ?? {}) as Written;
}

/**
 * Returns the paths in the definition that the fields of a form write. For a part of the form with its own React component, returns the
 * name of the part instead.
 */
function pathsIn(rows: readonly Row[]): string[] {
  return rows.flatMap((row): string[] => {
    if ('rows' in row) return pathsIn(row.rows);
    if (!('kind' in row)) return pathsIn(row);
    switch (row.kind) {
      case 'note':
        return [];
      case 'part':
        return [row.part];
      case 'either':
        return row.options.map(({ field }) => [row.below, field.key].filter(Boolean).join('.'));
      case 'ways':
        return [row.key ?? '', ...row.ways.flatMap((way) => pathsIn(way.rows ?? []))];
      default:
        return [row.key];
    }
  });
}

interface Schema {
  shape?: Readonly<Record<string, Schema>>;
  unwrap?: () => Schema;
}

const shapeOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  schema.shape ?? shapeOf(schema.unwrap!());

test.each([
  ['index', INDEX],
  ['measure', MEASUREMENT],
  ['preload', PRELOAD],
])('every key of `%s` has a field in its section', (root, { rows }) => {
  const inForm = pathsIn(rows).map((path) => path.replace(`${root}.`, '').split('.')[0]);
  expect(inForm).toEqual(
    expect.arrayContaining(Object.keys(shapeOf(shapeOf(definitionSchema as unknown as Schema)[root]!))),
  );
});

/** Returns the fields of a request in the list of custom requests that `row` offers. */
const requestsOf = (row: Row): readonly Row[] => {
  const [list] = waysIn([row]).flatMap((ways) =>
    ways.flatMap(({ rows = [] }) => rows.filter((one) => 'kind' in one && one.kind === 'list')),
  );
  return (list as ListField<string>).itemRows({});
};

const FORMS: readonly (readonly [string, readonly Row[], Written])[] = [
  ...[BASICS, INDEX, PRELOAD, MEASUREMENT].map(
    ({ title, rows }) => [title.text, rows, {}] as [string, readonly Row[], Written],
  ),
  ...TASK_KINDS.map(
    ({ name, form, first }) =>
      [name, form, first.work as Written] as unknown as [string, readonly Row[], Written],
  ),
  ['Factors', FACTORS.rows, { factors: { 'index.settings.codec': ['default', 'best_compression'] } }],
  ['a step of a recipe', RECIPE_FIELD.itemRows({}), { name: 'one', refresh: true }],
  ['a request by its kind', DRAWN_REQUESTS.itemRows({}), { name: 'one', count: {} }],
  ['a search in a transaction', requestsOf(SEARCHES_IN_ORDER), { name: 'one', body: {} }],
  ['custom search', TASK_KINDS.find(({ name }) => name === 'search')!.form, { requests: [] }],
];

const WITH_WAYS = FORMS.filter(([, rows]) => waysIn(rows).length > 0);

test.each(WITH_WAYS)('each choice of %s is recognised after it was chosen', (_, rows, first) => {
  for (const ways of waysIn(rows))
    for (const from of ways)
      for (const to of ways) {
        const before = after(first, from.writes(first));
        const now = after(before, to.writes(before));
        expect(ways.find(({ is }) => is(now))?.value).toBe(to.value);
      }
});
