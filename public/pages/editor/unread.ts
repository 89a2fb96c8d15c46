/**
 * Texts in fields of the form that are not valid values yet, such as an incomplete query. While a field contains such a text, the
 * definition contains the previous value. Each such text counts as a problem, so that nothing can be saved or run until all texts are
 * valid.
 */
import { useCallback, useMemo, useState } from 'react';
import { formatPath } from '../../../common/experiment/path';
import type { EditPath } from '../../../common/experiment/text/edit';
import { sameValue, valueAt } from '../../../common/experiment/text/values';
import type { Problem } from '../../../common/problem';

/** Code of the problem that a field of the form contains an invalid text. */
export const UNREAD = 'definition.unread';

export interface Unread {
  path: EditPath;
  /** Text in the field. */
  text: string;
  /** Reason why the text is not a valid value, as a sentence without a full stop. */
  why: string;
  /** Value at this path in the definition while the field contains the invalid text. */
  value: unknown;
}

export interface UnreadTexts {
  list: readonly Unread[];
  hold: (unread: Unread) => void;
  /** Removes the texts at these paths and below them. */
  drop: (paths: readonly EditPath[]) => void;
  clear: () => void;
}

/** Whether `path` is `ancestor` itself or one of its descendants. */
const isWithin = (path: EditPath, ancestor: EditPath): boolean =>
  ancestor.every((segment, at) => String(segment) === String(path[at]));

/**
 * Keeps the texts in the form's fields that are not valid values. `values`: current values of the definition. A text is discarded if the
 * value at its path changes otherwise: in the YAML, or by undo.
 */
export function useUnread(values: Record<string, unknown>): UnreadTexts {
  const [held, setHeld] = useState<readonly Unread[]>([]);
  const list = useMemo(
    () => held.filter(({ path, value }) => sameValue(valueAt(values, path), value)),
    [held, values],
  );
  const drop = useCallback(
    (paths: readonly EditPath[]) =>
      setHeld((now) => {
        const left = now.filter(({ path }) => !paths.some((one) => isWithin(path, one)));
        return left.length === now.length ? now : left;
      }),
    [],
  );
  const hold = useCallback(
    (unread: Unread) => setHeld((now) => [...now.filter(({ path }) => !isWithin(path, unread.path)), unread]),
    [],
  );
  const clear = useCallback(() => setHeld([]), []);
  return useMemo(() => ({ list, hold, drop, clear }), [list, hold, drop, clear]);
}

/** Returns the text at `path` that is not a valid value. Null if the field shows the value in the definition. */
export const unreadAt = ({ list }: UnreadTexts, path: EditPath): string | null =>
  list.find((one) => one.path.length === path.length && isWithin(one.path, path))?.text ?? null;

export const isUnreadWithin = ({ list }: UnreadTexts, path: EditPath): boolean =>
  list.some((one) => isWithin(one.path, path));

export const unreadProblems = ({ list }: UnreadTexts): Problem[] =>
  list.map(({ path, why }) => ({
    code: UNREAD,
    path: formatPath(path),
    message: `${why}. The definition still has the previous value`,
  }));
