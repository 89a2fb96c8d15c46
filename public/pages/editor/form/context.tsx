/** Context of the form: the values, functions that change them, and their problems. */
import { createContext, useContext, useEffect, useMemo, type ComponentType } from 'react';
import { formatPath } from '../../../../common/experiment/path';
import { exactText, stringifyExact } from '../../../../common/json/exact';
import type { Edit, EditPath } from '../../../../common/experiment/text/edit';
import { valueAt } from '../../../../common/experiment/text/values';
import { describeProblem, type Problem } from '../../../../common/problem';
import { unreadAt, type UnreadTexts } from '../unread';

export interface FormState {
  values: Record<string, unknown>;
  problems: readonly Problem[];
  /** Texts that are shown in fields, but are not valid values at the moment. The definition does not contain them. */
  unread: UnreadTexts;
  disabled: boolean;
  edit: (edits: readonly Edit[]) => void;
  /** Highlights the lines of a path of the definition in the YAML editor; null removes the highlight. */
  reveal: (path: string | null) => void;
}

const Context = createContext<FormState | null>(null);

export const FormProvider = Context.Provider;

export function useForm(): FormState {
  const form = useContext(Context);
  if (form === null) throw new Error('outside the form');
  return form;
}

export const asRecord = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? (value as unknown[]) : []);

export const asText = (value: unknown): string =>
  typeof value === 'string'
    ? exactText(value)
    : value === undefined || value === null
      ? ''
      : typeof value === 'object'
        ? stringifyExact(value)
        : String(value as number | boolean);

export { valueAt as valueAtPath };

export interface PartProps {
  /** Path in the definition of the object that this component edits. */
  path: EditPath;
  /** Value of this object in the definition. */
  value: Record<string, unknown>;
}

/** A component that edits a part of a definition. common/fields/form.ts refers to it by name. */
export type Part = ComponentType<PartProps>;

export interface Field {
  /** Value in the definition. */
  value: unknown;
  /** Sets the value in the definition. Undefined removes the key. */
  set: (value: unknown) => void;
  /** Text that is shown in the field, but is not a valid value yet. Null if the field shows the value in the definition. */
  unread: string | null;
  /**
   * Keeps an invalid text in the field. The definition keeps its previous value, and cannot be saved until the text is valid. `why`: the
   * reason as a sentence without a full stop.
   */
  hold: (text: string, why: string) => void;
  /** Removes a text that was kept with {@link hold}. */
  drop: () => void;
  /** Error messages for this field. */
  errors: string[];
  disabled: boolean;
  onFocus: () => void;
}

/**
 * Returns the problems of the value at `path`. `below`: whether problems of nested values are included. Paths in the result are relative to
 * `path`; '' refers to the value itself.
 */
export function useProblems(path: EditPath, below = false): readonly Problem[] {
  const { problems } = useForm();
  const text = formatPath(path);
  return useMemo(
    () =>
      problems
        .filter((one) => one.path === text || (below && isBelow(one.path, text)))
        .map((one) => ({ ...one, path: one.path.slice(text.length).replace(/^\./, '') })),
    [problems, text, below],
  );
}

/** Returns the error messages for the value at `path`. `below`: whether errors of nested values are included. */
export function useErrors(path: EditPath, below = false): string[] {
  const problems = useProblems(path, below);
  return useMemo(() => problems.map(describeProblem), [problems]);
}

const isBelow = (path: string, above: string): boolean =>
  path.startsWith(`${above}.`) || path.startsWith(`${above}[`) || path.startsWith(`${above} (`);

export function useField(path: EditPath): Field {
  const { values, edit, disabled, reveal, unread } = useForm();
  const value = valueAt(values, path);
  const name = formatPath(path);
  const { drop } = unread;
  // Problems of fields that are no longer shown must not prevent saving.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the name identifies the path, which is a new list each time
  useEffect(() => () => drop([path]), [drop, name]);
  return {
    value,
    unread: unreadAt(unread, path),
    hold: (text, why) => unread.hold({ path, text, why, value }),
    drop: () => drop([path]),
    set: (value) => edit([value === undefined ? { path, remove: true } : { path, value }]),
    errors: useErrors(path),
    disabled,
    onFocus: () => reveal(name),
  };
}
