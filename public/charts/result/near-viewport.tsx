/** Draws expensive content only when the user has scrolled close to it. Until then, an empty box takes its place. */
import { useEffect, useRef, useState, type ReactNode } from 'react';

/** Distance below the window at which drawing starts. */
const AHEAD = '500px';

export function NearViewport({ height, children }: { height: number; children: () => ReactNode }): ReactNode {
  const place = useRef<HTMLDivElement>(null);
  const [near, setNear] = useState(() => typeof IntersectionObserver === 'undefined');
  useEffect(() => {
    const { current } = place;
    if (near || current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setNear(true);
      },
      { rootMargin: AHEAD },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, [near]);
  return (
    <div ref={place} css={near ? undefined : { minHeight: height }}>
      {near ? children() : null}
    </div>
  );
}
