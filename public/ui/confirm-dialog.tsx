/**
 * A dialog that asks for confirmation before an action that cannot be undone. By default, the button that cancels the dialog has the focus.
 */
import { EuiConfirmModal, useGeneratedHtmlId, type EuiConfirmModalProps } from '@elastic/eui';
import type { ReactNode } from 'react';

type Props = Omit<EuiConfirmModalProps, 'aria-labelledby' | 'titleProps'>;

export function ConfirmDialog(props: Props): ReactNode {
  const titleId = useGeneratedHtmlId();
  return (
    <EuiConfirmModal
      aria-labelledby={titleId}
      titleProps={{ id: titleId }}
      buttonColor="danger"
      defaultFocusedButton="cancel"
      {...props}
    />
  );
}
