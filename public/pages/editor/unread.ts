/**
 * Texts that fields of the form show, but that are not valid values yet, such as an incomplete query. Until such a text is valid, the
 * definition contains the previous value of the field. Each such text counts as a problem, so the definition can be neither saved nor run.
 */
import { useCallback, useMemo, useState } from 'react';
import { formatPath } from '../../../common/experiment/path';
import type { EditPath } from '../../../common/experiment/text/edit';
import { sameValue, valueAt } from '../../../common/experiment/text/values';
import type { Problem } from '../../../common/problem';

/** Code of the problem *a field of the form contains an invalid text*. */
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
  /** Removes the invalid texts at these paths and at paths below them. */
  drop: (paths: readonly EditPath[]) => void;
  clear: () => void;
}

/** Whether `path` is `ancestor` itself or one of its descendants. */
const isWithin = (path: EditPath, ancestor: EditPath): boolean =>
  ancestor.every((segment, at) => String(segment) === String(path[at]));

/**
 * Stores the invalid texts in the form's fields. `values`: current values of the definition. An invalid text is discarded if another
 * action, such as an edit of the YAML or undo, changes the value at its path.
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

/** Returns the invalid text that the field at `path` shows. Null if the field shows the value in the definition. */
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
