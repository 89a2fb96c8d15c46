/**
 * Draws its content when it becomes visible, and updates it only while it is visible. A long page of live charts then only costs as much as
 * its visible charts.
 *
 * Content that was drawn once stays mounted. For each chart that is unmounted, Elastic Charts keeps a listener with all data of the chart
 * (chart_dpr_observer never removes its listener). If charts were unmounted, each scrolling would leak memory.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { TimeAxisProvider, useTimeAxis } from './axis';

/** Distance from the window at which content counts as visible. */
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
