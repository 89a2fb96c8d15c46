/** A modal dialog: a title, its content, and buttons at the bottom. */
import {
  EuiModal,
  EuiModalBody,
  EuiModalFooter,
  EuiModalHeader,
  EuiModalHeaderTitle,
  useGeneratedHtmlId,
  type EuiModalProps,
} from '@elastic/eui';
import type { ReactNode } from 'react';

interface Props extends Omit<EuiModalProps, 'title' | 'aria-labelledby' | 'aria-label'> {
  title: string;
  /** Buttons at the bottom. The button that confirms the dialog is the last one. */
  footer?: ReactNode;
}

export function Dialog({ title, footer, children, ...props }: Props): ReactNode {
  const titleId = useGeneratedHtmlId();
  return (
    <EuiModal aria-labelledby={titleId} {...props}>
      <EuiModalHeader>
        <EuiModalHeaderTitle id={titleId}>{title}</EuiModalHeaderTitle>
      </EuiModalHeader>
      <EuiModalBody>{children}</EuiModalBody>
      {footer === undefined ? null : <EuiModalFooter>{footer}</EuiModalFooter>}
    </EuiModal>
  );
}
