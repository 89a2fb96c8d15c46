/** Charts above each other, or side by side where that leaves each wide enough. */
import type { ReactNode } from 'react';

interface ChartStackProps {
  /** The narrowest that a chart may be before they stand side by side, pixels; always above each other without. */
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
