import type { JSX } from 'preact';

/** Puts the keyboard behind a part; the next Tab reaches what follows it. */
function leave(part: Element): void {
  const mark = document.createElement('span');
  mark.tabIndex = -1;
  mark.className = 'unseen';
  part.after(mark);
  mark.addEventListener('blur', () => mark.remove());
  mark.focus();
}

/**
 * A link that passes over the part that it begins, or over the one that follows it, where that has many places for the
 * keyboard. It is seen while it has the keyboard. The address stays: it is the view's state.
 */
export function SkipPast({ what, isBefore = false }: { what: string; isBefore?: boolean }): JSX.Element {
  return (
    // biome-ignore lint/a11y/useValidAnchor: a link that works like every skip link, but for the address
    <a
      class="skip here"
      href="#past"
      onClick={(event) => {
        event.preventDefault();
        const part = isBefore ? event.currentTarget.nextElementSibling : event.currentTarget.parentElement;
        if (part !== null) leave(part);
      }}
    >
      Past {what}
    </a>
  );
}
