/** The one text of an editor: changed by hand, by the form, saved, taken back; never lost. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { Experiment } from '../../../common/api/experiments';
import { editText, type Edit } from '../../../common/experiment/text/edit';
import { fixOf } from '../../../common/experiment/text/fix';
import type { Problem } from '../../../common/problem';
import { keepDraft, readDraft } from './draft';
import { check, valuesOf, withFormProblems, type Checked } from './model';
import { unreadProblems, useUnread, type UnreadTexts } from './unread';
import type { YamlView } from './yaml/view';

/** So long after the last change the text is checked, ms. */
const PAUSE_MS = 150;

export interface EditorState {
  text: string;
  /** What the text holds, or held when it was last YAML. */
  values: Record<string, unknown>;
  /** False while the text is no YAML. */
  readable: boolean;
  checked: Checked;
  /** Texts of the form that are no value yet; they are among the problems of `checked`. */
  unread: UnreadTexts;
  /** Checks the text as it is at this moment: `checked` follows the typing with a pause. */
  checkNow: () => Checked;
  /** The saved experiment that the text began from; null for a new one. */
  base: Experiment | null;
  dirty: boolean;
  /** Whether a draft of before was taken up. */
  restored: boolean;
  history: { undo: number; redo: number };
  /** Null until it stands. */
  view: YamlView | null;
  /** Text that the view begins with. */
  initial: string;
  edit: (edits: readonly Edit[]) => void;
  /** Writes what the problem suggests. */
  fix: (problem: Problem) => void;
  setText: (text: string) => void;
  onChange: (text: string, history: { undo: number; redo: number }) => void;
  setView: (view: YamlView) => void;
  /** What is saved now; the text stays as it is. */
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

/** `subject` names what is edited, for its draft; `start` is its text where nothing is saved yet. */
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

  // A new experiment that nobody has touched is nothing to lose; a started one is.
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
