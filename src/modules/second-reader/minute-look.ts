import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import { contractKey } from '../../domain/series.ts';
import type { MarketRow } from '../../market/view.ts';
import type { QualityDays } from './counts/quality-days.ts';
import type { ComparedField } from './readings/field-rules.ts';
import type { HourlyVolatility } from './readings/hourly-volatility.ts';
import { shownReading } from './readings/shown-readings.ts';

/** Fields whose times are kept one by one; the others share them. */
export const AGED_FIELDS = [
  'funding_rate',
  'mark_price',
  'open_interest',
  'volume_24h',
] as const satisfies readonly ComparedField[];

/** Rows looked at before the event loop gets its turn: about a millisecond. */
const ROWS_PER_TURN = 200;

export interface MinuteLookOptions {
  readonly rows: () => Iterable<MarketRow>;
  readonly clock: Clock;
  readonly days: QualityDays;
  readonly volatility: HourlyVolatility;
}

/** Looks at all rows once a minute: counts how old their values are, and follows how much they move. */
export class MinuteLook {
  readonly #options: MinuteLookOptions;
  #running: Promise<void> | undefined;

  constructor(options: MinuteLookOptions) {
    this.#options = options;
  }

  /** One look; resolves when all rows were seen. A look that still runs is not begun again. */
  look(): Promise<void> {
    this.#running ??= this.#all().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #all(): Promise<void> {
    const { rows, clock, volatility } = this.#options;
    let seen = 0;
    for (const row of rows()) {
      this.#row(row);
      seen += 1;
      if (seen % ROWS_PER_TURN === 0) await nextTurn();
    }
    volatility.forget(clock.now());
  }

  #row(row: MarketRow): void {
    const { clock, days, volatility } = this.#options;
    const now = clock.now();
    const { venue, symbol } = row;
    for (const field of AGED_FIELDS) {
      const reading = shownReading(row, field);
      if (reading !== undefined) days.age(venue, field, Math.max(0, now - reading.at) / 1000, now);
    }
    volatility.observe(contractKey(venue, symbol), (field) => shownReading(row, field)?.value, now);
  }
}
