import { useEffect, useState } from 'preact/hooks';

const NARROW = matchMedia('(max-width: 640px)');

/** True while the window is as narrow as a phone's. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches);
  useEffect(() => {
    const look = (): void => setNarrow(NARROW.matches);
    NARROW.addEventListener('change', look);
    return () => NARROW.removeEventListener('change', look);
  }, []);
  return isNarrow;
}
