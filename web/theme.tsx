import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

const KEY = 'perpmeter-theme';
const THEMES = ['system', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

function kept(): Theme {
  const said = localStorage.getItem(KEY);
  return THEMES.find((theme) => theme === said) ?? 'system';
}

function apply(theme: Theme): void {
  document.documentElement.dataset.theme = theme;
  // A drawing on a canvas has to be drawn again.
  dispatchEvent(new Event('themechange'));
}

/** Light, dark, or as the system says; kept on this device. */
export function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(kept);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const choose = (): void => {
    localStorage.setItem(KEY, next);
    setTheme(next);
    apply(next);
  };
  return (
    <button type="button" class="quiet" onClick={choose} title={`Colours: ${theme}. Next: ${next}`}>
      <span class="unseen">Colours: </span>
      {theme === 'system' ? 'Auto' : theme === 'light' ? 'Light' : 'Dark'}
    </button>
  );
}

apply(kept());

/** The colours of the style sheet, as a canvas takes them. */
export function colours<Name extends string>(names: readonly Name[]): Readonly<Record<Name, string>> {
  const probe = document.body.appendChild(document.createElement('span'));
  const found = names.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(found) as Record<Name, string>;
}
