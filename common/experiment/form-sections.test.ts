import type { Change, FormRow, Way, Written } from '../fields/form';
import { TASK_KINDS } from '../tasks/registry';
import { BASICS, INDEX, MEASUREMENT, PRELOAD } from './form-sections';
import { editText } from './text/edit';
import { openDocument, valueOf } from './document';

type Row = FormRow<string>;

/** All choices between ways to write something in a form, those below other choices too. */
function waysIn(rows: readonly Row[]): (readonly Way<string>[])[] {
  return rows.flatMap((row) => {
    if ('rows' in row) return waysIn(row.rows);
    if (!('kind' in row)) return waysIn(row);
    return row.kind === 'ways' ? [row.ways, ...row.ways.flatMap((way) => waysIn(way.rows ?? []))] : [];
  });
}

/** What is written after the changes, as the form makes them. */
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

const FORMS: readonly (readonly [string, readonly Row[], Written])[] = [
  ...[BASICS, INDEX, PRELOAD, MEASUREMENT].map(
    ({ title, rows }) => [title.text, rows, {}] as [string, readonly Row[], Written],
  ),
  ...TASK_KINDS.map(
    ({ name, form, first }) =>
      [name, form, first.work as Written] as unknown as [string, readonly Row[], Written],
  ),
  ['search of its own', TASK_KINDS.find(({ name }) => name === 'search')!.form, { requests: [] }],
];

const WITH_WAYS = FORMS.filter(([, rows]) => waysIn(rows).length > 0);

test.each(WITH_WAYS)(
  'each way of %s to write something is recognised once it is chosen',
  (_, rows, first) => {
    for (const ways of waysIn(rows))
      for (const from of ways)
        for (const to of ways) {
          const before = after(first, from.writes(first));
          const now = after(before, to.writes(before));
          expect(ways.find(({ is }) => is(now))?.value).toBe(to.value);
        }
  },
);
