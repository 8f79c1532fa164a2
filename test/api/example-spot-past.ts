import { asMs, asPrice } from '../../src/domain/units.ts';
import type { ObservedHour } from '../../src/modules/spot-history/store/spot-hour.ts';
import type { MarketPast, SpotPastView } from '../../src/modules/spot-history/store/spot-past.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/runtime/duration.ts';
import { EXAMPLE_NOW } from './example-market.ts';

const MARKETS: Readonly<Record<string, Pick<MarketPast, 'symbol' | 'quote'>>> = {
  binance: { symbol: 'BTCUSDT', quote: 'USDT' },
  bybit: { symbol: 'BTCUSDT', quote: 'USDT' },
  okx: { symbol: 'BTC-USDT', quote: 'USDT' },
};

/** Bitcoin at the price of the example market, which swings once a day. */
const examplePrice = (at: number): number =>
  91_240 * (1 + 0.01 * Math.sin((at / (24 * HOUR_MS)) * 2 * Math.PI));

const MINUTES = Array.from({ length: 60 }, (_, minute) => minute);
const cents = (price: number): number => Math.round(price * 100) / 100;

function hourAt(start: number, priceAt: (at: number) => number): ObservedHour {
  const samples = MINUTES.map((minute) => priceAt(start + minute * MINUTE_MS));
  return {
    origin: 'observed',
    start: asMs(start),
    lastAt: asMs(start + HOUR_MS - MINUTE_MS),
    last: asPrice(cents(samples.at(-1) ?? 0)),
    samples: samples.length,
    mean: cents(samples.reduce((sum, price) => sum + price, 0) / samples.length),
    spreadBps: 0.2,
    bidUsd: 48_000,
    askUsd: 31_000,
  };
}

/** Every hour of bitcoin at three venues until now. @param priceAt dollars at a time, ms */
export const exampleSpotPast = (priceAt = examplePrice): SpotPastView => ({
  pastOf: (venue, canonicalId, from, to) => {
    const market = MARKETS[venue];
    if (market === undefined || canonicalId !== 'crypto:BTC') return [];
    const hours = new Map<number, ObservedHour>();
    for (let start = Math.ceil(from / HOUR_MS) * HOUR_MS; start < Math.min(to, EXAMPLE_NOW); start += HOUR_MS)
      hours.set(start, hourAt(start, priceAt));
    return hours.size === 0 ? [] : [{ ...market, ticker: 'BTC', hours }];
  },
});
