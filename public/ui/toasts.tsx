/** Short messages in the corner: what was done, what could not be. */
import { EuiGlobalToastList } from '@elastic/eui';
import { createContext, useCallback, useContext, useMemo, useState, type ReactNode } from 'react';
import { ApiError } from '../api/client';
import { ProblemList } from './problems';

interface Toast {
  id: string;
  title: string;
  color: 'success' | 'danger' | 'primary';
  iconType: string;
  text?: ReactNode;
}

interface Toasts {
  done(title: string, text?: ReactNode): void;
  /** A change that was refused or failed. */
  failed(title: string, error: unknown): void;
}

const Context = createContext<Toasts | null>(null);

const LIFE_MS = 8000;
let count = 0;

export function ToastProvider({ children }: { children: ReactNode }): ReactNode {
  const [toasts, setToasts] = useState<Toast[]>([]);
  const add = useCallback((toast: Omit<Toast, 'id'>) => {
    setToasts((all) => [...all, { id: `toast-${(count += 1)}`, ...toast }]);
  }, []);
  const value = useMemo<Toasts>(
    () => ({
      done: (title, text) => add({ title, text, color: 'success', iconType: 'check' }),
      failed: (title, error) => {
        const text =
          error instanceof ApiError ? <ProblemList problems={error.problems} /> : <p>{String(error)}</p>;
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
  if (toasts === null) throw new Error('outside of the app');
  return toasts;
}
