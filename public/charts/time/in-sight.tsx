/**
 * Draws its content when it becomes visible, and updates it only while it is visible. A long page of live charts then costs only what is
 * visible in the window. Content that was drawn once stays mounted: Elastic Charts leaks a listener, and all data of the chart with it,
 * whenever a chart is unmounted (chart_dpr_observer never removes its listener). The number of charts on a page is bounded; the number of
 * scrolls is not.
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
