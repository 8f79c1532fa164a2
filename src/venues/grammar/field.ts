import {
  isWire,
  readHours,
  readIso,
  readMs,
  readNumber,
  readPrice,
  readRate,
  readText,
  type Wire,
} from '../../domain/read.ts';
import type { Hours, Price, RatePerInterval, UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../call.ts';
import type { ContractUnits } from '../contract-units.ts';

/** A row of an answer or a frame, and what its values may depend on. A candle `[time, open, …]` has its cells by number. */
export interface ContractRow {
  readonly wire: Wire;
  readonly symbol: string;
  readonly units: ContractUnits;
  readonly context: DecodeContext;
}

/** Reads one of our values from a row of the venue's. */
export interface Field<T> {
  /** The venue's name of it. */
  readonly name: string;
  /** The venue's own text; distinguishes a missing value from an unreadable one. */
  readonly raw: (wire: Wire) => unknown;
  readonly read: (raw: unknown, row: ContractRow) => T | undefined;
  /** The call always states it: a row without it is a fault. */
  readonly isRequired?: true;
  /** Follows from other values and says nothing by itself. */
  readonly isDerived?: true;
  /** Rows to which the field applies; the others are taken to have none. */
  readonly appliesTo?: (row: ContractRow) => boolean;
}

/** A value under a name of its own, read by any rule. Undefined from `read` for a stated value is a fault. */
export function field<T>(name: string | number, read: Field<T>['read']): Field<T> {
  const key = String(name);
  return { name: key, raw: (wire) => wire[key], read };
}

/** A value that no field of its own states; undefined leaves it unknown without a fault. */
export function derived<T>(read: (row: ContractRow) => T | undefined): Field<T> {
  return { name: '', raw: () => undefined, read: (_, row) => read(row), isDerived: true };
}

/** The same, where the call always states it: a row without it is a fault. */
export function required<T extends { readonly isRequired?: true }>(what: T): T {
  return { ...what, isRequired: true };
}

/** A field that says nothing of some contracts, whatever their rows have under its name. */
export function where<T>(appliesTo: (row: ContractRow) => boolean, of: Field<T>): Field<T> {
  return { ...of, appliesTo };
}

/** A funding rate. @param scale to a fraction per interval (0.01 for percent) */
export const rate = (name: string | number, scale = 1): Field<RatePerInterval> =>
  field(name, (raw) => readRate(raw, scale));

/**
 * A bound of the rate; where 0 is written there is none.
 *
 * @param scale to a fraction per interval; negative where one figure bounds both sides and the floor is read
 */
export const bound = (name: string, scale = 1): Field<RatePerInterval> => ({
  ...rate(name, scale),
  raw: (wire) => (readNumber(wire[name]) === 0 ? undefined : wire[name]),
});

/**
 * A bound in an object of the row. A part that is stated and has no such name is another than the one that was described:
 * its bound cannot be read, which is a fault and not the absence of a bound.
 */
export const boundIn = (part: string, name: string, scale = 1): Field<RatePerInterval> => {
  const hasName = (object: unknown): object is Wire => isWire(object) && name in object;
  return {
    name,
    raw: ({ [part]: object }) => (hasName(object) ? bound(name).raw(object) : object),
    read: (raw, { wire }) => (hasName(wire[part]) ? readRate(raw, scale) : undefined),
  };
};

/** A price of one unit of the base as named; read per ticker unit. */
export const price = (name: string | number): Field<Price> =>
  field(name, (raw, { units }) => readPrice(raw, units.multiplier));

/** A time. @param scale to milliseconds (1000 for seconds) */
export const ms = (name: string | number, scale = 1): Field<UnixMs> =>
  field(name, (raw) => readMs(raw, scale));

/** A time as which nothing is written: 0, -1. */
export const isNoTime = (raw: unknown): boolean => (readNumber(raw) ?? 1) <= 0;

/** When a contract was listed; 0 and -1 state no time. @param scale to milliseconds */
export const listing = (name: string, scale = 1): Field<UnixMs> => ({
  ...ms(name, scale),
  raw: (wire) => (isNoTime(wire[name]) ? undefined : wire[name]),
});

/** The same as a text of ISO 8601, of which one without a zone is in UTC. */
export const listingText = (name: string): Field<UnixMs> =>
  field(name, (raw) => {
    const stated = readText(raw);
    return stated === undefined
      ? undefined
      : readIso(/Z|[+-]\d\d:?\d\d$/.test(stated) ? stated : `${stated}Z`);
  });

/** An interval. @param scale to hours (1 / 60 for minutes) */
export const hours = (name: string | number, scale = 1): Field<Hours> =>
  field(name, (raw) => readHours(raw, scale));

/** A plain number, such as a sequence. */
export const number = (name: string | number): Field<number> => field(name, readNumber);

/** A text that is not empty. */
export const text = (name: string | number): Field<string> => field(name, readText);

/** Units of time that venues count in, to milliseconds. */
export const SECONDS = 1000;
export const MICROSECONDS = 1e-3;
export const NANOSECONDS = 1e-6;

/** Units of funding intervals, to hours. */
export const IN_MINUTES = 1 / 60;
export const IN_SECONDS = 1 / 3600;
export const IN_MILLISECONDS = 1 / 3_600_000;

/** A readable row is an object, or a candle's list of cells. */
export function isRow(row: unknown): row is Wire {
  return isWire(row) || Array.isArray(row);
}
