/**
 * State of an editor: the text of an experiment. The user edits the text as YAML or in a form. Unsaved changes survive a reload of the
 * page.
 */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Experiment } from '../../../common/api/experiments';
import { editText, type Edit } from '../../../common/experiment/text/edit';
import { fixOf } from '../../../common/experiment/text/fix';
import type { Problem } from '../../../common/problem';
import { keepDraft, readDraft } from './draft';
import { check, valuesOf, withFormProblems, type Checked } from './model';
import { unreadProblems, useUnread, type UnreadTexts } from './unread';
import type { YamlView } from './yaml/view';

/** Delay between the user's last change and the check of the text, in ms. */
const PAUSE_MS = 150;

export interface EditorState {
  text: string;
  /** Values of the text. While the text is not valid YAML, these are the values of the last version that was valid. */
  values: Record<string, unknown>;
  /** Whether the text is valid YAML. */
  readable: boolean;
  checked: Checked;
  /** Texts in fields of the form that are not valid values yet. `checked` contains a problem for each. */
  unread: UnreadTexts;
  /** Checks the text immediately and returns the result. Otherwise, `checked` is updated with a delay after each change. */
  checkNow: () => Checked;
  /** The experiment as it was last loaded or saved; null for an experiment that was never saved. */
  base: Experiment | null;
  dirty: boolean;
  /** Whether the text contains unsaved changes from before a reload of the page. */
  restored: boolean;
  history: { undo: number; redo: number };
  /** The YAML editor; null until it is mounted. */
  view: YamlView | null;
  /** Text with which the YAML editor begins. */
  initial: string;
  edit: (edits: readonly Edit[]) => void;
  /** Replaces a wrong text with the correction that the problem suggests. */
  fix: (problem: Problem) => void;
  setText: (text: string) => void;
  onChange: (text: string, history: { undo: number; redo: number }) => void;
  setView: (view: YamlView) => void;
  /** Sets the saved experiment with which the text is compared. The text does not change. */
  setBase: (base: Experiment) => void;
}

function useDebounced<T>(value: T, ms: number): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

/**
 * Returns the state of an editor. `subject`: key under which the browser stores unsaved changes. `saved`: the saved experiment; null for a
 * new one. `start`: initial text of a new experiment.
 */
export function useEditor(subject: string, saved: Experiment | null, start: string): EditorState {
  const [base, setBase] = useState(saved);
  const original = base?.text ?? start;
  const [draft] = useState(() => readDraft(subject));
  const [initial] = useState(() => draft?.text ?? original);
  const [text, setOwnText] = useState(initial);
  const [history, setHistory] = useState({ undo: 0, redo: 0 });
  const [view, setView] = useState<YamlView | null>(null);
  const settled = useDebounced(text, PAUSE_MS);
  const checkedText = useMemo(() => check(settled), [settled]);

  const now = useMemo(() => valuesOf(text), [text]);
  const last = useRef<Record<string, unknown>>({});
  if (now) last.current = now;
  const values = last.current;
  const unread = useUnread(values);
  const checked = useMemo(() => withFormProblems(checkedText, unreadProblems(unread)), [checkedText, unread]);

  // A new experiment that was not changed does not count as unsaved.
  const dirty = text !== original || unread.list.length > 0;
  useEffect(() => {
    keepDraft(subject, settled === original ? null : { text: settled, base: original });
  }, [subject, settled, original]);

  const onChange = useCallback((next: string, depth: { undo: number; redo: number }) => {
    setOwnText(next);
    setHistory(depth);
  }, []);
  const { clear, drop } = unread;
  const setText = useCallback(
    (next: string) => {
      clear();
      view?.setText(next);
    },
    [view, clear],
  );
  const edit = useCallback(
    (edits: readonly Edit[]) => {
      drop(edits.map(({ path }) => path));
      view?.setText(editText(view.text(), edits));
    },
    [view, drop],
  );

  const fix = useCallback(
    (problem: Problem) => view?.setText(editText(view.text(), fixOf(view.text(), problem))),
    [view],
  );

  return {
    text,
    values,
    readable: now !== undefined,
    checked,
    unread,
    checkNow: () => withFormProblems(check(view?.text() ?? text), unreadProblems(unread)),
    base,
    dirty,
    restored: draft !== null && draft.text !== original,
    history,
    view,
    initial,
    edit,
    fix,
    setText,
    onChange,
    setView,
    setBase,
  };
}
