import { isWire, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, rowsIn } from '../../../venues/grammar/answer.ts';
import { borrowRates } from '../grammar/borrow.ts';
import { baseVolume } from '../grammar/fields.ts';
import { marketList } from '../grammar/markets.ts';
import type { SpotDecoder } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';
import {
  decodeBook,
  decodeCandles,
  decodeTickers,
  decodeTouches,
  marketTable,
  open,
} from './binance-form.ts';

/** The table behind Binance's own margin page: a row a coin, with the terms of each tier. */
const openTable = envelope({ isSuccess: (code) => code === '000000', message: 'message' });

const firstTier = (specs: unknown): Wire => {
  const tiers = Array.isArray(specs) ? specs.filter(isWire) : [];
  return tiers.find(({ vipLevel }) => String(vipLevel) === '0') ?? {};
};

const decodeMargin: SpotDecoder = borrowRates(
  (payload, out) =>
    rowsIn(openTable)(payload, out).map((row) =>
      isWire(row) ? { ...firstTier(row.specs), assetName: row.assetName } : row,
    ),
  {
    asset: 'assetName',
    rate: 'dailyInterestRate',
    period: 'day',
    tier: '0',
    access: 'undocumented',
    fields: { limit: baseVolume('borrowLimit') },
  },
);

export const binance: SpotVenue = {
  id: 'binance',
  takerFeeBps: asBps(10),
  calls: [
    spotCall('/api/v3/exchangeInfo', marketList(rowsIn(open, { list: 'symbols' }), marketTable('binance'))),
    spotCall('/api/v3/ticker/24hr', decodeTickers),
    spotCall('/api/v3/ticker/bookTicker', decodeTouches),
    spotCall('/api/v3/depth', decodeBook),
    spotCall('/api/v3/klines', decodeCandles),
    spotCall('/bapi/margin/v1/public/margin/vip/spec/list-all', decodeMargin),
  ],
  evidence: {
    tickers: {
      said: '`ticker/24hr` in one call: `bidPrice`, `askPrice` with sizes in base, `volume` base, `quoteVolume` quote, `closeTime` ms; `bookTicker` has no time (recorded 2024-11)',
      confidence: 'high',
    },
    fee: { said: '10 bps for a regular user, without the discount for BNB', confidence: 'high' },
    borrow: {
      said: 'documented calls need a key; the table of its margin page is undocumented: `dailyInterestRate` a day, `borrowLimit` in coins, tier 0',
      confidence: 'low',
    },
    candles: {
      said: '`klines`: open time ms, open, high, low, close …; oldest first, at most 1,000 (recorded answers in public clients)',
      confidence: 'high',
    },
  },
  verified: {
    version: 'api/v3',
    date: '2026-11-28',
    source: 'ccxt 4.5.84; Binance spot API docs: all-market bookTicker stream is gone, REST bulk calls stay',
  },
};
