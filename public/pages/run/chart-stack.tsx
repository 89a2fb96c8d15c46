/** Arranges charts one below the other, or side by side if the page is wide enough. */
import type { ReactNode } from 'react';

interface ChartStackProps {
  /** Minimum width of a chart, in px, if charts are side by side. If undefined, charts are always one below the other. */
  beside?: number;
  children: ReactNode;
}

export function ChartStack({ beside, children }: ChartStackProps): ReactNode {
  const columns = beside === undefined ? '1fr' : `repeat(auto-fill, minmax(min(100%, ${beside}px), 1fr))`;
  return (
    <div
      css={{
        display: 'grid',
        alignItems: 'end',
        gap: '20px 32px',
        gridTemplateColumns: columns,
        '& > *': { minInlineSize: 0 },
      }}
    >
      {children}
    </div>
  );
}
