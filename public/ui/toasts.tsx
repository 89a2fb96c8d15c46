/** Short messages in the corner of the page that report success or failure. */
import { EuiGlobalToastList } from '@elastic/eui';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { lacksPrivileges } from '../../common/privileges';
import { describeProblem, type Problem } from '../../common/problem';
import { ApiError } from '../api/client';
import { useApp } from '../app/context';
import type { AppHost, Message } from '../app/host';
import { PRIVILEGES_PATH, whichPrivileges } from './privileges';
import { ProblemList } from './problems';

interface Toast {
  id: string;
  title: string;
  color: 'success' | 'danger' | 'primary';
  iconType: string;
  text?: ReactNode;
}

interface Toasts {
  done(title: string): void;
  /** Reports a change that was refused or failed. */
  failed(title: string, error: unknown): void;
}

const Context = createContext<Toasts | null>(null);

const LIFE_MS = 8000;
let count = 0;

const problemsOf = (error: unknown): readonly Problem[] =>
  error instanceof ApiError ? error.problems : [{ code: 'page', path: '', message: String(error) }];

/** Returns functions that show messages as Kibana's toasts. */
const hosted = (host: AppHost, notify: (message: Message) => void): Toasts => ({
  done: (title) => notify({ title, outcome: 'done', lines: [] }),
  failed(title, error) {
    const problems = problemsOf(error);
    const more =
      host.hasRoles && lacksPrivileges(problems)
        ? { more: { text: whichPrivileges(), path: PRIVILEGES_PATH } }
        : {};
    notify({ title, outcome: 'failed', lines: problems.map(describeProblem), ...more });
  },
});

export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  const { host } = useApp();
  const toasts = useMemo(() => host.notify && hosted(host, host.notify), [host]);
  if (!toasts) return <OwnToasts>{children}</OwnToasts>;
  return <Context.Provider value={toasts}>{children}</Context.Provider>;
}

function OwnToasts({ children }: { children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const add = useCallback((toast: Omit<Toast, 'id'>) => {
    setToasts((all) => [...all, { id: `toast-${(count += 1)}`, ...toast }]);
  }, []);
  const value = useMemo<Toasts>(
    () => ({
      done: (title) => add({ title, color: 'success', iconType: 'check' }),
      failed: (title, error) => {
        const text = <ProblemList problems={problemsOf(error)} />;
        add({ title, text, color: 'danger', iconType: 'error' });
      },
    }),
    [add],
  );
  return (
    <Context.Provider value={value}>
      {children}
      <EuiGlobalToastList
        toasts={toasts}
        dismissToast={({ id }) => setToasts((all) => all.filter((toast) => toast.id !== id))}
        toastLifeTimeMs={LIFE_MS}
      />
    </Context.Provider>
  );
}

export function useToasts(): Toasts {
  const toasts = useContext(Context);
  if (toasts === null) throw new Error('outside the app');
  return toasts;
}
