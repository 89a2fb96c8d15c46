/** A button in the header of a result. On a phone, it shows only its icon. */
import { EuiButton } from '@elastic/eui';
import type { MouseEvent, ReactNode } from 'react';
import { NARROW_PAGE } from '../../ui/page';

interface HeaderButtonProps {
  label: string;
  icon: string;
  href?: string;
  onClick?: (event: MouseEvent) => void;
}

export function HeaderButton({ label, icon, ...action }: HeaderButtonProps): ReactNode {
  return (
    <EuiButton
      size="s"
      color="text"
      minWidth={false}
      iconType={icon}
      aria-label={label}
      title={label}
      // EUI accepts the properties of either a link or a button.
      {...(action as { href: string })}
    >
      <span css={{ [NARROW_PAGE]: { display: 'none' } }}>{label}</span>
    </EuiButton>
  );
}
