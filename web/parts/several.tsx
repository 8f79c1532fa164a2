import type { JSX, RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

const EDGE_PX = 8;
const LEAST_PX = 120;

/** Moves an opened menu so far to the left, and makes it so low, that it is within the window. */
function keepInWindow(details: HTMLDetailsElement | null): void {
  const menu = details?.querySelector<HTMLElement>('div');
  if (!menu || !details?.open) return;
  menu.style.left = '0';
  const { right, top } = menu.getBoundingClientRect();
  menu.style.left = `${Math.min(0, document.documentElement.clientWidth - EDGE_PX - right)}px`;
  menu.style.maxHeight = `${Math.max(LEAST_PX, innerHeight - EDGE_PX - top)}px`;
}

/** A menu, which stays within the window also where that is resized or turned. */
function useMenu(): RefObject<HTMLDetailsElement | null> {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const place = (): void => keepInWindow(menu.current);
    addEventListener('resize', place);
    return () => removeEventListener('resize', place);
  }, []);
  return menu;
}

/** A choice of several names; `none` is shown while there is none. */
export function Several(props: {
  label: string;
  all: readonly string[];
  chosen: readonly string[];
  text?: (name: string) => string;
  none?: string;
  choose: (chosen: string) => void;
}): JSX.Element {
  const { label, all, chosen, text = String, none = 'all', choose } = props;
  const menu = useMenu();
  const toggle = (name: string): void => {
    const next = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name];
    choose(all.filter((name) => next.includes(name)).join(','));
  };
  return (
    <details ref={menu} class="venue-choice" onToggle={(event) => keepInWindow(event.currentTarget)}>
      <summary>
        {label}: {chosen.length === 0 ? none : chosen.length}
      </summary>
      <div>
        <button type="button" class="quiet" onClick={() => choose('')}>
          {none === 'all' ? 'All' : 'None'}
        </button>
        {all.map((name) => (
          <label key={name} class="inline">
            <input type="checkbox" checked={chosen.includes(name)} onChange={() => toggle(name)} />
            {text(name)}
          </label>
        ))}
      </div>
    </details>
  );
}
