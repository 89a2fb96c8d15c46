/** What every field of the form needs: the values, how to change them, what is wrong with them. */
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
  /** Texts of fields that are no value yet. */
  unread: UnreadTexts;
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

export { valueAt as valueAtPath };

export interface PartProps {
  /** Of what the form is about. */
  path: EditPath;
  /** What is written there. */
  value: Record<string, unknown>;
}

/** A part that a description names. */
export type Part = ComponentType<PartProps>;

export interface Field {
  /** As it is written. */
  value: unknown;
  /** Undefined, or what is emptied, is taken out. */
  set: (value: unknown) => void;
  /** What is typed and is no value yet; null where there is nothing of that kind. */
  unread: string | null;
  /** Keeps a text that is no value: the definition stays as it is, and cannot be saved. `why` is a sentence without a full stop. */
  hold: (text: string, why: string) => void;
  /** Forgets such a text. */
  drop: () => void;
  /** Sentences without the path. */
  errors: string[];
  disabled: boolean;
  onFocus: () => void;
}

/** Problems at `path` itself, whose own path becomes ''; with `below`, also those of everything beneath it, by their path from there. */
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

/** Sentences of {@link useProblems}. */
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
  // What nobody sees any more must not block the saving.
  // eslint-disable-next-line react-hooks/exhaustive-deps -- the path by its name: it is a new list each time
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
