import { useEffect, useState } from 'preact/hooks';
import { change, placeOf } from '../place.ts';

const KEY = 'perpmeter-matrix-columns';
/** Parameters of the address that say which columns are shown, the reader's taker fees, also on spot, and the size of a leg. */
const NAMES = ['cols', 'venues', 'fees', 'spot_fees', 'size'] as const;
type Name = (typeof NAMES)[number];
export type KeptChoice = Readonly<Partial<Record<Name, string>>>;

/** The part of it that the matrix takes. */
export const MATRIX_CHOICE = ['cols', 'venues', 'fees', 'size'] as const;
/** The part of it that a pair with a spot leg takes. */
export const CARRY_CHOICE = ['fees', 'spot_fees', 'size'] as const;

/** The part of the kept choice under some of its names. */
function kept(names: readonly Name[]): KeptChoice {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    const entries = Object.entries(Object(value)).filter(([name]) => names.some((known) => known === name));
    return Object.fromEntries(entries.map(([name, text]) => [name, String(text)]));
  } catch {
    return {};
  }
}

/** Makes a choice, and keeps it on this device. */
export function chooseKept(choice: KeptChoice): void {
  localStorage.setItem(KEY, JSON.stringify({ ...kept(NAMES), ...choice }));
  change(choice);
}

/**
 * Puts the kept choice into an address that says nothing; one with a choice shows what its sender saw.
 * @param names what the view takes of it
 * @param shown parameters that name what is shown, and are no choice
 * @returns true once the address has it
 */
export function useKeptChoice(names: readonly Name[], shown: readonly string[] = []): boolean {
  const [isDone, setDone] = useState(false);
  useEffect(() => {
    const said = [...placeOf(location.hash).params.keys()].filter((name) => !shown.includes(name));
    if (said.length === 0) change(kept(names));
    setDone(true);
  }, []);
  return isDone;
}
