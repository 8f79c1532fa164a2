import { useEffect } from 'preact/hooks';
import { change, placeOf, usePlace } from '../place.ts';

const KEY = 'perpmeter-matrix-columns';
/** Values of parameters of the address by name. Each view names those that it takes; views that name the same one share it. */
type KeptChoice = Readonly<Record<string, string>>;

/** All that is kept on this device. */
function kept(): KeptChoice {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return Object.fromEntries(Object.entries(Object(value)).map(([name, text]) => [name, String(text)]));
  } catch {
    return {};
  }
}

/** Makes a choice, and keeps it on this device. */
export function chooseKept(choice: KeptChoice): void {
  localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...choice }));
  change(choice);
}

/**
 * Puts the kept choice into an address that says nothing, also where the view that is shown is opened again; one with a choice
 * shows what its sender saw.
 * @param names what the view takes of it
 * @param shown parameters that name what is shown, and are no choice
 * @returns true while the address has it: before, a call would be made for nothing
 */
export function useKeptChoice(names: readonly string[], shown: readonly string[] = []): boolean {
  const { view } = usePlace();
  // The address itself counts: of one change each hook of a view hears in a turn of its own.
  const now = placeOf(location.hash);
  const isSilent = now.view === view && [...now.params.keys()].every((name) => shown.includes(name));
  const own = Object.entries(isSilent ? kept() : {}).filter(
    ([name, text]) => names.includes(name) && text !== '',
  );
  const isMissing = own.length > 0;
  useEffect(() => {
    if (isMissing) change(Object.fromEntries(own));
  }, [isMissing]);
  return !isMissing;
}
