/** Branded numbers: the unit travels with the value over module borders. */
declare const unit: unique symbol;
type Unit<Name extends string> = number & { readonly [unit]: Name };

/** Fraction per funding interval of the venue (0.0001 = 1 bp), positive = longs pay shorts. */
export type RatePerInterval = Unit<'rate/interval'>;
/** Fraction per eight hours. */
export type Rate8h = Unit<'rate/8h'>;
/** Basis points. */
export type Bps = Unit<'bps'>;
/** US dollars or a dollar stablecoin. */
export type Usd = Unit<'usd'>;
/** Quote currency per ONE unit of the base asset (contract multipliers removed). */
export type Price = Unit<'price'>;
/** Amount of the base asset (contract multipliers removed). */
export type BaseQty = Unit<'base'>;
/** Milliseconds since the Unix epoch. */
export type UnixMs = Unit<'ms'>;
/** Hours. */
export type Hours = Unit<'hours'>;

export const asRate = (x: number): RatePerInterval => x as RatePerInterval;
export const asRate8h = (x: number): Rate8h => x as Rate8h;
export const asBps = (x: number): Bps => x as Bps;
export const asUsd = (x: number): Usd => x as Usd;
export const asPrice = (x: number): Price => x as Price;
export const asBase = (x: number): BaseQty => x as BaseQty;
export const asMs = (x: number): UnixMs => x as UnixMs;
export const asHours = (x: number): Hours => x as Hours;
