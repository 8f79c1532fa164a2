import { go } from '../../../../web/place.ts';
import { type Firing, firingWords } from './condition-words.ts';

/** Notices of this browser: `off` until the reader asks for them, `refused` where the browser does not allow them, `none` where it has none. */
export type Notices = 'on' | 'off' | 'refused' | 'none';

const CHOICE = 'perpmeter-watch-notices';

/** True once the browser has shown that a page may make none, as on Android. */
let hasFailed = false;

/** Notices are off until a click asks for them, and a browser may refuse them. */
export function notices(): Notices {
  // Pages without a secure address have none.
  if (hasFailed || !('Notification' in window)) return 'none';
  if (Notification.permission === 'denied') return 'refused';
  const isChosen = localStorage.getItem(CHOICE) !== null;
  return isChosen && Notification.permission === 'granted' ? 'on' : 'off';
}

/** Asks the browser for notices; to be called by a click alone. */
export async function turnOn(): Promise<Notices> {
  if (notices() === 'none') return 'none';
  if ((await Notification.requestPermission()) === 'granted') localStorage.setItem(CHOICE, '1');
  return notices();
}

export function turnOff(): Notices {
  localStorage.removeItem(CHOICE);
  return notices();
}

/** Shows a firing where the reader has asked for it. Several tabs show it once, by its name. */
export function notify(firing: Firing): void {
  if (notices() !== 'on') return;
  const { watch_id, sequence, noted_at } = firing;
  try {
    const body = `Noted at ${new Date(noted_at).toLocaleString()}`;
    const shown = new Notification(firingWords(firing), { body, tag: `${watch_id}.${sequence}` });
    shown.onclick = () => {
      focus();
      go('watch', { watch: watch_id });
    };
  } catch {
    hasFailed = true;
  }
}
