import type { Instrument } from '../../domain/instrument.ts';
import type { UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { BackfillEndpoint } from '../backfill-endpoint.ts';
import { backfill, endpoint } from '../grammar/calls.ts';
import { depthOf, framesOf } from './books.ts';
import { type FapiDialect, fapiDecoders, fapiSymbols } from './wire.ts';

/** The calls of a venue that speaks the Binance futures API. */
export function fapiCalls(dialect: FapiDialect) {
  const { prefix } = dialect;
  const decode = fapiDecoders(dialect);
  return {
    baseOf: fapiSymbols(dialect).baseOf,
    exchangeInfo: endpoint(`${prefix}/exchangeInfo`, decode.exchangeInfo),
    premiumIndex: endpoint(`${prefix}/premiumIndex`, decode.premiumIndex),
    fundingInfo: endpoint(`${prefix}/fundingInfo`, decode.fundingInfo),
    ticker24h: endpoint(`${prefix}/ticker/24hr`, decode.ticker24h, { name: 'ticker/24hr' }),
    bookTicker: endpoint(`${prefix}/ticker/bookTicker`, decode.bookTicker, { name: 'ticker/bookTicker' }),
    openInterest: endpoint(`${prefix}/openInterest`, decode.openInterest),
    depth: depthOf(dialect),
    fundingRate: endpoint(`${prefix}/fundingRate`, decode.fundingRate),
    openInterestHist: endpoint('/futures/data/openInterestHist', decode.openInterestHist, {
      name: 'futures/data/openInterestHist',
    }),
    markPriceKlines: endpoint(`${prefix}/markPriceKlines`, decode.markPriceKlines),
    klines: endpoint(`${prefix}/klines`, decode.klines),
    frames: framesOf(dialect),
  };
}

type FapiCalls = ReturnType<typeof fapiCalls>;

/** Settled rates (1,000 rows), candles of the mark and of trades (1,500; weight 10 above 1,000). */
export function fapiBackfill(
  calls: Pick<FapiCalls, 'fundingRate' | 'markPriceKlines' | 'klines'>,
  fundingPool = 'default',
): readonly BackfillEndpoint[] {
  const span = ({ symbol }: Instrument, from: UnixMs, to: UnixMs) => ({
    symbol,
    startTime: from,
    endTime: to - 1,
    limit: 1000,
  });
  const candles = {
    points: 1000,
    stepMs: HOUR_MS,
    weight: 5,
    query: (instrument: Instrument, from: UnixMs, to: UnixMs) => ({
      ...span(instrument, from, to),
      interval: '1h',
    }),
  };
  return [
    backfill('funding', calls.fundingRate, { points: 1000, pool: fundingPool, query: span }),
    backfill('mark', calls.markPriceKlines, candles),
    backfill('volume', calls.klines, candles),
  ];
}
