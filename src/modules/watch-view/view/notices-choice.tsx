import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { notices, turnOff, turnOn } from './notices.ts';

const SAID = {
  on: 'A notice of this browser for each firing, while this page is open in a tab.',
  off: '',
  refused: 'This browser refuses notices of this page: its settings for this site allow them again.',
  none: 'This browser has no notices for a page here: they need a secure address (https), and on a phone an app.',
} as const;

/** Asks the browser for notices, by a click alone, and says where it refuses. */
export function Notices(): JSX.Element {
  const [state, setState] = useState(notices);
  const press = (): void => {
    if (state === 'on') setState(turnOff());
    else void turnOn().then(setState);
  };
  return (
    <p class="tools">
      <button type="button" class="quiet" aria-pressed={state === 'on'} onClick={press}>
        {state === 'on' ? 'Notices are on' : 'Notify me in this browser'}
      </button>
      <span class="fine" role="status">
        {SAID[state]}
      </span>
    </p>
  );
}
