/**
 * Error boundary: if a page crashes, the rest of the app still works. It does not use a package, because React needs only a class of ten
 * lines for this.
 */
import { EuiButton, EuiEmptyPrompt } from '@elastic/eui';
import { Component, type ReactNode } from 'react';
import { i18n } from '../i18n';

export class CrashBoundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null };

  static getDerivedStateFromError(error: Error): { error: Error } {
    return { error };
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return (
      <EuiEmptyPrompt
        color="danger"
        iconType="error"
        title={<h2>{i18n.translate('dyno.crash.title', { defaultMessage: 'This page failed' })}</h2>}
        body={<p>{error.message}</p>}
        actions={
          <EuiButton onClick={() => this.setState({ error: null })} iconType="refresh">
            {i18n.translate('dyno.crash.again', { defaultMessage: 'Show it again' })}
          </EuiButton>
        }
      />
    );
  }
}
