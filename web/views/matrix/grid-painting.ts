import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { gridColours, HEAD_PX, paintGrid } from './grid-canvas.ts';
import type { Cursor, GridProps } from './grid-props.ts';

type Colours = ReturnType<typeof gridColours>;

interface Seen {
  readonly props: GridProps;
  readonly cursor: Cursor | undefined;
}

/** Paints the part that is scrolled into sight; the cursor is drawn where the keys go to it. */
function paintSeen(box: HTMLElement, picture: HTMLCanvasElement, { props, cursor }: Seen, of: Colours): void {
  const { lines, columns, isFavourite, cellText } = props;
  const width = box.clientWidth;
  const height = Math.max(0, box.clientHeight - HEAD_PX);
  picture.style.width = `${width}px`;
  picture.style.height = `${height}px`;
  const { scrollLeft, scrollTop } = box;
  const place = document.activeElement === picture ? cursor : undefined;
  paintGrid(
    picture,
    { lines, columns, scrollLeft, scrollTop, width, height, cursor: place, isFavourite, cellText },
    of,
  );
}

/** Calls back when size, scroll, focus or colours have changed, until what is returned is called. */
function onChange(
  box: HTMLElement,
  picture: HTMLCanvasElement,
  later: () => void,
  recolour: () => void,
): () => void {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const size = new ResizeObserver(later);
  size.observe(box);
  box.addEventListener('scroll', later, { passive: true });
  picture.addEventListener('focus', later);
  picture.addEventListener('blur', later);
  addEventListener('themechange', recolour);
  dark.addEventListener('change', recolour);
  return () => {
    size.disconnect();
    box.removeEventListener('scroll', later);
    picture.removeEventListener('focus', later);
    picture.removeEventListener('blur', later);
    removeEventListener('themechange', recolour);
    dark.removeEventListener('change', recolour);
  };
}

/** Paints at most once a frame: after data, size, scroll, cursor or colours have changed. */
export function usePainting(
  frame: { readonly current: HTMLDivElement | null },
  canvas: { readonly current: HTMLCanvasElement | null },
  props: GridProps,
  cursor: Cursor | undefined,
): void {
  const latest = useRef<Seen>({ props, cursor });
  latest.current = { props, cursor };
  const request = useRef<() => void>(() => undefined);
  useEffect(() => {
    const box = frame.current;
    const picture = canvas.current;
    if (box === null || picture === null) return;
    let of = gridColours();
    let due = 0;
    const paint = (): void => {
      due = 0;
      paintSeen(box, picture, latest.current, of);
    };
    const later = (): void => {
      due ||= requestAnimationFrame(paint);
    };
    const recolour = (): void => {
      of = gridColours();
      later();
    };
    const stop = onChange(box, picture, later, recolour);
    request.current = later;
    later();
    return () => {
      cancelAnimationFrame(due);
      stop();
    };
  }, [frame, canvas]);
  // Not after the next frame, but in it.
  useLayoutEffect(() => request.current());
}
