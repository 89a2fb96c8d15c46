/**
 * Draws its content when it becomes visible, and updates it only while it is visible. A long page of live charts then costs only as much as
 * the charts in the window.
 *
 * Content that was drawn once stays mounted. Whenever a chart is unmounted, Elastic Charts leaks a listener with all data of the chart
 * (chart_dpr_observer never removes its listener). The number of charts on a page is limited, but users can scroll any number of times.
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
