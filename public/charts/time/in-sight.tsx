/**
 * Draws its content once it comes into sight, and renews it only while it is there: a long page of live charts costs
 * what its window shows. What was drawn stays, for Elastic Charts leaks a listener with all that a chart holds whenever
 * one is taken away (chart_dpr_observer never removes its own); so many charts as a page has are bounded, scrolls are not.
 */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { TimeAxisProvider, useTimeAxis } from './axis';

/** How near the window it must be. */
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
