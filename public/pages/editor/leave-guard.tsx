/** Asks the user before a page with unsaved changes is left. */
import type { Action, Location } from 'history';
import { useEffect, useRef, useState, type MutableRefObject, type ReactNode } from 'react';
import { useApp } from '../../app/context';
import { i18n } from '../../i18n';
import { ConfirmDialog } from '../../ui/confirm-dialog';

interface LeaveGuardProps {
  active: boolean;
  /** Whether the page may be left without asking the user. The editor sets this to true before it opens another page itself. */
  open: MutableRefObject<boolean>;
  onDiscard: () => void;
}

export function LeaveGuard({ active, open, onDiscard }: LeaveGuardProps): ReactNode {
  const { history } = useApp().host;
  const [asked, setAsked] = useState<{ location: Location; action: Action } | null>(null);
  const unblock = useRef<() => void>(() => undefined);

  useEffect(() => {
    if (!active) return undefined;
    const here = history.location.pathname;
    unblock.current = history.block((location, action) => {
      if (open.current || location.pathname === here) return undefined;
      setAsked({ location, action });
      return false;
    });
    const beforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', beforeUnload);
    return () => {
      unblock.current();
      window.removeEventListener('beforeunload', beforeUnload);
    };
  }, [active, history, open]);

  if (asked === null) return null;
  const leave = (): void => {
    open.current = true;
    onDiscard();
    if (asked.action === 'REPLACE') history.replace(asked.location);
    else history.push(asked.location);
  };
  return (
    <ConfirmDialog
      title={i18n.translate('dyno.editor.leave.title', { defaultMessage: 'Leave without saving?' })}
      onCancel={() => setAsked(null)}
      onConfirm={leave}
      cancelButtonText={i18n.translate('dyno.editor.leave.stay', { defaultMessage: 'Keep editing' })}
      confirmButtonText={i18n.translate('dyno.editor.leave.leave', { defaultMessage: 'Discard changes' })}
    >
      <p>
        {i18n.translate('dyno.editor.leave.body', {
          defaultMessage: 'Your changes since the last save will be lost.',
        })}
      </p>
    </ConfirmDialog>
  );
}
