/** Results of the published benchmark that the experiment repeats. */
import { EuiAccordion, EuiSpacer, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import type { ReactNode } from 'react';
import { findPreset } from '../../../common/presets';
import { accountTable } from '../../../common/report/tables/account';
import { i18n } from '../../i18n';
import { ReportTable } from '../../ui/report-table';

function Sentences({ heading, sentences }: { heading: string; sentences: readonly string[] }): ReactNode {
  if (sentences.length === 0) return null;
  return (
    <EuiText size="xs">
      <p>
        <strong>{heading}</strong>
      </p>
      <ul>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </EuiText>
  );
}

export function PublishedFigures({ preset }: { preset: unknown }): ReactNode {
  const id = useGeneratedHtmlId();
  const published = typeof preset === 'string' ? findPreset(preset)?.published : undefined;
  if (!published) return null;
  const title = published.own
    ? i18n.translate('dyno.editor.published.own', { defaultMessage: 'About this experiment' })
    : i18n.translate('dyno.editor.published.title', { defaultMessage: 'What was published' });
  return (
    <>
      <EuiSpacer size="s" />
      <EuiAccordion id={id} buttonContent={<EuiText size="s">{title}</EuiText>} paddingSize="none">
        <div css={{ maxBlockSize: 400, overflowY: 'auto' }} tabIndex={0} role="region" aria-label={title}>
          <EuiText size="xs">
            <p>
              <strong>{published.title}</strong>
            </p>
            <ul>
              {published.conditions.map((condition) => (
                <li key={condition}>{condition}</li>
              ))}
            </ul>
          </EuiText>
          {published.rows.length === 0 ? null : (
            <ReportTable table={accountTable(published)} titled={false} />
          )}
          <Sentences
            heading={i18n.translate('dyno.editor.published.notes', {
              defaultMessage: 'What the publication does not say, and what does not add up',
            })}
            sentences={published.notes}
          />
          <Sentences
            heading={i18n.translate('dyno.editor.published.changes', {
              defaultMessage: 'What is different here',
            })}
            sentences={published.changes}
          />
        </div>
      </EuiAccordion>
    </>
  );
}
