import { isWire, type Wire } from '../../src/domain/read.ts';

/** Venues round prices and amounts; rates come through as they are. */
export const PRICE = 3e-6;
export const RATE = 2e-10;
/** The tolerance of bps from two rounded prices. */
export const PRICE_BPS = 0.05;
/** Answers state bps to four places: half of the last one. */
export const BPS_PLACE = 5e-5;
/** The tolerance of bps from rates, scaled to eight hours at most. */
export const RATE_BPS = 2e-5 + BPS_PLACE;

/** Mistakes found in one answer, each with its place. */
export class Findings {
  readonly list: string[] = [];

  /** A number within a fraction of what it should be, or null where nothing should be known. */
  price(where: string, actual: unknown, expected: number | undefined): void {
    this.number(where, actual, expected, Math.abs(expected ?? 0) * PRICE);
  }

  rate(where: string, actual: unknown, expected: number | undefined): void {
    this.number(where, actual, expected, RATE);
  }

  number(where: string, actual: unknown, expected: number | undefined, tolerance: number): void {
    if (expected === undefined) {
      if (actual !== null) this.list.push(`${where} is ${String(actual)}, nothing is known`);
    } else if (typeof actual !== 'number' || !(Math.abs(actual - expected) <= tolerance)) {
      this.list.push(`${where} is ${String(actual)}, not ${expected}`);
    }
  }

  same(where: string, actual: unknown, expected: unknown): void {
    const a = JSON.stringify(actual);
    const b = JSON.stringify(expected);
    if (a !== b) this.list.push(`${where} is ${a}, not ${b}`);
  }
}

/** The objects of an array in an answer. */
export function items(body: Wire, field: string): readonly Wire[] {
  const value = body[field];
  return Array.isArray(value) ? value.filter(isWire) : [];
}

export function inner(body: Wire, field: string): Wire {
  const value = body[field];
  return isWire(value) ? value : {};
}

/** The object of an array by its venue. */
export function byVenue(list: readonly Wire[]): ReadonlyMap<unknown, Wire> {
  return new Map(list.map((item) => [item.venue, item]));
}
