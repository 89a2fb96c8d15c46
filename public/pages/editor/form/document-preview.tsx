/** Shows a few documents as a run would create them, below the fields of their source (a generator or a file). */
import {
  EuiAccordion,
  EuiCallOut,
  EuiCodeBlock,
  EuiLoadingSpinner,
  EuiSpacer,
  EuiText,
  useGeneratedHtmlId,
} from '@elastic/eui';
import { useEffect, useState, type ReactNode } from 'react';
import type { Api } from '../../../../common/api';
import type { RouteRequest } from '../../../../common/api/route';
import type { DocumentPreview } from '../../../../common/api/tries';
import { parseExact, stringifyExact } from '../../../../common/json/exact';
import { formatBytes } from '../../../../common/units/format';
import { useApi } from '../../../api/queries';
import { i18n } from '../../../i18n';
import { OWN_HEIGHT } from '../../../ui/accordion';
import { ProblemList } from '../../../ui/problems';
import { useForm, type PartProps } from './context';

export type PreviewBody = RouteRequest<Api['previewDocuments']>['body'];

/** Delay between the last change of the source and the request, in ms. */
const PAUSE_MS = 400;

/**
 * Shows a preview of the documents that a source (a generator or a file) creates. The browser does not check the source, because the server
 * reports invalid settings.
 */
export function DocumentPreviewPart({ value: { source } }: PartProps): ReactNode {
  const [open, setOpen] = useState(false);
  const id = useGeneratedHtmlId();
  return (
    <EuiAccordion
      id={id}
      css={OWN_HEIGHT}
      paddingSize="s"
      onToggle={setOpen}
      buttonContent={
        <EuiText size="s">
          {i18n.translate('dyno.editor.preview.title', { defaultMessage: 'Preview documents' })}
        </EuiText>
      }
    >
      {open ? <Documents source={source} /> : null}
    </EuiAccordion>
  );
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Documents({ source }: { source: unknown }): ReactNode {
  const { values } = useForm();
  const settled = useSettled(stringifyExact({ source: source ?? {}, seed: values['seed'] }));
  const body = parseExact(settled) as PreviewBody;
  const { data, error } = useApi('previewDocuments', { body }, { keep: true });
  if (error) {
    return (
      <EuiCallOut
        announceOnMount
        size="s"
        color="danger"
        iconType="error"
        title={i18n.translate('dyno.editor.preview.failed', {
          defaultMessage: 'This source provides no documents',
        })}
      >
        <ProblemList problems={error.problems} />
      </EuiCallOut>
    );
  }
  return data === undefined ? (
    <EuiLoadingSpinner
      aria-label={i18n.translate('dyno.editor.preview.loading', { defaultMessage: 'Making documents' })}
    />
  ) : (
    <Shown preview={data} />
  );
}

function Shown({ preview: { documents } }: { preview: DocumentPreview }): ReactNode {
  return (
    <>
      <EuiText size="xs" color="subdued">
        <p>
          {documents.length === 0
            ? i18n.translate('dyno.editor.preview.none', { defaultMessage: 'The source has no documents.' })
            : i18n.translate('dyno.editor.preview.text', {
                defaultMessage: 'The first documents with the seed of this definition, as a run sends them.',
              })}
        </p>
      </EuiText>
      {documents.map(({ text, bytes }, at) => (
        <div key={at}>
          <EuiSpacer size="s" />
          <EuiCodeBlock
            language="json"
            isCopyable
            paddingSize="s"
            fontSize="s"
            overflowHeight={220}
            aria-label={i18n.translate('dyno.editor.preview.document', {
              defaultMessage: 'Document {number}, {size}',
              values: { number: at + 1, size: formatBytes(bytes) },
            })}
          >
            {readable(text)}
          </EuiCodeBlock>
        </div>
      ))}
    </>
  );
}

/** Formats a document as indented JSON. A document that the server has truncated is returned unchanged. */
function readable(text: string): string {
  try {
    return stringifyExact(parseExact(text), 2);
  } catch {
    return `${text}...`;
  }
}
