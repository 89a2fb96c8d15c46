/** The text editor: CodeMirror for YAML, whose history is also the form's. */
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
  type DecorationSet,
} from '@codemirror/view';
import type { Extension } from '@codemirror/state';
import type { Place } from '../../../../common/experiment/text/locate';

const reveal = StateEffect.define<number | null>();

/** The line that the form speaks of just now. */
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
  label: string;
  readOnly: boolean;
  theme: Extension;
  onChange: (text: string, history: { undo: number; redo: number }) => void;
}

export interface YamlView {
  text(): string;
  /** Changes no more of it than differs: the cursor stays, and undo takes back just that. */
  setText(text: string): void;
  setProblems(diagnostics: readonly Diagnostic[]): void;
  setTheme(theme: Extension): void;
  /** Brings a place into sight; null lets go of it. */
  reveal(place: Place | null): void;
  /** Puts the cursor there. */
  goTo(place: Place): void;
  undo(): void;
  redo(): void;
  destroy(): void;
}

export function createYamlView({
  parent,
  text,
  label,
  readOnly,
  theme,
  onChange,
}: YamlViewOptions): YamlView {
  const themes = new Compartment();
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
        EditorState.readOnly.of(readOnly),
        EditorState.lineSeparator.of('\n'),
        indentOnInput(),
        indentUnit.of('  '),
        bracketMatching(),
        highlightActiveLine(),
        yaml(),
        lintGutter(),
        revealed,
        // Tab leaves the editor, as everywhere else on the page; Ctrl-] and Ctrl-[ indent.
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap]),
        EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0', 'data-test-subj': 'dynoYaml' }),
        EditorView.lineWrapping,
        themes.of(theme),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged) onChange(state.doc.toString(), { undo: undoDepth(state), redo: redoDepth(state) });
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
      if (change) view.dispatch({ changes: change, userEvent: 'input.form' });
    },
    setProblems: (diagnostics) => {
      const inside = diagnostics.map((one) => ({ ...one, from: bounded(one.from), to: bounded(one.to) }));
      view.dispatch(setDiagnostics(view.state, inside));
    },
    setTheme: (next) => view.dispatch({ effects: themes.reconfigure(next) }),
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

/** The one piece in which two texts differ. */
function difference(now: string, next: string): { from: number; to: number; insert: string } | null {
  if (now === next) return null;
  const least = Math.min(now.length, next.length);
  let head = 0;
  while (head < least && now[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < least - head && now.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  return { from: head, to: now.length - tail, insert: next.slice(head, next.length - tail) };
}
