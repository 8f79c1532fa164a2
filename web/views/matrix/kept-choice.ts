import { useEffect } from 'preact/hooks';
import { change, placeOf } from '../../place.ts';

const KEY = 'perpmeter-matrix-columns';
/** Parameters of the address that say which columns are shown, the reader's taker fees and the size of a leg. */
const NAMES = ['cols', 'venues', 'fees', 'size'] as const;
export type KeptChoice = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

function kept(): KeptChoice {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(Object(value)).filter(([name]) => NAMES.some((column) => column === name));
    return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
  } catch {
    return {};
  }
}

/** Makes a choice, and keeps it on this device. */
export function chooseKept(choice: KeptChoice): void {
  localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...choice }));
  change(choice);
}

/** Puts the kept choice into an address that says nothing; one with a choice shows what its sender saw. */
export function useKeptChoice(): void {
  useEffect(() => {
    if (placeOf(location.hash).params.size === 0) change(kept());
  }, []);
}
