import type { UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import { DAY_MS, HOUR_MS } from '../../../runtime/duration.ts';
import { groupBy } from '../../../runtime/group-by.ts';
import type { SpotMarket } from '../../spot/spot-rows.ts';
import type { HourStore, MarketDay, StoredDay } from './hour-store.ts';
import {
  type CandleHour,
  joinedHours,
  type ObservedHour,
  readHour,
  type SpotHour,
  storedHour,
} from './spot-hour.ts';

export const HOURS_A_DAY = 24;
/** Days of hours that are kept: those of borrow rates, and the longest back-test. */
export const KEPT_DAYS = 90;

/** The known hours of one spot market. */
export interface MarketPast extends Pick<MarketDay, 'quote' | 'ticker' | 'relation'> {
  readonly symbol: string;
  /** By the start of the hour; an hour of which nothing is known is not there. */
  readonly hours: ReadonlyMap<number, SpotHour>;
}

/** Read side of the hours of spot markets. */
export interface SpotPastView {
  /** Markets of the asset at the venue with what is known from one moment to another, the end not included; by symbol. */
  pastOf(venue: VenueId, canonicalId: string, from: UnixMs, to: UnixMs): readonly MarketPast[];
}

/** A market with hours of it that are to be kept. */
export interface KeptHours<Hour> {
  readonly market: Pick<SpotMarket, 'venue' | 'symbol' | 'quote' | 'ticker' | 'relation'>;
  readonly canonicalId: string;
  readonly hours: readonly Hour[];
}

const hourOf = (at: number): number => Math.floor(at / HOUR_MS);
const dayOf = (at: number): number => Math.floor(at / DAY_MS);

/** The hours of spot markets as they are stored, with the rules of what takes the place of what. */
export class SpotPast implements SpotPastView {
  readonly #store: HourStore;
  #droppedDay: number | undefined;
  #isClosed = false;

  constructor(store: HourStore) {
    this.#store = store;
  }

  pastOf(venue: VenueId, canonicalId: string, from: UnixMs, to: UnixMs): readonly MarketPast[] {
    // Requests end later than the module does.
    if (this.#isClosed) return [];
    const days = this.#store.days(venue, canonicalId, dayOf(from), dayOf(to - 1));
    const markets = [...groupBy(days, ({ symbol }) => symbol)].map(([symbol, own]): MarketPast => {
      const { quote, ticker, relation } = own.at(-1)?.value ?? { quote: '', ticker: '' };
      const hours = new Map<number, SpotHour>();
      for (const hour of own.flatMap(hoursOf))
        if (hour.start >= from && hour.start < to) hours.set(hour.start, hour);
      return { symbol, quote, ticker, ...(relation !== undefined && { relation }), hours };
    });
    return markets.filter(({ hours }) => hours.size > 0).sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  }

  /** Adds what was seen to what is stored of the same hours. @throws where the disk does not take it */
  addSeen(kept: readonly KeptHours<ObservedHour>[]): void {
    this.#save(kept, joinedHours);
  }

  /** Adds candles of hours of which nothing is stored. @throws where the disk does not take it */
  addCandles(kept: readonly KeptHours<CandleHour>[]): void {
    this.#save(kept, (before, candle) => before ?? candle);
  }

  /** Removes what is older than the days that are kept, once a day. */
  dropOld(now: UnixMs): void {
    const day = dayOf(now);
    if (this.#droppedDay === day) return;
    this.#store.dropBefore(day - KEPT_DAYS);
    this.#droppedDay = day;
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.#store.close();
  }

  #save<Hour extends SpotHour>(
    kept: readonly KeptHours<Hour>[],
    join: (before: SpotHour | undefined, later: Hour) => SpotHour,
  ): void {
    const days = new Map<string, StoredDay>();
    for (const { market, canonicalId, hours } of kept) {
      const { venue, symbol, quote, ticker, relation } = market;
      const key = { venue, canonicalId, symbol };
      for (const hour of hours) {
        const day = dayOf(hour.start);
        const name = [venue, canonicalId, symbol, day].join('\t');
        const held = days.get(name)?.value.hours ?? this.#store.day(key, day)?.hours ?? noHours();
        const index = hourOf(hour.start) % HOURS_A_DAY;
        const before = held[index] ?? undefined;
        const joined = join(before === undefined ? undefined : readHour(hourOf(hour.start), before), hour);
        const names = { quote, ticker, ...(relation !== undefined && { relation }) };
        days.set(name, { ...key, day, value: { ...names, hours: held.with(index, storedHour(joined)) } });
      }
    }
    if (days.size > 0) this.#store.save([...days.values()]);
  }
}

const noHours = (): readonly null[] => new Array<null>(HOURS_A_DAY).fill(null);

const hoursOf = ({ day, value }: StoredDay): readonly SpotHour[] =>
  value.hours.flatMap((stored, i) => (stored === null ? [] : [readHour(day * HOURS_A_DAY + i, stored)]));
