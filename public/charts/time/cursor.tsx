/** The shared cursor of all time charts of a page. When the pointer is in one chart, the others show the same time. */
import type { Chart, PointerEvent } from '@elastic/charts';
import { createContext, useContext, useMemo, useSyncExternalStore, type ReactNode } from 'react';

export interface Cursor {
  /** Returns the time under the pointer, in ms since the epoch; null if the pointer is in no chart. */
  get(): number | null;
  subscribe(onChange: () => void): () => void;
  /** Sends a pointer event of one chart to all charts. */
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
      // Only the last event is sent before each redraw, because the pointer moves more often than the screen is redrawn.
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

/** Returns the time under the pointer in ms since the epoch, or null. The component renders again whenever the pointer moves. */
export function useCursorAt(): number | null {
  const cursor = useCursor();
  return useSyncExternalStore(cursor.subscribe, cursor.get);
}
