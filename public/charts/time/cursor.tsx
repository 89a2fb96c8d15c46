/** One cursor over all time charts of a page: where the pointer is in one of them, the others show it too. */
import type { Chart, PointerEvent } from '@elastic/charts';
import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from 'react';

export interface Cursor {
  /** Where the pointer is, ms since the epoch; null while it is in no chart. */
  get(): number | null;
  subscribe(onChange: () => void): () => void;
  /** From a chart, to all others. */
  publish(event: PointerEvent): void;
  join(chart: Chart): () => void;
}

function createCursor(): Cursor {
  let at: number | null = null;
  let frame = 0;
  const charts = new Set<Chart>();
  const listeners = new Set<() => void>();
  return {
    get: () => at,
    subscribe(onChange) {
      listeners.add(onChange);
      return () => listeners.delete(onChange);
    },
    publish(event) {
      // Pointers move more often than screens are drawn.
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => {
        at = event.type === 'Over' && typeof event.x === 'number' ? event.x : null;
        charts.forEach((chart) => chart.dispatchExternalPointerEvent(event));
        listeners.forEach((listener) => listener());
      });
    },
    join(chart) {
      charts.add(chart);
      return () => charts.delete(chart);
    },
  };
}

const Context = createContext<Cursor | null>(null);

export function SharedCursor({ children }: { children: ReactNode }): ReactNode {
  const cursor = useMemo(createCursor, []);
  return <Context.Provider value={cursor}>{children}</Context.Provider>;
}

export function useCursor(): Cursor {
  const cursor = useContext(Context);
  if (cursor === null) throw new Error('outside a shared cursor');
  return cursor;
}

/** Where the pointer is, ms since the epoch; renders again whenever it moves. */
export function useCursorAt(): number | null {
  const cursor = useCursor();
  return useSyncExternalStore(cursor.subscribe, cursor.get);
}
