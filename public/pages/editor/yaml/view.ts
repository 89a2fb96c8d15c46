/** The text editor: CodeMirror for YAML, whose history is also the form's. */
import { autocompletion, completionKeymap, type CompletionContext } from '@codemirror/autocomplete';
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
import { completionsAt, type Known } from './completions';

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
  /** What may be named in requests, as it is known when it is asked for. */
  known: () => Known;
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
  known,
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
        autocompletion({ override: [(context) => complete(context, known())], icons: false }),
        lintGutter(),
        revealed,
        // Tab leaves the editor, as everywhere else on the page; Ctrl-] and Ctrl-[ indent.
        keymap.of([...defaultKeymap, ...historyKeymap, ...foldKeymap, ...lintKeymap, ...completionKeymap]),
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

/** Of a line, so much before the cursor says what it names, characters. */
const LONGEST_BEFORE = 1000;

/** So many lines above say what a line belongs to. */
const LINES_ABOVE = 40;

function complete(context: CompletionContext, known: Known): ReturnType<typeof completionsAt> {
  const { state, pos, explicit } = context;
  const line = state.doc.lineAt(pos);
  const above = Array.from(
    { length: Math.min(LINES_ABOVE, line.number - 1) },
    (_, back) => state.doc.line(line.number - 1 - back).text,
  );
  const begin = Math.max(line.from, pos - LONGEST_BEFORE);
  const found = completionsAt(state.sliceDoc(begin, pos), above, known, explicit);
  return found && { ...found, from: begin + found.from };
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
