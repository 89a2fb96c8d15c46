/** Notes to read before quoting a result: the reasons why it is less reliable, and all notes on the run. */
import {
  EuiFlyout,
  EuiFlyoutBody,
  EuiFlyoutHeader,
  EuiSpacer,
  EuiText,
  EuiTitle,
  useGeneratedHtmlId,
} from '@elastic/eui';
import type { ReactNode } from 'react';
import { cautionLists } from '../../../common/report/model/facts';
import type { Report } from '../../../common/report/model/report';
import { i18n } from '../../i18n';
import { TrustLine } from '../../ui/trust-line';

interface NotesFlyoutProps {
  report: Report;
  onClose: () => void;
}

function Listed({ title, items }: { title: string; items: readonly string[] }): ReactNode {
  return (
    <>
      <EuiText size="s">
        <h3>{title}</h3>
        <ul>
          {items.map((item) => (
            <li key={item}>{item}</li>
          ))}
        </ul>
      </EuiText>
      <EuiSpacer size="l" />
    </>
  );
}

export function NotesFlyout({ report, onClose }: NotesFlyoutProps): ReactNode {
  const id = useGeneratedHtmlId();
  const { trust } = report;
  const lists = cautionLists(report);
  return (
    <EuiFlyout size="s" ownFocus onClose={onClose} aria-labelledby={id}>
      <EuiFlyoutHeader hasBorder>
        <EuiTitle size="s">
          <h2 id={id}>
            {i18n.translate('dyno.result.warnings', { defaultMessage: 'Before you quote these numbers' })}
          </h2>
        </EuiTitle>
      </EuiFlyoutHeader>
      <EuiFlyoutBody>
        {trust === null ? null : (
          <>
            <TrustLine trust={{ ...trust, reasons: [] }} onWhy={onClose} />
            <EuiSpacer size="l" />
          </>
        )}
        {lists.map(({ heading, items }) => (
          <Listed key={heading} title={heading} items={items} />
        ))}
        {lists.length === 0 ? (
          <EuiText size="s">
            <p>{i18n.translate('dyno.result.notes.none', { defaultMessage: 'There is nothing to add.' })}</p>
          </EuiText>
        ) : null}
      </EuiFlyoutBody>
    </EuiFlyout>
  );
}
