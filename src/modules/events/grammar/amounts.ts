import { readNumber, readUsd } from '../../../domain/read.ts';
import { asBase, asUsd, type BaseQty, type Price, type Usd } from '../../../domain/units.ts';
import type { ContractUnits } from '../../../venues/contract-units.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { SizeUnit, UnknownValue } from '../event-rows.ts';
import type { InverseContract, StatedSize } from './table.ts';

/** A size in every unit that it is known in. */
export interface CountedSize {
  readonly sizeRaw: number;
  readonly sizeUnit: SizeUnit;
  readonly sizeBase?: BaseQty;
  readonly sizeUsd?: Usd;
  readonly unknownValue?: UnknownValue;
}

/** More than any trade has in the smallest unit of any coin. */
const LARGEST = 1e24;

/** A number above zero in the unit of the size; the sign, where it says the side, is no part of it. */
function readSize({ raw, per = 1, isSigned = false }: StatedSize): number | undefined {
  const stated = readNumber(raw);
  if (stated === undefined) return undefined;
  const size = (isSigned ? Math.abs(stated) : stated) / per;
  return size > 0 && size < LARGEST ? size : undefined;
}

/** Ticker units and dollars of a size, by its unit. */
function convert(
  size: number,
  unit: SizeUnit,
  price: Price | undefined,
  { multiplier, perContract }: ContractUnits,
  inverse: InverseContract | undefined,
): readonly [base: number | undefined, usd: number | undefined] {
  const dollars = inverse === undefined ? undefined : inverse.usd && size * inverse.usd;
  if (inverse !== undefined) return [price && dollars && dollars / price, dollars];
  if (unit === 'quote') return [price && size / price, size];
  const perUnit = unit === 'base' ? multiplier : perContract;
  const base = perUnit === undefined ? undefined : size * perUnit;
  return [base, base !== undefined && price !== undefined ? base * price : undefined];
}

/** A coin-margined contract counts dollars, or contracts of so many, whatever others of the venue count. */
const unitOf = (unit: SizeUnit, inverse: InverseContract | undefined): SizeUnit => {
  if (inverse === undefined) return unit;
  return inverse.usd === 1 ? 'quote' : 'contracts';
};

/**
 * Counts a size in ticker units and dollars. A coin-margined contract is worth dollars whatever the price; money of the
 * quote currency is divided by the price; contracts need their size, and without it neither is known, unless the row
 * states its value.
 *
 * @returns the name of the field that cannot be read, where one cannot
 */
export function countSize(
  stated: StatedSize,
  price: Price | undefined,
  units: ContractUnits,
  inverse: InverseContract | undefined,
): CountedSize | string {
  const size = readSize(stated);
  if (size === undefined) return stated.name;
  const { unit, value } = stated;
  const said = readUsd(value?.raw);
  if (said === undefined && value !== undefined && isStated(value.raw)) return value.name;
  const [base, usd] = convert(size, unit, price, units, inverse);
  const dollars = said === undefined || said === 0 ? usd : said;
  const coins = base ?? (dollars !== undefined && price !== undefined ? dollars / price : undefined);
  const why: UnknownValue = coins === undefined ? 'contract_size_unknown' : 'no_price';
  return {
    sizeRaw: size,
    sizeUnit: unitOf(unit, inverse),
    ...(coins !== undefined && { sizeBase: asBase(coins) }),
    ...(dollars === undefined ? { unknownValue: why } : { sizeUsd: asUsd(dollars) }),
  };
}
