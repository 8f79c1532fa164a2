import { useEffect } from 'preact/hooks';
import { change, placeOf } from '../../place.ts';

const KEY = 'perpmeter-matrix-columns';
/** Parameters of the address that say which columns are shown. */
const NAMES = ['cols', 'venues'] as const;
export type ColumnChoice = Readonly<Partial<Record<(typeof NAMES)[number], string>>>;

function kept(): ColumnChoice {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(Object(value)).filter(([name]) => NAMES.some((column) => column === name));
    return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
  } catch {
    return {};
  }
}

/** Shows other columns, and keeps the choice on this device. */
export function chooseColumns(choice: ColumnChoice): void {
  localStorage.setItem(KEY, JSON.stringify({ ...kept(), ...choice }));
  change(choice);
}

/** Puts the kept columns into an address that says nothing; one with a choice shows what its sender saw. */
export function useKeptColumns(): void {
  useEffect(() => {
    if (placeOf(location.hash).params.size === 0) change(kept());
  }, []);
}
