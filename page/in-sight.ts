/** Keeps a row of a table in sight of the box that it scrolls in, and leaves the page where it is. */
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** For the row; `now` tells when it is another one. */
export function useInSight(now: unknown): RefObject<HTMLTableRowElement | null> {
  const row = useRef<HTMLTableRowElement>(null);
  useEffect(() => {
    const box = row.current?.closest('.scrolls');
    if (!row.current || !box) return;
    const [own, outer] = [row.current.getBoundingClientRect(), box.getBoundingClientRect()];
    if (own.top < outer.top || own.bottom > outer.bottom)
      box.scrollTop += own.top - outer.top - (outer.height - own.height) / 2;
  }, [now]);
  return row;
}
