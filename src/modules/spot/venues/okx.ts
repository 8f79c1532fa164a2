import { isWire, type Wire } from '../../../domain/read.ts';
import { asBps } from '../../../domain/units.ts';
import { envelope, rowsIn } from '../../../venues/grammar/answer.ts';
import { arrayLevels } from '../../../venues/grammar/book.ts';
import { field, listing, ms, number, price, text } from '../../../venues/grammar/field.ts';
import type { RowsOf } from '../../../venues/grammar/rows.ts';
import { inBase, tick } from '../../../venues/grammar/terms.ts';
import { bookSnapshot, requestedPair } from '../grammar/books.ts';
import { borrowRates, lendersRates } from '../grammar/borrow.ts';
import { hourCandles } from '../grammar/candles.ts';
import { baseVolume, size, value } from '../grammar/fields.ts';
import { type MarketTable, marketList } from '../grammar/markets.ts';
import { separated } from '../grammar/pairs.ts';
import { tickers } from '../grammar/tickers.ts';
import type { SpotReason } from '../spot-rows.ts';
import { type SpotVenue, spotCall } from '../spot-venue.ts';

const open = envelope({ isSuccess: (code) => String(code) === '0' });
const spell = separated('-');

const TYPES: Readonly<Record<string, SpotReason | undefined>> = {
  SPOT: undefined,
  MARGIN: undefined,
  SWAP: 'perpetual',
  FUTURES: 'dated',
  OPTION: 'option',
};

const typeReason = ({ instType }: Wire): SpotReason | undefined =>
  Object.hasOwn(TYPES, String(instType)) ? TYPES[String(instType)] : 'not_trading';

/** The category of shares. */
const SHARES = '3';

const STATES: Readonly<Record<string, SpotReason>> = { preopen: 'prelisting', test: 'placeholder' };

/** The list of pairs on margin has those that can be sold short; the one of spot pairs says nothing of it. */
const onMargin = {
  ...field('instType', (raw) => (raw === 'MARGIN' ? true : undefined)),
  raw: ({ instType }: Wire) => (instType === 'MARGIN' ? instType : undefined),
};

const MARKET: MarketTable = {
  venue: 'okx',
  symbol: 'instId',
  leftOut: (wire) => {
    const reason = typeReason(wire) ?? (String(wire.instCategory) === SHARES ? 'tokenized_share' : undefined);
    if (reason !== undefined || wire.state === 'live') return reason;
    return STATES[String(wire.state)] ?? 'not_trading';
  },
  base: text('baseCcy'),
  quote: text('quoteCcy'),
  fields: {
    tick: tick('tickSz'),
    lot: inBase('lotSz'),
    minSize: inBase('minSz'),
    canShort: onMargin,
    listedAt: listing('listTime'),
  },
};

const decodeTickers = tickers(rowsIn(open), {
  symbol: 'instId',
  spell,
  leftOut: typeReason,
  fields: {
    bestBid: price('bidPx'),
    bestBidSize: size('bidSz'),
    bestAsk: price('askPx'),
    bestAskSize: size('askSz'),
    lastPrice: price('last'),
    volume24hBase: baseVolume('vol24h'),
    // Of swaps the same name counts base units.
    volume24hQuote: value('volCcy24h'),
    venueTime: ms('ts'),
  },
});

/** General, and delta neutral. */
const STRATEGIES: ReadonlySet<unknown> = new Set(['0', '1']);

/** The first tier of those without a privilege; the number is spelled with and without a blank. */
const isFirstTier = (level: unknown): boolean => /^(?:Lv|VIP) ?1$/i.test(String(level));

/**
 * A row a coin out of the one object of the answer: `basic` has rate and quota, and where a coin is set by strategy
 * `configCcyList` has its rate and `config` the quota of the general strategy.
 */
const loanRows: RowsOf = (payload, out) => {
  const [found] = rowsIn(open)(payload, out);
  if (found === undefined) return [];
  if (!isWire(found) || found.basic === undefined) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'row' });
    return [];
  }
  const listIn = (name: string): readonly unknown[] => {
    const list = found[name] ?? [];
    if (Array.isArray(list)) return list;
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: name });
    return [];
  };
  const basic = listIn('basic');
  const known = new Set(basic.map((row) => (isWire(row) ? row.ccy : undefined)));
  const quotas = new Map<unknown, unknown>();
  for (const row of listIn('config')) {
    if (
      !isWire(row) ||
      !STRATEGIES.has(row.stgyType) ||
      typeof row.ccy !== 'string' ||
      typeof row.level !== 'string'
    )
      out.rejects.push({ symbol: null, reason: 'malformed', detail: 'config' });
    else if (row.stgyType === '0' && isFirstTier(row.level)) quotas.set(row.ccy, row.quota);
  }
  const byStrategy = listIn('configCcyList')
    .filter((row) => !isWire(row) || !known.has(row.ccy))
    .map((row) => (isWire(row) ? { ...row, quota: quotas.get(row.ccy) } : row));
  return [...basic, ...byStrategy];
};

const decodeLoans = borrowRates(loanRows, {
  asset: 'ccy',
  rate: 'rate',
  period: 'day',
  tier: 'Lv1',
  fields: { limit: baseVolume('quota') },
});

export const okx: SpotVenue = {
  id: 'okx',
  takerFeeBps: asBps(10),
  calls: [
    spotCall('/api/v5/public/instruments', marketList(rowsIn(open), MARKET)),
    spotCall('/api/v5/market/tickers', decodeTickers, { alsoAt: ['/api/v5/market/ticker'] }),
    spotCall(
      '/api/v5/market/books',
      bookSnapshot(rowsIn(open), requestedPair('instId'), spell, {
        bids: arrayLevels('bids'),
        asks: arrayLevels('asks'),
        sequence: number('seqId'),
        venueTime: ms('ts'),
      }),
    ),
    spotCall(
      '/api/v5/market/history-candles',
      hourCandles(rowsIn(open), requestedPair('instId'), spell, {
        start: ms(0),
        open: price(1),
        close: price(4),
      }),
      { alsoAt: ['/api/v5/market/candles'] },
    ),
    spotCall('/api/v5/public/interest-rate-loan-quota', decodeLoans),
    spotCall(
      '/api/v5/finance/savings/lending-rate-history',
      lendersRates(rowsIn(open), 'a year, to lenders'),
      {
        alsoAt: ['/api/v5/finance/savings/lending-rate-summary'],
      },
    ),
  ],
  evidence: {
    tickers: {
      said: '`tickers?instType=SPOT`: `bidPx`, `askPx` with sizes in coins, `vol24h` base, `volCcy24h` quote (of swaps contracts and base), `ts` ms',
      confidence: 'high',
    },
    fee: { said: '10 bps at level 1, by public fee pages; ccxt has an older figure', confidence: 'medium' },
    borrow: {
      said: '`interest-rate-loan-quota` without a key: `rate` a day, `quota` in coins, level Lv1; the savings calls state what lenders get',
      confidence: 'high',
    },
    candles: {
      said: '`history-candles`: time ms, open, high, low, close …; newest first, `after` asks for older ones, at most 100 (API docs; not recorded)',
      confidence: 'medium',
    },
  },
  verified: { version: 'v5', date: '2026-11-28', source: 'OKX API docs of 2026; ccxt 4.5.84' },
};
