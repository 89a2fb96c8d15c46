/** List of the notes on the runs of an experiment, and a dialog that adds or edits a note. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiButtonIcon,
  EuiFieldText,
  EuiFormRow,
  EuiSelect,
  EuiSpacer,
  EuiText,
  EuiTextArea,
  EuiToolTip,
  EuiCallOut,
  EuiComment,
  EuiCommentList,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import type { NoteAbout } from '../../../common/api/annotations';
import { LONGEST_NOTE, type HistoryNote } from '../../../common/history/annotations';
import type { History } from '../../../common/history/history';
import { ApiError } from '../../api/client';
import { useApiChange } from '../../api/queries';
import { usePrivilege } from '../../app/context';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { AppLink } from '../../ui/link';
import { formatLocal, fromLocalField, toLocalField } from '../../ui/time';
import { useToasts } from '../../ui/toasts';

type Runs = History['nights'];

interface NotesPartProps {
  history: Pick<History, 'experiment' | 'nights' | 'notes'>;
  /** Run for which the dialog that adds a note opens. Other sections of the page set this property to open the dialog. */
  adding?: { run: string } | null;
  onAdded?: () => void;
}

export function NotesPart({ history, adding = null, onAdded }: NotesPartProps): ReactNode {
  const { experiment, nights: runs, notes } = history;
  const mayWrite = usePrivilege('manage');
  const [asks, setAsks] = useState<'add' | { edit: HistoryNote } | { remove: HistoryNote } | null>(null);
  const close = (): void => {
    setAsks(null);
    onAdded?.();
  };
  const newestFirst = [...notes].reverse();
  return (
    <>
      {notes.length === 0 ? (
        <EuiText size="s" color="subdued">
          <p>
            {i18n.translate('dyno.notes.none', {
              defaultMessage:
                'There is no note in this time range. Notes record what charts cannot show, such as a new disk.',
            })}
          </p>
        </EuiText>
      ) : (
        <EuiCommentList
          aria-label={i18n.translate('dyno.notes.list', { defaultMessage: 'Notes, the newest first' })}
        >
          {newestFirst.map((note) => (
            <Note
              key={note.id}
              note={note}
              isOfRun={runs.some(({ run }) => run === note.run)}
              mayWrite={mayWrite}
              onEdit={() => setAsks({ edit: note })}
              onRemove={() => setAsks({ remove: note })}
            />
          ))}
        </EuiCommentList>
      )}
      {mayWrite ? (
        <>
          <EuiSpacer size="m" />
          <EuiButton size="s" iconType="plusCircle" onClick={() => setAsks('add')}>
            {i18n.translate('dyno.notes.add', { defaultMessage: 'Add note' })}
          </EuiButton>
        </>
      ) : null}
      {asks === 'add' || adding !== null ? (
        <NoteDialog experiment={experiment.id} runs={runs} about={adding?.run} onClose={close} />
      ) : null}
      {asks !== null && asks !== 'add' && 'edit' in asks ? (
        <NoteDialog experiment={experiment.id} runs={runs} note={asks.edit} onClose={close} />
      ) : null}
      {asks !== null && asks !== 'add' && 'remove' in asks ? (
        <RemoveDialog experiment={experiment.id} note={asks.remove} onClose={close} />
      ) : null}
    </>
  );
}

interface NoteProps {
  note: HistoryNote;
  /** Whether the note is about a run in the history. It is not if the note is about another time, or if the run was deleted. */
  isOfRun: boolean;
  mayWrite: boolean;
  onEdit: () => void;
  onRemove: () => void;
}

function Note({ note, isOfRun, mayWrite, onEdit, onRemove }: NoteProps): ReactNode {
  const { at, author, created, run, text, updated } = note;
  const edit = i18n.translate('dyno.notes.edit', { defaultMessage: 'Edit note' });
  const remove = i18n.translate('dyno.notes.remove', { defaultMessage: 'Delete note' });
  return (
    <EuiComment
      username={
        author === '' ? i18n.translate('dyno.notes.somebody', { defaultMessage: 'Somebody' }) : author
      }
      event={
        updated === created
          ? i18n.translate('dyno.notes.about', { defaultMessage: 'about' })
          : i18n.translate('dyno.notes.edited', { defaultMessage: '(edited) about' })
      }
      timestamp={
        run === null || !isOfRun ? (
          formatLocal(at)
        ) : (
          <AppLink to={`/runs/${encodeURIComponent(run)}`}>{formatLocal(at)}</AppLink>
        )
      }
      actions={
        mayWrite ? (
          <>
            <EuiToolTip content={edit} disableScreenReaderOutput>
              <EuiButtonIcon iconType="pencil" aria-label={edit} onClick={onEdit} />
            </EuiToolTip>
            <EuiToolTip content={remove} disableScreenReaderOutput>
              <EuiButtonIcon iconType="trash" color="danger" aria-label={remove} onClick={onRemove} />
            </EuiToolTip>
          </>
        ) : undefined
      }
    >
      <EuiText size="s" css={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </EuiText>
    </EuiComment>
  );
}

/** Value of the option "Another time" in the list of runs. */
const ANY_TIME = '';

/** Number of newest runs that are listed. */
const MOST_HISTORY_RUNS = 500;

interface NoteDialogProps {
  experiment: string;
  runs: Runs;
  /** Note to edit; undefined to add one. */
  note?: HistoryNote;
  /** Run that is preselected for a new note. Default: the newest run. */
  about?: string;
  onClose: () => void;
}

export function NoteDialog({ experiment, runs, note, about, onClose }: NoteDialogProps): ReactNode {
  const toasts = useToasts();
  const [text, setText] = useState(note?.text ?? '');
  const [run, setRun] = useState(note ? (note.run ?? ANY_TIME) : (about ?? runs.at(-1)?.run ?? ANY_TIME));
  const [time, setTime] = useState(toLocalField(note?.at ?? runs.at(-1)?.at ?? new Date().toISOString()));
  const add = useApiChange('addNote', ['getHistory']);
  const save = useApiChange('saveNote', ['getHistory']);
  const error = note === undefined ? add.error : save.error;
  const isConflict = error instanceof ApiError && error.status === 409;
  const isTime = run !== ANY_TIME || fromLocalField(time) !== undefined;
  const onSuccess = (): void => {
    toasts.done(i18n.translate('dyno.notes.saved', { defaultMessage: 'The note was saved' }));
    onClose();
  };
  const confirm = (): void => {
    const place: NoteAbout = run === ANY_TIME ? { at: fromLocalField(time)! } : { run };
    if (note === undefined)
      add.mutate({ params: { id: experiment }, body: { text, about: place } }, { onSuccess });
    else {
      // A note still refers to its run after the run has been deleted.
      const same = run === (note.run ?? ANY_TIME) && (run !== ANY_TIME || time === toLocalField(note.at));
      save.mutate(
        {
          params: { id: experiment, note: note.id },
          body: { text, version: note.version, ...(same ? {} : { about: place }) },
        },
        { onSuccess },
      );
    }
  };
  const listed = [...runs].reverse().slice(0, MOST_HISTORY_RUNS);
  const options = [
    ...(note?.run && !listed.some((historyRun) => historyRun.run === note.run)
      ? [{ run: note.run, at: note.at }]
      : []),
    ...listed,
  ];
  return (
    <Dialog
      onClose={onClose}
      initialFocus="[name=note]"
      title={
        note === undefined
          ? i18n.translate('dyno.notes.addTitle', { defaultMessage: 'Add a note' })
          : i18n.translate('dyno.notes.editTitle', { defaultMessage: 'Edit the note' })
      }
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.notes.cancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
          <EuiButton
            fill
            isDisabled={text.trim() === '' || !isTime}
            isLoading={add.isPending || save.isPending}
            onClick={confirm}
          >
            {i18n.translate('dyno.notes.save', { defaultMessage: 'Save note' })}
          </EuiButton>
        </>
      }
    >
      {error === null ? null : (
        <>
          <EuiCallOut
            color="danger"
            iconType="error"
            title={
              isConflict
                ? i18n.translate('dyno.notes.conflict', {
                    defaultMessage:
                      'Somebody else has changed this note. Copy your text, then open the note again.',
                  })
                : i18n.translate('dyno.notes.failed', { defaultMessage: 'The note was not saved' })
            }
          >
            {isConflict ? null : <p>{error.message}</p>}
          </EuiCallOut>
          <EuiSpacer size="m" />
        </>
      )}
      <EuiFormRow label={i18n.translate('dyno.notes.text', { defaultMessage: 'Note' })} fullWidth>
        <EuiTextArea
          name="note"
          fullWidth
          maxLength={LONGEST_NOTE}
          value={text}
          onChange={({ target }) => setText(target.value)}
        />
      </EuiFormRow>
      <EuiFormRow label={i18n.translate('dyno.notes.run', { defaultMessage: 'About' })} fullWidth>
        <EuiSelect
          fullWidth
          value={run}
          onChange={({ target }) => setRun(target.value)}
          options={[
            ...options.map((historyRun) => ({
              value: historyRun.run,
              text: `${formatLocal(historyRun.at)} · ${historyRun.run}`,
            })),
            {
              value: ANY_TIME,
              text: i18n.translate('dyno.notes.anyTime', { defaultMessage: 'Another time' }),
            },
          ]}
        />
      </EuiFormRow>
      {run === ANY_TIME ? (
        <EuiFormRow label={i18n.translate('dyno.notes.time', { defaultMessage: 'Time' })} fullWidth>
          <EuiFieldText
            fullWidth
            type="datetime-local"
            value={time}
            onChange={({ target }) => setTime(target.value)}
          />
        </EuiFormRow>
      ) : null}
    </Dialog>
  );
}

interface RemoveDialogProps {
  experiment: string;
  note: HistoryNote;
  onClose: () => void;
}

function RemoveDialog({ experiment, note, onClose }: RemoveDialogProps): ReactNode {
  const toasts = useToasts();
  const remove = useApiChange('deleteNote', ['getHistory']);
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.notes.removeTitle', { defaultMessage: 'Delete this note?' })}
      cancelButtonText={i18n.translate('dyno.notes.keep', { defaultMessage: 'Keep' })}
      confirmButtonText={i18n.translate('dyno.notes.remove', { defaultMessage: 'Delete note' })}
      isLoading={remove.isPending}
      onCancel={onClose}
      onConfirm={() =>
        remove.mutate(
          { params: { id: experiment, note: note.id } },
          {
            onSuccess: onClose,
            onError: (error) =>
              toasts.failed(
                i18n.translate('dyno.notes.removeFailed', { defaultMessage: 'The note was not deleted' }),
                error,
              ),
          },
        )
      }
    >
      <EuiText size="s" css={{ whiteSpace: 'pre-wrap' }}>
        {note.text}
      </EuiText>
    </ConfirmDialog>
  );
}
