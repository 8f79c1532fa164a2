import type { ContractTerms, StatedTerm, StatedTerms, TermName } from '../../domain/contract-terms.ts';
import { readMs, readNumber } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import {
  asBase,
  asPrice,
  asUsd,
  type BaseQty,
  type Price,
  type UnixMs,
  type Usd,
} from '../../domain/units.ts';
import { fieldFault } from '../field-fault.ts';
import { isStated } from '../quote-field.ts';
import { type ContractRow, derived, type Field, isNoTime } from './field.ts';
import { wirePath } from './wire-path.ts';

/** A term as a row of the list of contracts states it. */
export type Term<T> = Field<T> & StatedTerm;

/** The terms that a list of contracts states, each wire field with its unit. */
export interface TermsTable extends StatedTerms {
  readonly fields: { readonly [K in TermName]?: Term<NonNullable<ContractTerms[K]>> };
}

type Read<T> = (stated: number, row: ContractRow) => T | undefined;

/** Venues state a dozen digits at most; a quotient would show the error of its binary factors beyond them. */
const tidy = (value: number): number => Number(value.toPrecision(13));

/** A term under a path of its own (`wirePath`), read by any rule. Undefined from `read` for a stated value is a fault. */
export function term<T>(path: string, unit: string, read: Field<T>['read']): Term<T> {
  return { name: path, place: path, unit, raw: wirePath(path), read };
}

/** A term that is a number above 0; where 0 is written there is none. */
const positive = <T>(path: string, unit: string, read: Read<T>): Term<T> =>
  term(path, unit, (raw, row) => {
    const stated = readNumber(raw);
    return stated !== undefined && stated > 0 && stated < 1e24 ? read(stated, row) : undefined;
  });

/** The venue's rule for all contracts. @param rule says it */
export const always = <T>(value: T, rule: string): Term<T> => ({
  ...derived(() => value),
  place: rule,
  unit: 'rule',
});

/** A step of the price of one unit of the base as named, in the quote currency. */
export const tick = (path: string): Term<Price> =>
  positive(path, 'quote per named base unit', (step, { units }) => asPrice(tidy(step / units.multiplier)));

/** 0.01 of 2. Undefined where that is no number of decimals. */
export const stepOfDecimals = (decimals: number | undefined): number | undefined =>
  decimals !== undefined && Number.isInteger(decimals) && Math.abs(decimals) <= 20
    ? Number(`1e${-decimals}`)
    : undefined;

/** The step of a price as a number of decimals. */
export const priceDecimals = (path: string): Term<Price> =>
  term(path, 'decimals of a price per named base unit', (raw, { units }) => {
    const step = stepOfDecimals(readNumber(raw));
    return step === undefined ? undefined : asPrice(tidy(step / units.multiplier));
  });

/** An amount of base units as the venue names them. */
export const inBase = (path: string): Term<BaseQty> =>
  positive(path, 'named base units', (amount, { units }) => asBase(tidy(amount * units.multiplier)));

/** The same as a number of decimals: the step of a size. */
export const baseDecimals = (path: string): Term<BaseQty> =>
  term(path, 'decimals of a size in named base units', (raw, { units }) => {
    const step = stepOfDecimals(readNumber(raw));
    return step === undefined ? undefined : asBase(tidy(step * units.multiplier));
  });

/** A number of contracts. */
export const inContracts = (path: string): Term<BaseQty> =>
  positive(path, 'contracts', (amount, { units: { perContract } }) =>
    perContract === undefined ? undefined : asBase(tidy(amount * perContract)),
  );

/** A value in the quote currency, which is a dollar of some kind. */
export const inQuote = (path: string): Term<Usd> => positive(path, 'quote currency', (value) => asUsd(value));

/** No venue lends more. */
const MAX_LEVERAGE = 2000;

/** A multiple of the margin. */
export const leverage = (path: string): Term<number> =>
  positive(path, 'multiple', (stated) => (stated >= 1 && stated <= MAX_LEVERAGE ? stated : undefined));

/** The inverse of a figure that is at least 1: a margin of a leverage. @param share of it that counts */
export const oneOver = (path: string, share = 1): Term<number> =>
  positive(path, share === 1 ? 'multiple, read as 1 / it' : `multiple, read as ${share} / it`, (stated) =>
    stated >= 1 ? tidy(share / stated) : undefined,
  );

/** Names of what margins are stated in, by the factor to a fraction. */
const MARGIN_UNITS: Readonly<Record<number, string>> = { 0.01: 'percent', 0.0001: 'parts of 10,000' };
const marginUnit = (scale: number): string => MARGIN_UNITS[scale] ?? 'fraction';

/** A fraction of the position's value. @param scale to a fraction (0.01 for percent) */
export const margin = (path: string, scale = 1): Term<number> =>
  positive(path, marginUnit(scale), (stated) => (stated * scale <= 1 ? tidy(stated * scale) : undefined));

/** The leverage of an initial margin, where the venue's rule says so. @param scale to a fraction (0.01 for percent) */
export const leverageOfMargin = (path: string, scale = 1): Term<number> =>
  positive(path, `${marginUnit(scale)}, read as 1 / it`, (stated) =>
    stated * scale <= 1 ? Number((1 / (stated * scale)).toPrecision(6)) : undefined,
  );

/** Venues write a year like this one for a contract that has no end. */
const NO_END = Date.UTC(2090, 0);

/** The end of a contract; 0, -1 and a time that nobody will see state none. @param scale to milliseconds */
export const end = (path: string, scale = 1): Term<UnixMs> => {
  const at = wirePath(path);
  const isNone = (raw: unknown) => isNoTime(raw) || (readNumber(raw) ?? 0) * scale >= NO_END;
  return {
    ...term(path, scale === 1 ? 'ms' : 's', (raw) => readMs(raw, scale)),
    raw: (wire) => (isNone(at(wire)) ? undefined : at(wire)),
  };
};

/**
 * Reads the terms of one contract. One that is stated and cannot be read is a fault: it would be taken for one that the
 * venue does not limit.
 *
 * @param row the contract's row, with its units
 * @param faults takes what cannot be read
 * @returns undefined where the row states none
 */
export function readTerms(table: TermsTable, row: ContractRow, faults: Reject[]): ContractTerms | undefined {
  const found: Record<string, unknown> = {};
  let isEmpty = true;
  for (const key in table.fields) {
    const of = table.fields[key as TermName] as Term<unknown>;
    const raw = of.raw(row.wire);
    const value = of.appliesTo?.(row) === false ? undefined : of.read(raw, row);
    if (value !== undefined) {
      found[key] = value;
      isEmpty = false;
    } else if (isStated(raw) && of.appliesTo?.(row) !== false)
      faults.push(fieldFault(row.symbol, of.name, raw));
  }
  return isEmpty ? undefined : found;
}
