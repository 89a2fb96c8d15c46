/** What every field of the form needs: the values, how to change them, what is wrong with them. */
import { createContext, useContext, useMemo } from 'react';
import { formatPath } from '../../../../common/experiment/path';
import { exactText, stringifyExact } from '../../../../common/json/exact';
import type { Edit, EditPath } from '../../../../common/experiment/text/edit';
import { describeProblem, type Problem } from '../../../../common/problem';

export interface FormState {
  values: Record<string, unknown>;
  problems: readonly Problem[];
  disabled: boolean;
  edit: (edits: readonly Edit[]) => void;
  /** Shows where a path stands in the YAML; null lets go. */
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

/** The value at `path`; undefined where there is none. */
export const valueAtPath = (values: unknown, path: EditPath): unknown =>
  path.reduce<unknown>(
    (value, segment) =>
      Array.isArray(value) ? (value as unknown[])[Number(segment)] : asRecord(value)[String(segment)],
    values,
  );

export interface Field {
  /** As it is written. */
  value: unknown;
  /** Undefined, or what is emptied, is taken out. */
  set: (value: unknown) => void;
  /** Sentences without the path. */
  errors: string[];
  disabled: boolean;
  onFocus: () => void;
}

/** Sentences of the problems at `path` itself; with `below`, of everything beneath it too. */
export function useErrors(path: EditPath, below = false): string[] {
  const { problems } = useForm();
  const text = formatPath(path);
  return useMemo(
    () =>
      problems
        .filter((one) => one.path === text || (below && isBelow(one.path, text)))
        .map((one) =>
          describeProblem({
            ...one,
            path: one.path === text ? '' : one.path.slice(text.length).replace(/^\./, ''),
          }),
        ),
    [problems, text, below],
  );
}

const isBelow = (path: string, above: string): boolean =>
  path.startsWith(`${above}.`) || path.startsWith(`${above}[`) || path.startsWith(`${above} (`);

export function useField(path: EditPath): Field {
  const { values, edit, disabled, reveal } = useForm();
  return {
    value: valueAtPath(values, path),
    set: (value) => edit([value === undefined ? { path, remove: true } : { path, value }]),
    errors: useErrors(path),
    disabled,
    onFocus: () => reveal(formatPath(path)),
  };
}
