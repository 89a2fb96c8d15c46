/** Imports definitions from files. Problems of a file are shown before it is saved. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiFilePicker,
  EuiFormRow,
  EuiSkeletonText,
  EuiSpacer,
  EuiText,
  EuiTextArea,
} from '@elastic/eui';
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react';
import { readDefinitionText } from '../../../common/experiment/read';
import { tracksIn } from '../../../common/import/rally/recognise';
import { DynoError, type Problem } from '../../../common/problem';
import { ApiError } from '../../api/client';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { Dialog } from '../../ui/dialog';
import { ProblemList } from '../../ui/problems';
import { useToasts } from '../../ui/toasts';
import { readChosen, readDropped, type Files } from './track/dropped';

interface Read {
  file: string;
  text: string;
  name: string;
  problems: readonly Problem[];
}

function readText(file: string, text: string): Read {
  try {
    return { file, text, name: readDefinitionText(text, file).name, problems: [] };
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return { file, text, name: '', problems: error.problems };
  }
}

/** Names of files that may be definitions. If several files are imported, for example a folder, the others are ignored. */
const DEFINITION = /\.(?:ya?ml|json)$/i;

const PASTED = 'pasted';

/** The section of the dialog that converts Rally tracks. Few users need it, so its code is loaded only when the files contain a track. */
const TrackPart = lazy(() => import('./track/track-part'));

function Outcome({ read, onFix }: { read: Read; onFix: () => void }): ReactNode {
  const fine = read.problems.length === 0;
  return (
    <>
      <EuiSpacer size="s" />
      <EuiCallOut
        announceOnMount={fine}
        size="s"
        color={fine ? 'success' : 'danger'}
        iconType={fine ? 'check' : 'error'}
        title={fine ? `${read.file}: ${read.name}` : read.file}
      >
        {fine ? null : (
          <>
            <ProblemList problems={read.problems.slice(0, 10)} />
            <EuiButtonEmpty size="xs" flush="left" onClick={onFix}>
              {i18n.translate('dyno.experiments.import.fix', {
                defaultMessage: 'Open in the editor to fix it',
              })}
            </EuiButtonEmpty>
          </>
        )}
      </EuiCallOut>
    </>
  );
}

export function ImportDialog({ onClose }: { onClose: () => void }): ReactNode {
  const { history } = useApp().host;
  const toasts = useToasts();
  const create = useApiChange('createExperiment', ['listExperiments']);
  const [reads, setReads] = useState<Read[]>([]);
  const [files, setFiles] = useState<Files>(new Map());
  const [pasted, setPasted] = useState('');
  const tracks = useMemo(() => tracksIn(files), [files]);
  const take = (given: Files): void => {
    setFiles(given);
    const only = given.size === 1;
    setReads(
      tracksIn(given).length > 0
        ? []
        : [...given].flatMap(([name, text]) => (only || DEFINITION.test(name) ? [readText(name, text)] : [])),
    );
  };
  const takeLater = (given: Promise<Files>): void => {
    given.then(take, (error: unknown) =>
      toasts.failed(
        i18n.translate('dyno.experiments.import.unread', {
          defaultMessage: 'A file could not be read',
        }),
        error,
      ),
    );
  };
  const openInEditor = (name: string, text: string): void =>
    history.push(`/experiments/new?import=${encodeURIComponent(name)}`, { text });
  const good = reads.filter(({ problems }) => problems.length === 0);
  /**
   * Saves each file as an experiment. Files that the server rejects remain in the dialog, so that the user can fix them. Saved files are
   * removed from the dialog and not sent again.
   */
  const keep = async (): Promise<void> => {
    const left: Read[] = [];
    for (const read of reads) {
      if (read.problems.length > 0) left.push(read);
      else {
        try {
          await create.mutateAsync({ body: { text: read.text } });
        } catch (error) {
          if (!(error instanceof ApiError)) throw error;
          left.push({ ...read, problems: error.problems });
        }
      }
    }
    const count = reads.length - left.length;
    if (count > 0) {
      toasts.done(
        i18n.translate('dyno.experiments.import.done', {
          defaultMessage: '{count, plural, one {# experiment} other {# experiments}} imported',
          values: { count },
        }),
      );
    }
    setReads(left);
    if (left.length === 0) onClose();
  };
  return (
    <Dialog
      onClose={onClose}
      maxWidth={720}
      title={i18n.translate('dyno.experiments.import.title', { defaultMessage: 'Import experiments' })}
      footer={
        <>
          <EuiButtonEmpty onClick={onClose}>
            {i18n.translate('dyno.experiments.import.cancel', { defaultMessage: 'Cancel' })}
          </EuiButtonEmpty>
          <EuiButton
            fill
            isDisabled={good.length === 0}
            isLoading={create.isPending}
            onClick={() => void keep()}
          >
            {i18n.translate('dyno.experiments.import.import', {
              defaultMessage:
                '{count, plural, =0 {Import} one {Import # experiment} other {Import # experiments}}',
              values: { count: good.length },
            })}
          </EuiButton>
        </>
      }
    >
      <EuiText size="s">
        <p>
          {i18n.translate('dyno.experiments.import.body', {
            defaultMessage:
              'Definitions as YAML or JSON, a track of Rally, or a workload of OpenSearch Benchmark: as files, as a folder, or as a zip or tar archive.',
          })}
        </p>
      </EuiText>
      <EuiSpacer size="m" />
      <div
        onDropCapture={(event) => {
          const dropped = readDropped(event.dataTransfer);
          if (dropped === undefined) return;
          event.preventDefault();
          event.stopPropagation();
          takeLater(dropped);
        }}
      >
        <EuiFilePicker
          fullWidth
          multiple
          accept=".yml,.yaml,.json,.zip,.tar,.tgz,.gz"
          aria-label={i18n.translate('dyno.experiments.import.files', {
            defaultMessage: 'Files with definitions',
          })}
          initialPromptText={i18n.translate('dyno.experiments.import.prompt', {
            defaultMessage: 'Choose files, or drop files or a folder here',
          })}
          onChange={(chosen) => takeLater(readChosen([...(chosen ?? [])]))}
        />
      </div>
      <EuiSpacer size="s" />
      <EuiFormRow
        fullWidth
        label={i18n.translate('dyno.experiments.import.paste', {
          defaultMessage: 'Or paste a definition, a track.json or a workload.json',
        })}
      >
        <EuiTextArea
          fullWidth
          compressed
          rows={2}
          resize="vertical"
          className="eui-textFontMono"
          value={pasted}
          onChange={({ target }) => {
            setPasted(target.value);
            take(target.value.trim() === '' ? new Map() : new Map([[PASTED, target.value]]));
          }}
        />
      </EuiFormRow>
      {tracks.length === 0 ? null : (
        <>
          <EuiSpacer size="m" />
          <Suspense fallback={<EuiSkeletonText lines={4} />}>
            <TrackPart files={files} tracks={tracks} onOpen={openInEditor} />
          </Suspense>
        </>
      )}
      {reads.map((read) => (
        <Outcome key={read.file} read={read} onFix={() => openInEditor(read.file, read.text)} />
      ))}
    </Dialog>
  );
}
