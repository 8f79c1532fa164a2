/** Two figures of one amount as ccxt states them, and what may tell their units. */
export interface StatedAmount {
  /** `baseVolume`, `openInterestAmount`: base units by ccxt's definition, contracts at some exchanges. */
  readonly amount: number | undefined;
  /** `quoteVolume`, `openInterestValue`: quote currency by definition, base units at some exchanges. */
  readonly value: number | undefined;
  /** Price of one base unit as named, where one is known. */
  readonly price: number | undefined;
  /** Base units as named in one contract. */
  readonly contractSize: number;
}

/** An amount with known units: base units as named, and quote currency. */
export interface UnitAmount {
  readonly base?: number;
  readonly value?: number;
}

/** Prices move within the day that a volume counts; a wrong unit is off by more wherever it can be told at all. */
const WITHIN = Math.log(2);
/** Two statements of the same number of base units. */
const SAME = Math.log(1.01);

const distance = (ratio: number): number =>
  ratio > 0 ? Math.abs(Math.log(ratio)) : Number.POSITIVE_INFINITY;

/**
 * Tells the unit of an amount from the figures themselves: base units x price must give the value. Undefined when
 * they contradict each other, or when nothing can tell contracts from base units.
 */
export function unitAmount(stated: StatedAmount): UnitAmount | undefined {
  const { amount, value, price, contractSize } = stated;
  if (amount === undefined) return value === undefined ? {} : { value };
  if (amount === 0) return { base: 0, ...(value !== undefined && { value }) };
  if (value === undefined || price === undefined || value === 0) {
    return contractSize === 1 ? { base: amount } : undefined;
  }
  const asBase = distance(value / (amount * price));
  const asContracts = distance(value / (amount * contractSize * price));
  const least = Math.min(asBase, asContracts);
  if (least <= WITHIN) return { base: asBase <= asContracts ? amount : amount * contractSize, value };
  // Known of some exchanges: the "value" repeats the amount in base units.
  const repeats = [amount, amount * contractSize].some((base) => distance(value / base) <= SAME);
  return repeats ? { base: value } : undefined;
}
