/** An accordion for rarely needed content. It is closed at first. */
import { EuiAccordion, EuiText, useGeneratedHtmlId } from '@elastic/eui';
import type { ReactNode } from 'react';
import { OWN_HEIGHT } from '../../../ui/accordion';

export function Accordion({ title, children }: { title: string; children: ReactNode }): ReactNode {
  const id = useGeneratedHtmlId();
  return (
    <EuiAccordion
      id={id}
      css={OWN_HEIGHT}
      paddingSize="s"
      buttonContent={<EuiText size="s">{title}</EuiText>}
    >
      {children}
    </EuiAccordion>
  );
}
