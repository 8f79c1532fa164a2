import type { UnixMs } from '../../../domain/units.ts';
import { DAY_MS, HOUR_MS } from '../../../runtime/duration.ts';
import { differenceOf } from './compare-readings.ts';
import { COMPARED_FIELDS, type ComparedField, FIELD_RULES } from './field-rules.ts';

/** Fields that move by themselves. */
const MOVING = COMPARED_FIELDS.filter((field) => FIELD_RULES[field].hourlyVolatility > 0);
/** A move this long ago counts a third of a present one. */
const MEMORY_MS = HOUR_MS;

interface Moves {
  at: UnixMs;
  readonly values: number[];
  /** Mean square of the moves in an hour. */
  readonly squares: number[];
}

/**
 * The volatility of the fields of each contract: the root of the mean square of their moves, scaled to an hour.
 */
export class HourlyVolatility {
  readonly #moves = new Map<string, Moves>();

  /**
   * A look at a contract, one a minute or so.
   *
   * @param shownOf what is shown; undefined = unknown
   */
  observe(key: string, shownOf: (field: ComparedField) => number | undefined, now: UnixMs): void {
    const seen = this.#moves.get(key);
    const values = MOVING.map((field) => shownOf(field) ?? Number.NaN);
    if (seen === undefined) {
      this.#moves.set(key, { at: now, values, squares: MOVING.map(() => Number.NaN) });
      return;
    }
    const passedMs = now - seen.at;
    if (passedMs <= 0) return;
    const part = 1 - Math.exp(-passedMs / MEMORY_MS);
    for (const [i, field] of MOVING.entries()) {
      const value = values[i] ?? Number.NaN;
      const before = seen.values[i] ?? Number.NaN;
      if (Number.isNaN(value)) continue;
      seen.values[i] = value;
      if (Number.isNaN(before)) continue;
      const square = (differenceOf(field, before, value) ** 2 * HOUR_MS) / passedMs;
      const mean = seen.squares[i] ?? Number.NaN;
      seen.squares[i] = Number.isNaN(mean) ? square : mean + part * (square - mean);
    }
    seen.at = now;
  }

  /** Volatility of an hour, a part of the value or, of a rate, a fraction per interval; undefined before two looks. */
  of(key: string, field: ComparedField): number | undefined {
    const square = this.#moves.get(key)?.squares[MOVING.indexOf(field)] ?? Number.NaN;
    return Number.isNaN(square) ? undefined : Math.sqrt(square);
  }

  /** Forgets contracts that were not looked at for a day. */
  forget(now: UnixMs): void {
    for (const [key, { at }] of this.#moves) if (now - at > DAY_MS) this.#moves.delete(key);
  }
}
