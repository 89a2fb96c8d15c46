/** What is to be known before the figures of a result are quoted: why its trust is limited, and all notes on the run. */
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
import type { Trust } from '../../../common/analysis/trust';
import { i18n } from '../../i18n';
import { TrustLine } from './trust-line';

interface NotesFlyoutProps {
  trust: Trust | null;
  notes: readonly string[];
  onClose: () => void;
}

function Listed({ title, items }: { title: string; items: readonly string[] }): ReactNode {
  if (items.length === 0) return null;
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

export function NotesFlyout({ trust, notes, onClose }: NotesFlyoutProps): ReactNode {
  const id = useGeneratedHtmlId();
  const reasons = trust?.reasons.map(({ text }) => text) ?? [];
  return (
    <EuiFlyout size="s" ownFocus onClose={onClose} aria-labelledby={id}>
      <EuiFlyoutHeader hasBorder>
        <EuiTitle size="s">
          <h2 id={id}>
            {i18n.translate('dyno.result.warnings', { defaultMessage: 'Before you quote these figures' })}
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
        <Listed
          title={i18n.translate('dyno.result.trust.reasons', {
            defaultMessage: 'Reasons for this level of trust',
          })}
          items={reasons}
        />
        <Listed title={i18n.translate('dyno.result.notes', { defaultMessage: 'Notes' })} items={notes} />
        {reasons.length + notes.length === 0 ? (
          <EuiText size="s">
            <p>{i18n.translate('dyno.result.notes.none', { defaultMessage: 'There is nothing to add.' })}</p>
          </EuiText>
        ) : null}
      </EuiFlyoutBody>
    </EuiFlyout>
  );
}
