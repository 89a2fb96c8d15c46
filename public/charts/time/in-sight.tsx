/**
 * Draws its content when it first becomes visible, and updates the content only while it is visible. Therefore, a long page of live charts
 * only costs as much as its visible charts.
 * Content outside the visible area stays mounted, because unmounting a chart leaks memory: Elastic Charts never removes a listener (in
 * chart_dpr_observer) that references all data of the chart.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { TimeAxisProvider, useTimeAxis } from './axis';

/** Content also counts as visible if it is at most this far above or below the window. */
const MARGIN = '300px 0px';

export function InSight({ height, children }: { height: number; children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  const axis = useTimeAxis();
  const drawn = useRef<{ axis: typeof axis; children: ReactNode } | null>(null);
  if (near) drawn.current = { axis, children };
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: MARGIN,
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} css={{ blockSize: height }}>
      {drawn.current === null ? null : (
        <TimeAxisProvider value={drawn.current.axis}>{drawn.current.children}</TimeAxisProvider>
      )}
    </div>
  );
}
