/** The form of the editor. Its sections begin with those that everybody needs and end with rarely used ones. */
import { EuiCallOut, EuiSpacer } from '@elastic/eui';
import { useMemo, type KeyboardEvent, type ReactNode } from 'react';
import { formatPath } from '../../../../common/experiment/path';
import { locate } from '../../../../common/experiment/text/locate';
import { i18n } from '../../../i18n';
import type { EditorState } from '../use-editor';
import { FormProvider, type FormState } from './context';
import { FormSections } from './sections';

/**
 * Handles the keys for undo and redo in the form: they undo and redo changes of the definition. While a field contains an invalid text, the
 * keys only affect the text of this field.
 */
function undoKeys({ view, unread }: EditorState, event: KeyboardEvent): void {
  const field = event.target instanceof HTMLElement ? event.target.dataset['path'] : undefined;
  if (unread.list.some(({ path }) => formatPath(path) === field)) return;
  // In this case, a code editor has already handled the key.
  if (event.defaultPrevented) return;
  if (!view || !(event.ctrlKey || event.metaKey) || event.altKey) return;
  const key = event.key.toLowerCase();
  if (key !== 'z' && key !== 'y') return;
  event.preventDefault();
  if (key === 'y' || event.shiftKey) view.redo();
  else view.undo();
}

export function DefinitionForm({ editor, readOnly }: { editor: EditorState; readOnly: boolean }): ReactNode {
  const { values, checked, readable, edit, view, unread } = editor;
  const form = useMemo<FormState>(
    () => ({
      values,
      problems: readable ? checked.problems : [],
      unread,
      disabled: readOnly || view === null,
      edit,
      reveal: (path) => view?.reveal(path === null ? null : locate(view.text(), path)),
    }),
    [values, checked, readable, readOnly, edit, view, unread],
  );
  return (
    <FormProvider value={form}>
      <div
        onKeyDown={(event) => undoKeys(editor, event)}
        onBlur={({ relatedTarget, currentTarget }) => {
          if (!currentTarget.contains(relatedTarget)) view?.reveal(null);
        }}
      >
        {readable ? null : (
          <>
            <EuiCallOut
              announceOnMount
              size="s"
              color="warning"
              iconType="warning"
              title={i18n.translate('dyno.editor.form.unreadable', {
                defaultMessage: 'The YAML cannot be read: fix it there first',
              })}
            />
            <EuiSpacer size="m" />
          </>
        )}
        {/* The values of the last text that could be read, for reading only. */}
        <div {...(readable ? {} : { inert: '', css: { opacity: 0.6 } })}>
          <FormSections />
        </div>
      </div>
    </FormProvider>
  );
}
