import { BASE_NAMES, type BaseName } from './base-names.ts';

/**
 * Ticker and multiplier of a venue's base name, from the table of known names; a name that is not listed is
 * itself the ticker. Names are never taken apart by guess: `1INCH`, `KAS`, `KNC` and `PERP` are assets.
 *
 * @param base the base as the venue spells it (`1000PEPE`, `kPEPE`, `XBT`)
 */
export function baseName(base: string): BaseName {
  const known = BASE_NAMES.get(base);
  if (known !== undefined) return known;
  return { ticker: base.toUpperCase(), multiplier: 1 };
}
