/** Helpers for code editors in tests: jsdom has no text layout, so nothing can be typed into them key by key. */
import { EditorView } from '@codemirror/view';
import { act } from '@testing-library/react';

const viewOf = (field: HTMLElement): EditorView => {
  const view = EditorView.findFromDOM(field);
  if (view === null) throw new Error('this is not a code editor');
  return view;
};

export const codeOf = (field: HTMLElement): string => viewOf(field).state.doc.toString();

/** Replaces the text of an editor, as selecting all and pasting does. */
export function typeCode(field: HTMLElement, text: string): void {
  const view = viewOf(field);
  act(() =>
    view.dispatch({
      changes: { from: 0, to: view.state.doc.length, insert: text },
      selection: { anchor: text.length },
      userEvent: 'input.paste',
    }),
  );
}
