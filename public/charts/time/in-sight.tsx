/** Draws its content only while it is in sight or nearly so: a long page of charts costs what its window shows. */
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** How near the window it must be. */
const MARGIN = '300px 0px';

export function InSight({ height, children }: { height: number; children: ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(false);
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setNear(entries.at(-1)?.isIntersecting ?? false), {
      rootMargin: MARGIN,
    });
    observer.observe(place.current!);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={place} css={{ blockSize: height }}>
      {near ? children : null}
    </div>
  );
}
