import { asMs, type UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { HistoryReader } from '../../../history/reader.ts';
import { HOUR_MS, MINUTE_MS } from '../../../runtime/duration.ts';
import type { SecondRead } from '../second-read-rows.ts';
import { compareReadings } from './compare-readings.ts';

/** The time before a payment of the shown value that is compared with it. */
export const BEFORE_PAYMENT = ['minute', 'hour', 'interval'] as const;
export type BeforePayment = (typeof BEFORE_PAYMENT)[number];

type Payments = Extract<Awaited<ReturnType<HistoryReader['newPayments']>>, { ok: true }>['value'];
type Payment = Payments[number];

export type PaymentsReader = Pick<HistoryReader, 'newPayments' | 'shownRates'>;

export interface SettledAgainstShownOptions {
  readonly reader: PaymentsReader;
  /** Hours between the payments of a contract, where the payment does not say. */
  readonly intervalOf: (venue: VenueId, symbol: string) => number | undefined;
  /** Since when the oldest payment waits to be written; undefined = none does. */
  readonly waitingSince: () => UnixMs | undefined;
}

/** Minutes on which rates are looked up in one question: payments of one hour fall on few. */
const MINUTES_AT_ONCE = 12;

/** A payment waits since a moment after it was recorded. */
const STAMPED_MS = 1000;

const keyOf = (venue: VenueId, symbol: string, at: UnixMs): string => `${venue}\n${symbol}\n${at}`;
const minuteOf = (at: number): UnixMs => asMs(Math.floor(at / MINUTE_MS) * MINUTE_MS);

/** Compares each payment that has become known with what was shown before it. */
export class SettledAgainstShown {
  readonly #options: SettledAgainstShownOptions;
  #to: UnixMs;

  /** @param since payments recorded before this time are not looked at */
  constructor(options: SettledAgainstShownOptions, since: UnixMs) {
    this.#options = options;
    this.#to = since;
  }

  /** Comparisons of the payments recorded since the last call; none where the store fails, which leaves them for the next. */
  async next(now: UnixMs): Promise<readonly SecondRead[]> {
    const { reader, waitingSince } = this.#options;
    // Payments that wait are read later: by then they would be of a time that was looked at.
    const to = asMs(Math.min(now, (waitingSince() ?? Number.POSITIVE_INFINITY) - STAMPED_MS));
    if (to <= this.#to) return [];
    const payments = await reader.newPayments(this.#to, to);
    if (!payments.ok) return [];
    const wanted = payments.value.flatMap((payment) => this.#momentsOf(payment));
    const minutes = [...new Set(wanted.map(({ minute }) => minute))].sort((a, b) => a - b);
    const shown = new Map<string, number>();
    for (let i = 0; i < minutes.length; i += MINUTES_AT_ONCE) {
      const some = new Set(minutes.slice(i, i + MINUTES_AT_ONCE));
      const ids = new Set(
        wanted.flatMap(({ minute, payment }) => (some.has(minute) ? payment.canonicalId : [])),
      );
      const rates = await reader.shownRates([...ids], [...some]);
      if (!rates.ok) return [];
      for (const { venue, symbol, at, rate } of rates.value) shown.set(keyOf(venue, symbol, at), rate);
    }
    this.#to = to;
    return wanted.flatMap(({ payment, before, minute }) => {
      const rate = shown.get(keyOf(payment.venue, payment.symbol, minute));
      return rate === undefined ? [] : comparison(payment, before, minute, rate);
    });
  }

  #momentsOf(payment: Payment) {
    const { venue, symbol, at, intervalHours } = payment;
    const hours = intervalHours ?? this.#options.intervalOf(venue, symbol);
    const back: readonly (readonly [BeforePayment, number | undefined])[] = [
      ['minute', MINUTE_MS],
      ['hour', HOUR_MS],
      ['interval', hours === undefined ? undefined : hours * HOUR_MS],
    ];
    return back.flatMap(([before, ms]) =>
      ms === undefined ? [] : [{ payment, before, minute: minuteOf(at - ms) }],
    );
  }
}

function comparison(payment: Payment, before: BeforePayment, minute: UnixMs, rate: number): SecondRead[] {
  const { venue, symbol, at } = payment;
  const compared = compareReadings('funding_rate', { value: rate, at: minute }, { value: payment.rate, at });
  return compared === undefined
    ? []
    : [{ ...compared, at, venue, symbol, field: `shown_${before}_before`, way: 'payment' }];
}
