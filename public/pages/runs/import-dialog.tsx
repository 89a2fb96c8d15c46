/**
 * Imports runs from a file that another installation of Dyno has exported. A run with the same id but other contents is replaced only on
 * request.
 */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiFilePicker,
  EuiProgress,
  EuiSpacer,
  EuiText,
} from '@elastic/eui';
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { MOST_UPLOADED, RUN_FILE_ENDING, type ImportedRun } from '../../../common/api/run-files';
import type { Problem } from '../../../common/problem';
import { formatBytes } from '../../../common/units/format';
import { ApiError } from '../../api/client';
import { useApi } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { AppLink } from '../../ui/link';
import { ProblemList } from '../../ui/problems';

type State =
  | { kind: 'choosing' }
  /**
   * The file is being uploaded or processed. `share`: uploaded share of the file, in [0, 1]. When `share` is 1, the server processes the
   * file. `name` identifies the import in requests for its progress.
   */
  | { kind: 'sending'; share: number; name: string }
  | { kind: 'refused'; problems: readonly Problem[]; replaceable: boolean }
  | { kind: 'done'; runs: readonly ImportedRun[] };

/** Returns whether the only problems are runs that already exist with other contents. The user can then replace these runs. */
const isReplaceable = (problems: readonly Problem[]): boolean =>
  problems.length > 0 &&
  problems.every(({ code, allowed }) => code === 'results.run-there' && allowed?.includes('--replace'));

function outcomeOf({ outcome }: ImportedRun): string {
  switch (outcome) {
    case 'stored':
      return i18n.translate('dyno.runs.import.stored', { defaultMessage: 'imported' });
    case 'replaced':
      return i18n.translate('dyno.runs.import.replaced', { defaultMessage: 'replaced' });
    case 'unchanged':
      return i18n.translate('dyno.runs.import.unchanged', { defaultMessage: 'already there' });
  }
}

/** Interval of the requests for the progress on the server, in ms. */
const LOOK_MS = 1000;

/** Shows the progress of an import in three steps. Each step has its own bar, because the steps take very different times. */
function Progress({ share, name }: { share: number; name: string }): ReactNode {
  const isSent = share >= 1;
  const query = useApi('getImportProgress', { query: { name } }, { enabled: isSent, every: LOOK_MS });
  // The progress may be unknown, because another process of Kibana may have received the file.
  const progress = query.data?.progress ?? undefined;
  const done = isSent ? progress?.share : share;
  const label = isSent
    ? progress?.step === 'storing'
      ? i18n.translate('dyno.runs.import.storing', { defaultMessage: 'Storing the runs (step 3 of 3)' })
      : progress?.step === 'checking'
        ? i18n.translate('dyno.runs.import.checking', { defaultMessage: 'Checking the file (step 2 of 3)' })
        : i18n.translate('dyno.runs.import.working', { defaultMessage: 'Checking and storing the runs' })
    : i18n.translate('dyno.runs.import.sending', { defaultMessage: 'Sending the file (step 1 of 3)' });
  if (done !== undefined)
    return (
      <EuiProgress size="m" max={1} value={done} valueText={`${Math.floor(done * 100)}%`} label={label} />
    );
  // Without a known share, the bar has no label.
  return (
    <>
      <EuiText size="xs">{label}</EuiText>
      <EuiProgress size="m" />
    </>
  );
}

function Done({ runs }: { runs: readonly ImportedRun[] }): ReactNode {
  const leftOut = runs.reduce((sum, run) => sum + run.metricsLeftOut, 0);
  return (
    <EuiCallOut
      announceOnMount
      size="s"
      color="success"
      iconType="check"
      title={i18n.translate('dyno.runs.import.done', {
        defaultMessage: '{count, plural, one {# run is} other {# runs are}} stored',
        values: { count: runs.length },
      })}
    >
      <EuiText size="s">
        <ul>
          {runs.slice(0, MOST_SHOWN).map((run) => (
            <li key={run.id}>
              <AppLink to={`/runs/${encodeURIComponent(run.id)}`}>{run.experiment.name}</AppLink>{' '}
              {`${run.id}: ${outcomeOf(run)}`}
            </li>
          ))}
        </ul>
        {leftOut === 0 ? null : (
          <p>
            {i18n.translate('dyno.runs.import.leftOut', {
              defaultMessage:
                '{leftOut, plural, one {# event} other {# events}} of the collector left out: the template of dyno-metrics-* is not installed.',
              values: { leftOut },
            })}
          </p>
        )}
      </EuiText>
    </EuiCallOut>
  );
}

const MOST_SHOWN = 20;

/** Returns a unique name for an import. `crypto.randomUUID` is not used, because browsers do not provide it on pages without TLS. */
const importName = (): string => `${Date.now()}-${Math.random().toString(36).slice(2)}`;

export function ImportRunsDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { client } = useApp();
  const queries = useQueryClient();
  const [file, setFile] = useState<File>();
  const [state, setState] = useState<State>({ kind: 'choosing' });
  const tooLarge = file !== undefined && file.size > MOST_UPLOADED;
  const sends = state.kind === 'sending';
  const send = async (replace: boolean): Promise<void> => {
    const name = importName();
    setState({ kind: 'sending', share: 0, name });
    try {
      const query = { replace: replace ? 'true' : 'false', name } as const;
      const { runs } = await client.upload('importRuns', { query }, file!, (share) =>
        setState({ kind: 'sending', share, name }),
      );
      setState({ kind: 'done', runs });
      await Promise.all(
        ['listRuns', 'listExperiments'].map((name) => queries.invalidateQueries({ queryKey: [name] })),
      );
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { problems } = error;
      setState({ kind: 'refused', problems, replaceable: isReplaceable(problems) });
    }
  };
  const replaces = state.kind === 'refused' && state.replaceable;
  return (
    <Dialog
      onClose={onClose}
      maxWidth={720}
      title={i18n.translate('dyno.runs.import.title', { defaultMessage: 'Import runs' })}
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {state.kind === 'done'
              ? i18n.translate('dyno.runs.import.close', { defaultMessage: 'Close' })
              : i18n.translate('dyno.runs.import.cancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
          {state.kind === 'done' ? null : (
            <EuiButton
              fill
              color={replaces ? 'warning' : 'primary'}
              isDisabled={file === undefined || tooLarge}
              isLoading={sends}
              onClick={() => void send(replaces)}
            >
              {replaces
                ? i18n.translate('dyno.runs.import.replace', { defaultMessage: 'Replace existing runs' })
                : i18n.translate('dyno.runs.import.import', { defaultMessage: 'Import' })}
            </EuiButton>
          )}
        </>
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.runs.import.body', {
            defaultMessage:
              'A file from the export of a result page or from `dyno results export`, of at most {most}. Dyno checks the whole file before it stores anything.',
            values: { most: formatBytes(MOST_UPLOADED) },
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <EuiFilePicker
        fullWidth
        accept=".gz"
        disabled={sends}
        isInvalid={tooLarge}
        aria-label={i18n.translate('dyno.runs.import.file', { defaultMessage: 'File with runs' })}
        initialPromptText={i18n.translate('dyno.runs.import.prompt', {
          defaultMessage: 'Choose a file *{ending}, or drop it here',
          values: { ending: RUN_FILE_ENDING },
        })}
        onChange={(files) => {
          setFile(files?.[0]);
          setState({ kind: 'choosing' });
        }}
      />
      <EuiSpacer size="m" />
      {tooLarge ? (
        <EuiCallOut
          size="s"
          color="danger"
          iconType="error"
          title={i18n.translate('dyno.runs.import.tooLarge', {
            defaultMessage: 'The file is too large to be sent: it has {size}, and {most} is the maximum',
            values: { size: formatBytes(file.size), most: formatBytes(MOST_UPLOADED) },
          })}
        >
          {i18n.translate('dyno.runs.import.tooLargeText', {
            defaultMessage: 'The command `dyno results import` accepts files of any size.',
          })}
        </EuiCallOut>
      ) : null}
      {sends ? <Progress share={state.share} name={state.name} /> : null}
      {state.kind === 'refused' ? (
        <EuiCallOut
          announceOnMount
          size="s"
          color={replaces ? 'warning' : 'danger'}
          iconType={replaces ? 'warning' : 'error'}
          title={i18n.translate('dyno.runs.import.refused', { defaultMessage: 'Nothing was imported' })}
        >
          <ProblemList problems={state.problems} />
        </EuiCallOut>
      ) : null}
      {state.kind === 'done' ? <Done runs={state.runs} /> : null}
    </Dialog>
  );
}

/** The button that opens the dialog to import runs. */
export function ImportRunsButton(): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <EuiButtonEmpty iconType="upload" onClick={() => setOpen(true)}>
        {i18n.translate('dyno.runs.import.open', { defaultMessage: 'Import runs' })}
      </EuiButtonEmpty>
      {isOpen ? <ImportRunsDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
