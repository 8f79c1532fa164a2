import { useState } from 'preact/hooks';

const KEY = 'perpmeter-favourites';

function kept(): ReadonlySet<string> {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return new Set(Array.isArray(value) ? value.map(String) : []);
  } catch {
    return new Set();
  }
}

/** Assets that the reader has marked; kept on this device. */
export function useFavourites(): readonly [ReadonlySet<string>, toggle: (id: string) => void] {
  const [marked, setMarked] = useState(kept);
  const toggle = (id: string): void => {
    const next = new Set(marked);
    if (!next.delete(id)) next.add(id);
    localStorage.setItem(KEY, JSON.stringify([...next]));
    setMarked(next);
  };
  return [marked, toggle];
}
