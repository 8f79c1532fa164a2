import { upperAscii } from './ascii-case.ts';
import { BASE_NAMES, type BaseName, PLAIN_NAMES } from './base-names.ts';

/** Units before a coin's name: a power of ten in figures, in figures and a letter, or a lower-case `k`. */
const PREFIXED =
  /^(?:(10{3,})|(10{0,2})(MLN|mln|[KkMm])|(10{1,2})|(k))([\p{Lu}\p{Lo}][\p{Lu}\p{Lo}\p{N}]+)$/u;
/** Units behind it. */
const SUFFIXED = /^(\p{Lu}{2,})(10{3,})$/u;
/** A name that begins with a number and is none of these may count units, too. */
const NUMBERED = /^\p{Nd}+\p{L}/u;

/** Values of unit letters. */
const UNITS: Readonly<Record<string, number>> = { K: 1000, M: 1_000_000, MLN: 1_000_000 };

/** More coins than this in one unit of a contract are in no venue's list. */
const LARGEST = 1e12;

/**
 * Ticker and multiplier of a venue's base name. Known names come first, those of multiplier contracts and those of assets
 * that only look like one (`1INCH`, `10SET`). Any other name with a power of ten before it (`1000FOO`, `1MFOO`,
 * `1MLNFOO`, `kFOO`) or behind it (`FOO1000`) is read as so many units, and one with another number as itself:
 * `nameReading` marks both as read by rule, since a name proves nothing: prices of other venues do. A name
 * without a number (`KAS`, `KNC`, `PERP`) is itself the ticker.
 *
 * @param base the base as the venue spells it (`1000PEPE`, `kPEPE`, `XBT`)
 */
export function baseName(base: string): BaseName {
  const known = BASE_NAMES.get(base);
  if (known !== undefined) return known;
  const ticker = upperAscii(base);
  if (PLAIN_NAMES.has(ticker)) return { ticker, multiplier: 1 };
  const ruled = byRule(base);
  if (ruled !== undefined) return ruled;
  return NUMBERED.test(base)
    ? { ticker, multiplier: 1, nameReading: 'unknown_number' }
    : { ticker, multiplier: 1 };
}

function byRule(base: string): BaseName | undefined {
  const [, figures, count, unit, few, thousand, coin] = PREFIXED.exec(base) ?? [];
  if (coin !== undefined) {
    const letter = thousand ?? unit;
    const units = letter === undefined ? 1 : (UNITS[upperAscii(letter)] ?? 1);
    return ruledName(coin, Number(figures ?? few ?? count ?? 1) * units);
  }
  const [, named, behind] = SUFFIXED.exec(base) ?? [];
  return named === undefined ? undefined : ruledName(named, Number(behind));
}

/** The coin may go by another of its names: `1000XBT`. */
function ruledName(coin: string, multiplier: number): BaseName | undefined {
  if (multiplier > LARGEST) return undefined;
  const alias = BASE_NAMES.get(coin);
  const ticker = alias?.multiplier === 1 ? alias.ticker : upperAscii(coin);
  return { ticker, multiplier, nameReading: 'ruled_multiplier' };
}
