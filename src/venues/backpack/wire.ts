import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { isWire, readIso, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason } from '../../domain/reject.ts';
import { asHours, asMs, type UnixMs } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  bound,
  derived,
  field,
  hours,
  IN_MILLISECONDS,
  listingText,
  MICROSECONDS,
  ms,
  price,
  rate,
  required,
} from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows, takeEach } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { requestParam } from '../request-param.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'api/v1/openInterest `openInterest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 31 of 31 counts of lots even',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'api/v1/tickers `volume`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 1801.83549',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'v1',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

/** `kPEPE_USDC_PERP` counts thousands of coins; shares carry their market: `AAPL.US_USDC_PERP` trades AAPL. */
export const { baseOf, unitsOf } = symbols(
  {
    linear: /^(.+?)(?:\.US)?_USDC_PERP$/,
    others: [
      [/_PERP$/, 'foreign_quote'],
      [/_(?:PREDICTION|RFQ|IPERP)$/, 'not_listed'],
    ],
    rest: 'spot',
  },
  1,
);

/** Errors are `{code, message}` over REST, `{error: {code, message}}` on the socket. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { code, message, msg } = isWire(payload.error) ? payload.error : payload;
  return code === undefined ? payload : rejectError(out, code, message ?? msg);
};

/** All contracts, or the one of a call for one. */
const rows = rowsIn(open, { row: 'symbol', isComplete: true });
const each = (take: RowDecoder): Decoder => contractRows(rows, 'symbol', unitsOf, take);

/** `rwaMarketType`; absent or null on coins. */
const CLASSES: Readonly<Record<string, AssetClass>> = {
  STOCK: 'equity',
  INDEX: 'index',
  COMMODITY: 'commodity',
  FX: 'fx',
};

const KINDS: Readonly<Record<string, OutOfScopeReason>> = { SPOT: 'spot', IPERP: 'inverse', DATED: 'dated' };

function leftOut({ marketType, quoteSymbol, orderBookState, visible }: Wire): OutOfScopeReason | undefined {
  if (marketType !== 'PERP') return KINDS[String(marketType)] ?? 'not_listed';
  if (quoteSymbol !== 'USDC') return 'foreign_quote';
  if (orderBookState === 'Closed') return 'delisted';
  if (orderBookState !== 'Open') return 'not_trading';
  return visible === false ? 'not_listed' : undefined;
}

const CONTRACT: ContractTable = {
  venue: 'backpack',
  symbol: 'symbol',
  leftOut,
  base: field('baseSymbol', (raw, { symbol }) => readText(raw)?.replace(/\.US$/, '') ?? baseOf(symbol)),
  quote: 'USDC',
  listedAt: listingText('createdAt'),
  contractSize: 1,
  fundingCap: bound('fundingRateUpperBound', 1e-4),
  fundingFloor: bound('fundingRateLowerBound', 1e-4),
  assetClass: derived(({ wire, symbol }) => {
    const type = readText(wire.rwaMarketType);
    if (type !== undefined) return CLASSES[type];
    return symbol.includes('.US_') ? 'equity' : 'crypto';
  }),
  fundingIntervalHours: required(hours('fundingInterval', IN_MILLISECONDS)),
  terms: TERMS,
};

export const decodeMarkets = contractList(rows, CONTRACT);

/** The rate is the running estimate. Rows of the call carry no stamp. */
export const decodeMarkPrices = each(
  quotes({
    fundingRate: required(rate('fundingRate')),
    nextFundingTime: required(ms('nextFundingTimestamp')),
    markPrice: required(price('markPrice')),
    indexPrice: required(price('indexPrice')),
  }),
);

/** The same of a push. */
const MARK_EVENT: QuoteTable = {
  fundingRate: required(rate('f')),
  nextFundingTime: required(ms('n')),
  markPrice: required(price('p')),
  indexPrice: required(price('i')),
  venueTime: ms('E', MICROSECONDS),
};

/** Long plus short; prediction contracts stand among the rows. */
export const decodeOpenInterest = each(
  quotes({ openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }) }),
);

/** 24 h volumes, of spot pairs too. */
export const decodeTickers = each(
  quotes({ volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'quoteVolume' }) }),
);

/** Pushed events that state quotes. */
export const QUOTE_EVENTS: Readonly<Record<string, RowDecoder>> = {
  markPrice: quotes(MARK_EVENT),
  ticker: quotes({ volume24h: amount(PUBLISHED.volume, { base: 'v', quote: 'V' }) }),
  bookTicker: quotes({ bestBid: price('b'), bestAsk: price('a') }),
  openInterest: quotes({ openInterest: amount(PUBLISHED.openInterest, { base: 'o' }) }),
};

/** A time in text, which is UTC though it names no zone: `2026-09-23T04:00:00`, `2025-07-19 13:12:00`. */
function readUtc(raw: unknown): UnixMs | undefined {
  const text = readText(raw)?.replace(' ', 'T');
  return text === undefined ? undefined : readIso(/(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}Z`);
}

/** Since then every perpetual settles hourly; each eight hours until then, this settlement included. */
const HOURLY_AFTER = asMs(Date.UTC(2025, 7, 20, 8));

const takeSettled = settledRates({
  stamp: STAMPS.funding,
  time: field('intervalEndTimestamp', readUtc),
  rate: rate('fundingRate'),
  intervalHours: derived(({ wire }) =>
    asHours((readUtc(wire.intervalEndTimestamp) ?? 0) > HOURLY_AFTER ? 1 : 8),
  ),
});

/**
 * The first page begins with the interval that still runs. Without the time of receipt only its place tells
 * it.
 */
function isRunning(wire: Wire, isFirst: boolean, { receivedAt, request }: DecodeContext): boolean {
  const end = readUtc(wire.intervalEndTimestamp);
  if (end === undefined) return false;
  if (receivedAt !== undefined) return end > receivedAt;
  return isFirst && Number(requestParam(request, 'offset') ?? '0') === 0;
}

/** Newest first, the rate of the running interval before the settled ones. */
export const decodeFundingRates: Decoder = (payload, context) => {
  const out = emptyDecoded();
  const found = rowsIn(open)(payload, out);
  takeEach(found, 'symbol', unitsOf, context, out, (row) => {
    if (isRunning(row.wire, row.wire === found[0], context))
      out.rejects.push({ symbol: row.symbol, reason: 'placeholder', detail: 'interval still running' });
    else takeSettled(row, out);
  });
  return out;
};

const candles = (key: 'markPrice' | 'indexPrice'): Decoder =>
  requestedRows(
    rowsIn(open),
    requested(),
    unitsOf,
    priceSeries(STAMPS.price, field('start', readUtc), key, price('open')),
  );

const CANDLES: Readonly<Record<string, Decoder>> = {
  MarkPrice: candles('markPrice'),
  IndexPrice: candles('indexPrice'),
};

/** `priceType=MarkPrice|IndexPrice`; candles of trades are no metric. */
export const decodeKlines: Decoder = (payload, context) => {
  const decode = CANDLES[requestParam(context.request, 'priceType') ?? ''];
  if (decode !== undefined) return decode(payload, context);
  const out = emptyDecoded();
  open(payload, out);
  if (out.rejects.length === 0)
    out.rejects.push({ symbol: null, reason: 'unknown_unit', detail: 'no candles of mark or index' });
  return out;
};
