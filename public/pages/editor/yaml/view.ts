/**
 * Text editor based on CodeMirror, for YAML, which includes JSON. The editor page uses it for the definition and for fields of the form.
 */
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
  type CompletionContext,
} from '@codemirror/autocomplete';
import {
  defaultKeymap,
  history,
  historyKeymap,
  redo,
  redoDepth,
  undo,
  undoDepth,
} from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, foldKeymap, indentOnInput, indentUnit } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { Compartment, EditorSelection, EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers,
  placeholder,
  type DecorationSet,
  type KeyBinding,
} from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import type { Place } from '../../../../common/experiment/text/locate';
import { completionsAt, type Known } from './completions';

const reveal = StateEffect.define<number | null>();

/** State of CodeMirror: marks the lines that belong to the current field of the form. */
const revealed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, transaction) {
    for (const effect of transaction.effects) {
      if (!effect.is(reveal)) continue;
      return effect.value === null
        ? Decoration.none
        : Decoration.set([Decoration.line({ class: 'cm-revealed' }).range(effect.value)]);
    }
    return marks.map(transaction.changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export interface YamlViewOptions {
  parent: HTMLElement;
  text: string;
  /** Returns HTML attributes for the editable element, such as its label. Called again after each change. */
  attributes: () => Record<string, string>;
  readOnly: boolean;
  theme: Extension;
  /** Placeholder that is shown while the text is empty. */
  placeholder?: string | undefined;
  /** Keys of the definition that lead to the edited text, from the outermost. The completions depend on these keys. */
  path?: readonly string[];
  /** Returns the names that are offered as completions: fields of the documents and parameters of requests. */
  known: () => Known;
  /**
   * Returns true while the keys for undo and redo should revert changes of the whole definition, not only changes in this editor. The
   * editor then ignores these keys, and the page handles them.
   */
  leavesUndo?: () => boolean;
  /**
   * Called after each change. `history`: numbers of changes that can be undone and redone. `isOwn`: true if {@link YamlView.setText} made
   * the change, false if the user did.
   */
  onChange: (text: string, history: { undo: number; redo: number }, isOwn: boolean) => void;
}

/** CodeMirror's user event for changes that {@link YamlView.setText} makes. */
const SET = 'input.form';

export interface YamlView {
  text(): string;
  /** Sets the text. Only the differing range is replaced. Therefore, the cursor stays in place, and undo reverts only this range. */
  setText(text: string): void;
  setProblems(diagnostics: readonly Diagnostic[]): void;
  setTheme(theme: Extension): void;
  setReadOnly(readOnly: boolean): void;
  /** Scrolls to a place in the text and highlights it; null removes the highlight. */
  reveal(place: Place | null): void;
  /** Moves the cursor to a place in the text. */
  goTo(place: Place): void;
  undo(): void;
  redo(): void;
  destroy(): void;
}

export function createYamlView({
  parent,
  text,
  attributes,
  readOnly,
  theme,
  placeholder: hint = '',
  path = [],
  known,
  leavesUndo,
  onChange,
}: YamlViewOptions): YamlView {
  const themes = new Compartment();
  const writing = new Compartment();
  const unlessLeft = (binding: KeyBinding): KeyBinding => ({
    ...binding,
    run: (view) => !leavesUndo!() && binding.run!(view),
    // If this were true, the page would treat the key as handled here.
    preventDefault: false,
  });
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: text,
      extensions: [
        lineNumbers(),
        highlightActiveLineGutter(),
        foldGutter(),
        history(),
        drawSelection(),
        EditorState.allowMultipleSelections.of(true),
        writing.of(EditorState.readOnly.of(readOnly)),
        EditorState.lineSeparator.of('\n'),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        closeBrackets(),
        highlightActiveLine(),
        yaml(),
        placeholder(hint),
        autocompletion({ override: [(context) => complete(context, path, known())], icons: false }),
        lintGutter(),
        revealed,
        // Tab moves the focus out of the editor, as everywhere on the page. Ctrl-] and Ctrl-[ indent.
        keymap.of([
          ...closeBracketsKeymap,
          ...defaultKeymap,
          ...(leavesUndo === undefined ? historyKeymap : historyKeymap.map(unlessLeft)),
          ...foldKeymap,
          ...lintKeymap,
          ...completionKeymap,
        ]),
        EditorView.contentAttributes.of(() => ({ tabindex: '0', ...attributes() })),
        EditorView.lineWrapping,
        themes.of(theme),
        EditorView.updateListener.of(({ docChanged, state, transactions }) => {
          if (!docChanged) return;
          const depth = { undo: undoDepth(state), redo: redoDepth(state) };
          onChange(
            state.doc.toString(),
            depth,
            transactions.some((one) => one.isUserEvent(SET)),
          );
        }),
      ],
    }),
  });
  const bounded = (at: number): number => Math.min(at, view.state.doc.length);
  return {
    text: () => view.state.doc.toString(),
    setText(next) {
      const now = view.state.doc.toString();
      const change = difference(now, next);
      if (change) view.dispatch({ changes: change, userEvent: SET });
    },
    setProblems: (diagnostics) => {
      const inside = diagnostics.map((one) => ({ ...one, from: bounded(one.from), to: bounded(one.to) }));
      view.dispatch(setDiagnostics(view.state, inside));
    },
    setTheme: (next) => view.dispatch({ effects: themes.reconfigure(next) }),
    setReadOnly: (next) => view.dispatch({ effects: writing.reconfigure(EditorState.readOnly.of(next)) }),
    reveal(place) {
      const line = place && view.state.doc.lineAt(bounded(place.from)).from;
      view.dispatch({
        effects: [
          reveal.of(line),
          ...(line === null ? [] : [EditorView.scrollIntoView(line, { y: 'center' })]),
        ],
      });
    },
    goTo({ from, to }) {
      view.dispatch({
        selection: EditorSelection.range(bounded(from), bounded(to)),
        effects: EditorView.scrollIntoView(bounded(from), { y: 'center' }),
      });
      view.focus();
    },
    undo: () => undo(view),
    redo: () => redo(view),
    destroy: () => view.destroy(),
  };
}

const complete = (
  { state, pos, explicit }: CompletionContext,
  path: readonly string[],
  known: Known,
): ReturnType<typeof completionsAt> => completionsAt(state.sliceDoc(0, pos), path, known, explicit);

/** Returns the range of `now` that must be replaced to get `next`, and the text to insert there. Null if the two texts are equal. */
function difference(now: string, next: string): { from: number; to: number; insert: string } | null {
  if (now === next) return null;
  const least = Math.min(now.length, next.length);
  let head = 0;
  while (head < least && now[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < least - head && now.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  return { from: head, to: now.length - tail, insert: next.slice(head, next.length - tail) };
}
