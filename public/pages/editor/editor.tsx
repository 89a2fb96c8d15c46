/** Editor of one experiment: a form and YAML for the same text, its problems, and its estimated cost. */
import { EuiButtonEmpty, EuiCallOut, EuiSpacer } from '@elastic/eui';
import { useRef, useState, type ReactNode } from 'react';
import type { Experiment } from '../../../common/api/experiments';
import { useApp, usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { downloadYaml } from '../../ui/download';
import { Page } from '../../ui/page';
import { RunDialog } from '../experiments/run-dialog';
import { Conflict } from './conflict';
import { LOCAL_TARGET } from '../../../common/api/targets';
import { LoadsHost } from '../../ui/loads-host';
import { CostPanel } from './cost-panel';
import { keepDraft } from './draft';
import { DefinitionForm } from './form';
import { asText } from './form/context';
import { focusField } from './form/fields';
import { LeaveGuard } from './leave-guard';
import type { PlacedProblem } from './model';
import { Panes, type Pane } from './panes';
import { ProblemPanel } from './problem-panel';
import { Toolbar, type MenuAction } from './toolbar';
import { useKnown } from './target-fields';
import { UNREAD } from './unread';
import { useEditor, type EditorState } from './use-editor';
import { useSaving } from './use-saving';
import { YamlPane } from './yaml/pane';

interface EditorProps {
  /** Key under which the browser stores unsaved changes: the id of the experiment, or an identifier of a new one. */
  subject: string;
  saved: Experiment | null;
  /** Text with which a new experiment begins. */
  start: string;
  onCreated: (experiment: Experiment) => void;
}

/** Returns the text that the user gets back by discarding all changes: the saved experiment, or the initial text of a new one. */
const revertText = ({ base, initial }: EditorState, start: string): string =>
  base?.text ?? (start || initial);

function useMenu(editor: EditorState, start: string): MenuAction[] {
  const { history } = useApp().host;
  const canManage = usePrivilege('manage');
  const { base, dirty, setText, text, values } = editor;
  const name = asText(values['name']);
  return [
    {
      label: i18n.translate('dyno.editor.menu.duplicate', { defaultMessage: 'Duplicate' }),
      icon: 'copy',
      disabled: base === null || !canManage,
      onClick: () => history.push(`/experiments/new?copy=${encodeURIComponent(base?.id ?? '')}`),
    },
    {
      label: i18n.translate('dyno.editor.menu.export', { defaultMessage: 'Export YAML' }),
      icon: 'download',
      onClick: () => downloadYaml(name, text),
    },
    {
      label: i18n.translate('dyno.editor.menu.revert', { defaultMessage: 'Revert to saved version' }),
      icon: 'undo',
      disabled: !dirty,
      onClick: () => setText(revertText(editor, start)),
    },
  ];
}

function Restored({ onDiscard }: { onDiscard: () => void }): ReactNode {
  const [shown, setShown] = useState(true);
  if (!shown) return null;
  return (
    <>
      <EuiCallOut
        announceOnMount={false}
        size="s"
        iconType="clockCounter"
        onDismiss={() => setShown(false)}
        title={i18n.translate('dyno.editor.restored.title', {
          defaultMessage: 'Your unsaved changes from last time were restored',
        })}
      >
        <EuiButtonEmpty
          size="xs"
          flush="left"
          onClick={() => {
            setShown(false);
            onDiscard();
          }}
        >
          {i18n.translate('dyno.editor.restored.discard', { defaultMessage: 'Discard changes' })}
        </EuiButtonEmpty>
      </EuiCallOut>
      <EuiSpacer size="s" />
    </>
  );
}

export function Editor({ subject, saved, start, onCreated }: EditorProps): ReactNode {
  const editor = useEditor(subject, saved, start);
  const open = useRef(false);
  const saving = useSaving({ editor, onCreated, open });
  const readOnly = !usePrivilege('manage');
  const canRun = usePrivilege('run');
  const [pane, setPane] = useState<Pane>('form');
  const { checked, values } = editor;
  const known = useKnown(values);
  const goTo = (problem: PlacedProblem): void => {
    if (problem.code === UNREAD) {
      setPane('form');
      setTimeout(() => focusField(problem.path));
      return;
    }
    setPane('yaml');
    // The focus moves after the next rendering, because a hidden pane cannot be focused.
    setTimeout(() => editor.view?.goTo(problem.place));
  };
  /**
   * Returns a function that executes the action if the definition has no problems. Otherwise the function moves the cursor to the first
   * problem.
   */
  const ifValid = (action: () => Promise<unknown>) => (): void => {
    const [first] = editor.checkNow().problems;
    if (first) goTo(first);
    else void action();
  };
  const title =
    asText(values['name']) ||
    i18n.translate('dyno.editor.untitled', { defaultMessage: 'Untitled experiment' });
  return (
    <Page
      title={title}
      above={[
        {
          text: i18n.translate('dyno.nav.experiments', { defaultMessage: 'Experiments' }),
          path: '/experiments',
        },
      ]}
    >
      <Toolbar
        editor={editor}
        readOnly={readOnly}
        busy={saving.busy}
        canRun={canRun && (!readOnly || editor.base !== null)}
        onSave={ifValid(saving.save)}
        onSaveAndRun={ifValid(saving.saveAndRun)}
        menu={useMenu(editor, start)}
      />
      {editor.restored && editor.dirty ? (
        <Restored onDiscard={() => editor.setText(revertText(editor, start))} />
      ) : null}
      <Panes
        shown={pane}
        onShow={setPane}
        form={<DefinitionForm editor={editor} readOnly={readOnly} />}
        beside={
          <>
            <LoadsHost target={values['target'] ?? LOCAL_TARGET} />
            <CostPanel
              checked={checked}
              preset={values['preset']}
              target={String(values['target'] ?? LOCAL_TARGET)}
              experiment={editor.base?.id ?? null}
            />
            <ProblemPanel
              problems={checked.problems}
              onGoTo={goTo}
              onFix={readOnly ? undefined : editor.fix}
            />
          </>
        }
        yaml={
          <YamlPane
            initial={editor.text}
            checked={checked}
            readOnly={readOnly}
            known={known}
            onChange={editor.onChange}
            onFix={editor.fix}
            onReady={editor.setView}
          />
        }
      />
      {saving.conflict ? (
        <Conflict
          theirs={saving.conflict}
          mine={editor.text}
          busy={saving.busy}
          onTakeTheirs={saving.takeTheirs}
          onTakeMine={() => void saving.takeMine()}
          onKeepEditing={saving.keepEditing}
        />
      ) : null}
      <RunDialog running={saving.running} />
      <LeaveGuard active={editor.dirty} open={open} onDiscard={() => keepDraft(subject, null)} />
    </Page>
  );
}
