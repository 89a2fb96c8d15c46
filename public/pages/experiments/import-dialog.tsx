/** Takes definitions from files; what is wrong with one is told before it is kept. */
import {
  EuiButton,
  EuiButtonEmpty,
  EuiCallOut,
  EuiFilePicker,
  EuiModal,
  EuiModalBody,
  EuiModalFooter,
  EuiModalHeader,
  EuiModalHeaderTitle,
  EuiSpacer,
  EuiText,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useState, type ReactNode } from 'react';
import { readDefinitionText } from '../../../common/experiment/read';
import { DynoError, type Problem } from '../../../common/problem';
import { ApiError } from '../../api/client';
import { useApiChange } from '../../api/queries';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { ProblemList } from '../../ui/problems';
import { useToasts } from '../../ui/toasts';

interface Read {
  file: string;
  text: string;
  name: string;
  problems: readonly Problem[];
}

async function readFile(file: File): Promise<Read> {
  const text = await file.text();
  try {
    return { file: file.name, text, name: readDefinitionText(text, file.name).name, problems: [] };
  } catch (error) {
    if (!(error instanceof DynoError)) throw error;
    return { file: file.name, text, name: '', problems: error.problems };
  }
}

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
  const titleId = useGeneratedHtmlId();
  const { history } = useApp().host;
  const toasts = useToasts();
  const create = useApiChange('createExperiment', ['listExperiments']);
  const [reads, setReads] = useState<Read[]>([]);
  const good = reads.filter(({ problems }) => problems.length === 0);
  /** Each for itself: what is refused stays to be fixed, what is kept is not sent again. */
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
    <EuiModal onClose={onClose} aria-labelledby={titleId} maxWidth={720}>
      <EuiModalHeader>
        <EuiModalHeaderTitle id={titleId}>
          {i18n.translate('dyno.experiments.import.title', { defaultMessage: 'Import experiments' })}
        </EuiModalHeaderTitle>
      </EuiModalHeader>
      <EuiModalBody>
        <EuiText size="s">
          <p>
            {i18n.translate('dyno.experiments.import.body', {
              defaultMessage:
                'Definitions as YAML or JSON, in the form that this page exports and the dyno command reads.',
            })}
          </p>
        </EuiText>
        <EuiSpacer size="m" />
        <EuiFilePicker
          fullWidth
          multiple
          accept=".yml,.yaml,.json"
          aria-label={i18n.translate('dyno.experiments.import.files', {
            defaultMessage: 'Files with definitions',
          })}
          initialPromptText={i18n.translate('dyno.experiments.import.prompt', {
            defaultMessage: 'Choose files, or drop them here',
          })}
          onChange={(files) => {
            Promise.all([...(files ?? [])].map(readFile)).then(setReads, (error: unknown) =>
              toasts.failed(
                i18n.translate('dyno.experiments.import.unread', {
                  defaultMessage: 'A file could not be read',
                }),
                error,
              ),
            );
          }}
        />
        {reads.map((read) => (
          <Outcome
            key={read.file}
            read={read}
            onFix={() =>
              history.push(`/experiments/new?import=${encodeURIComponent(read.file)}`, { text: read.text })
            }
          />
        ))}
      </EuiModalBody>
      <EuiModalFooter>
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
      </EuiModalFooter>
    </EuiModal>
  );
}
