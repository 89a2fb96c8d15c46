/**
 * Saves the definition and starts a run. If another user has changed the experiment, reports a conflict and does not overwrite the change.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useState, type MutableRefObject } from 'react';
import { experimentSchema, type Experiment } from '../../../common/api/experiments';
import { ApiError } from '../../api/client';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { useToasts } from '../../ui/toasts';
import { useRunning, type Running } from '../experiments/use-running';
import type { EditorState } from './use-editor';

export interface Saving {
  busy: boolean;
  /** Starts a run of the saved experiment. If a run needs a confirmation, the user is asked first. */
  running: Running;
  /** The experiment that another user has saved in the meantime; null if nobody has. */
  conflict: Experiment | null;
  save: () => Promise<Experiment | null>;
  saveAndRun: () => Promise<void>;
  /** Saves the text in the editor, and overwrites the version that another user has saved. */
  takeMine: () => Promise<void>;
  takeTheirs: () => void;
  keepEditing: () => void;
}

interface SavingOptions {
  editor: EditorState;
  /** Called after a new experiment has been saved for the first time. `experiment` has its new id. */
  onCreated: (experiment: Experiment) => void;
  /** Whether the page may be left without a question about unsaved changes. Set to true before the editor opens another page. */
  open: MutableRefObject<boolean>;
}

export function useSaving({ editor, onCreated, open }: SavingOptions): Saving {
  const { history } = useApp().host;
  const queries = useQueryClient();
  const toasts = useToasts();
  const create = useApiChange('createExperiment', ['listExperiments']);
  const replace = useApiChange('saveExperiment', ['listExperiments']);
  const running = useRunning((run) => {
    open.current = true;
    history.push(`/runs/${encodeURIComponent(run)}`);
  });
  const [conflict, setConflict] = useState<Experiment | null>(null);
  const { base, setBase } = editor;
  const textOf = (): string => editor.view?.text() ?? editor.text;

  const kept = (experiment: Experiment): void => {
    queries.setQueryData(['getExperiment', { params: { id: experiment.id } }], experiment);
    setBase(experiment);
  };
  const failed = (error: unknown): null => {
    const current =
      error instanceof ApiError && error.status === 409 ? experimentSchema.safeParse(error.current) : null;
    if (current?.success) setConflict(current.data);
    else
      toasts.failed(
        i18n.translate('dyno.editor.save.failed', { defaultMessage: 'The experiment was not saved' }),
        error,
      );
    return null;
  };
  const store = async (version: string | undefined): Promise<Experiment | null> => {
    try {
      const text = textOf();
      if (base === null || version === undefined) {
        const created = await create.mutateAsync({ body: { text } });
        kept(created);
        // The editor itself changes the URL, so no question is needed.
        open.current = true;
        onCreated(created);
        open.current = false;
        return created;
      }
      const saved = await replace.mutateAsync({ params: { id: base.id }, body: { text, version } });
      kept(saved);
      return saved;
    } catch (error) {
      return failed(error);
    }
  };
  const save = async (version = base?.version): Promise<Experiment | null> => {
    const saved = await store(version);
    if (saved) toasts.done(i18n.translate('dyno.editor.save.done', { defaultMessage: 'Saved' }));
    return saved;
  };

  return {
    busy: create.isPending || replace.isPending || running.busy,
    running,
    conflict,
    save: () => save(),
    async saveAndRun() {
      const experiment = base !== null && !editor.dirty ? base : await store(base?.version);
      if (experiment) await running.run(experiment.text, () => experiment.id);
    },
    async takeMine() {
      if (!conflict) return;
      const saved = await save(conflict.version);
      if (saved) setConflict(null);
    },
    takeTheirs() {
      if (!conflict) return;
      editor.setText(conflict.text);
      kept(conflict);
      setConflict(null);
    },
    keepEditing: () => setConflict(null),
  };
}
