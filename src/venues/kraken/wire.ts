import type { Published } from '../../domain/amount.ts';
import {
  isWire,
  readIso,
  readMs,
  readPrice,
  readRate,
  readText,
  type Wire,
  wireArray,
} from '../../domain/read.ts';
import { baseName } from '../../domain/ticker.ts';
import { asHours, asMs, type Hours, type UnixMs } from '../../domain/units.ts';
import { DAY_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { columnsIn, rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList, contractSize } from '../grammar/contract.ts';
import { bound, derived, field, listingText, ms, price, rate, SECONDS, where } from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows, type SymbolOf } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { nextHour } from '../hour.ts';
import { STAMPS } from './stamps.ts';
import { LEVERAGE, TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'derivatives/api/v3/tickers `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 15 of 32 counts odd; recorded PF_ENJUSD 72513',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'derivatives/api/v3/tickers `vol24h`',
    unit: 'base',
    sides: 'one',
    evidence: 'recorded odd count of lots: 57204.177',
    date: '2026-05',
    confidence: 'high',
  },
  verified: {
    version: 'derivatives v3, sockets v1',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); fee calls retired on 2026-06-22 are not read',
    ends: {
      date: '2027-03-01',
      what: 'REST and sockets v1 of derivatives; the unified socket (uws.kraken.com) stands in their place',
      source: 'docs.kraken.com, pages Derivatives REST and Unified WebSocket; krakenfx/kraken-api-sdk v0.2.0',
    },
  },
};

/** `PF_XBTUSD` is linear; `IN_` and `RR_` are indices, `XBT/USD` and `XXBTZUSD` pairs of the spot venue. */
const symbolRules = symbols(
  {
    linear: /^PF_(.+)USD$/i,
    others: [
      [/^[^_/]+(?:\/[^_/]+|(?:USD[CT]?|EUR))$/i, 'spot'],
      [/^PF_/i, 'foreign_quote'],
      [/^PI_/i, 'inverse'],
      [/^F[FIV]_/i, 'dated'],
      [/^PV_/i, 'quanto'],
      [/^OF_/i, 'option'],
    ],
    rest: 'not_listed',
  },
  1,
);
export const { unitsOf } = symbolRules;

/** Recordings of the years in which symbols were written small are read in capitals. */
const inCapitals = (symbol: string | undefined): string | undefined =>
  symbol?.startsWith('pf_') ? symbol.toUpperCase() : symbol;

export const contractAt =
  (name: string): SymbolOf =>
  (wire) =>
    inCapitals(readText(wire[name]));
export const asked = (context: DecodeContext): string | undefined => inCapitals(requested()(context));

/** Old names that the venue itself maps: newer rows state `base: "BTC"` beside `PF_XBTUSD`. */
const RENAMED: Readonly<Record<string, string>> = { XBT: 'BTC', XDG: 'DOGE' };
const renamed = (base: string): string => RENAMED[base] ?? base;

/** The share of a tokenised one, which carries a lower-case x: `AAPL` of `AAPLx`. */
const shareOf = (base: string): string | undefined => /^([A-Z0-9.]+)x$/.exec(base)?.[1];

/** The asset that a symbol spells: `BTC` of `PF_XBTUSD`, `AAPL` of `PF_AAPLxUSD`. */
export function baseOf(symbol: string): string | undefined {
  const named = symbolRules.baseOf(inCapitals(symbol) ?? '');
  return named === undefined ? undefined : (shareOf(named) ?? renamed(named));
}

/** Errors have three shapes, two of which also come with HTTP 200. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (!isWire(payload)) return payload;
  const { result, error, errors, status, message } = payload;
  const [first] = wireArray(errors) ?? [];
  if (isWire(first)) return rejectError(out, first.code, first.message);
  if (readText(first) !== undefined) return rejectError(out, undefined, first);
  if (typeof error === 'string') return rejectError(out, error, message);
  if (typeof result === 'string' && result !== 'success') return rejectError(out, result, status);
  return payload;
};

/** Opens an answer's content under a key; recorded data may lack the envelope around it. */
export const openTo =
  (key: string): UnwrapEnvelope =>
  (payload, out) => {
    const answer = open(payload, out);
    return isWire(answer) ? (answer[key] ?? answer) : answer;
  };

/** Funding is fixed for, and realised over, each UTC hour. */
const INTERVAL = asHours(1);

function leftOut({ lastTradingTime, type, tradeable }: Wire, symbol: string) {
  if (symbolRules.baseOf(symbol) === undefined) return symbolRules.reasonOf(symbol);
  if (readText(lastTradingTime) !== undefined) return 'dated';
  if (type === 'futures_inverse') return 'inverse';
  if (type !== 'flexible_futures') return fieldFault(symbol, 'type', type);
  return tradeable === true ? undefined : 'not_trading';
}

const CONTRACT: ContractTable = {
  venue: 'kraken',
  symbol: 'symbol',
  leftOut,
  // Stated in newer rows.
  base: derived(({ wire, symbol }) => renamed(readText(wire.base) ?? symbolRules.baseOf(symbol) ?? '')),
  quote: 'USD',
  contractSize: contractSize('contractSize'),
  listedAt: listingText('openingDate'),
  fundingCap: bound('maxRelativeFundingRate'),
  fundingFloor: bound('maxRelativeFundingRate', -1),
  fundingIntervalHours: INTERVAL,
  terms: TERMS,
};
const listedIn = rowsIn(openTo('instrument'), { list: 'instruments', row: 'symbol' });
const contracts = contractList(
  (payload, out) =>
    listedIn(payload, out).map((row) =>
      isWire(row) ? { ...row, symbol: inCapitals(readText(row.symbol)) } : row,
    ),
  CONTRACT,
);

export const decodeInstruments: Decoder = (payload, context) => {
  const decoded = contracts(payload, context);
  const instruments = decoded.instruments.map((instrument) => {
    const share = shareOf(instrument.base);
    return share === undefined
      ? instrument
      : { ...instrument, ...baseName(share), assetClass: 'equity' as const };
  });
  return { ...decoded, instruments };
};

/**
 * USD for one base unit and hour. As a fraction it is of the spot price at which the hour began (docs.kraken.com, feed
 * `ticker`), which the row does not state: of the index of now, of the mark where there is none, as near as it gets.
 */
const ABSOLUTE_RATE = field('fundingRate', (raw, { wire }) => {
  const of = readPrice(wire.indexPrice) ?? readPrice(wire.markPrice);
  return of === undefined ? undefined : readRate(raw, 1 / of);
});

const unlessSuspended =
  (take: RowDecoder): RowDecoder =>
  (row, out) => {
    const { wire, symbol } = row;
    if (wire.suspended !== true) take(row, out);
    else out.rejects.push({ symbol, reason: 'not_trading', detail: 'suspended' });
  };

const takeQuote = quotes(
  {
    markPrice: price('markPrice'),
    indexPrice: price('indexPrice'),
    fundingRate: ABSOLUTE_RATE,
    openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
    volume24h: amount(PUBLISHED.volume, { base: 'vol24h', quote: 'volumeQuote' }),
    bestBid: price('bid'),
    bestAsk: price('ask'),
  },
  (patch, { wire, context }) => {
    if (patch.fundingRate === undefined) return;
    patch.fundingIntervalHours = INTERVAL;
    const next = nextHour(readIso(wire.serverTime) ?? context.receivedAt);
    if (next !== undefined) patch.nextFundingTime = next;
  },
);

const tickersIn = rowsIn(openTo('ticker'), { list: 'tickers', row: 'symbol' });

/** Every metric of every contract; rows of indices hold `last` alone. */
export const decodeTickers = contractRows(
  (payload, out) => {
    const serverTime = isWire(payload) ? payload.serverTime : undefined;
    return tickersIn(payload, out).map((row) => (isWire(row) ? { ...row, serverTime } : row));
  },
  contractAt('symbol'),
  unitsOf,
  unlessSuspended(takeQuote),
);

/** The same without the rate, which the socket states as the fraction that it is. */
export const decodePolledTickers: Decoder = (payload, context) => {
  const decoded = decodeTickers(payload, context);
  const quotes = decoded.quotes.map(
    ({ fundingRate: _rate, fundingIntervalHours: _hours, nextFundingTime: _next, ...patch }) => patch,
  );
  return { ...decoded, quotes: quotes.filter((patch) => Object.keys(patch).length > 1) };
};

/** Best prices and volume, of which the feed `ticker_lite` holds no more. */
const LITE = {
  volume24h: amount(PUBLISHED.volume, { base: 'volume', quote: 'volumeQuote' }),
  bestBid: price('bid'),
  bestAsk: price('ask'),
};
export const takeLite = unlessSuspended(quotes(LITE));

/** The feed `ticker`, whole each time. A time of 0 says that there is no funding yet. */
export const takeTicker = unlessSuspended(
  quotes(
    {
      // A fraction an hour, and exact, which the absolute rate divided by the mark is not.
      fundingRate: where(({ wire }) => wire.next_funding_rate_time !== 0, rate('relative_funding_rate')),
      nextFundingTime: ms('next_funding_rate_time'),
      markPrice: price('markPrice'),
      indexPrice: price('index'),
      openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
      ...LITE,
      maxLeverage: LEVERAGE,
      venueTime: ms('time'),
    },
    (patch) => {
      if (patch.fundingRate !== undefined) patch.fundingIntervalHours = INTERVAL;
    },
  ),
);

/** Periods had four hours, and had one after this day. */
const FOUR_HOURS_UNTIL = asMs(Date.UTC(2022, 8, 29));
const HOURLY_SINCE = asMs(FOUR_HOURS_UNTIL + DAY_MS);

/** Length of the period that begins at a stamp; of the day on which it changed it is not known when. */
function periodAt(at: UnixMs | undefined): Hours | undefined {
  if (at === undefined || (at >= FOUR_HOURS_UNTIL && at < HOURLY_SINCE)) return undefined;
  return at < FOUR_HOURS_UNTIL ? asHours(4) : INTERVAL;
}

const ratesIn = rowsIn(open, { list: 'rates', row: 'timestamp' });

const settled = requestedRows(
  (payload, out) => {
    const serverTime = isWire(payload) ? payload.serverTime : undefined;
    return ratesIn(payload, out).map((row) => (isWire(row) ? { ...row, serverTime } : row));
  },
  asked,
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: field('timestamp', (raw) => readIso(raw)),
    rate: rate('relativeFundingRate'),
    intervalHours: derived(({ wire }) => periodAt(readIso(wire.timestamp))),
    madeAt: field('serverTime', (raw) => readIso(raw)),
  }),
);

/** The whole history, in either order. The row of the period that runs has its rate already, and is no payment yet. */
export const decodeFundingHistory: Decoder = (payload, context) => {
  const decoded = settled(payload, context);
  return { ...decoded, funding: decoded.funding.toSorted((a, b) => a.time - b.time) };
};

export const decodeCandles = (key: 'markPrice' | 'indexPrice'): Decoder =>
  requestedRows(
    rowsIn(open, { list: 'candles', row: 'time' }),
    asked,
    unitsOf,
    priceSeries(STAMPS.price, ms('time'), key, price('open')),
  );

/** Times before this in ms would lie in 1970: they count seconds. */
const FIRST_MS = 1e11;

/** Each cell of `data` is `[open, high, low, close]` or a number. */
export const decodeOpenInterest = requestedRows(
  columnsIn(openTo('result'), ['timestamp', 'data']),
  asked,
  unitsOf,
  openInterestSeries(
    STAMPS.openInterest,
    field('timestamp', (raw) => readMs(raw, typeof raw === 'number' && raw < FIRST_MS ? SECONDS : 1)),
    amount(PUBLISHED.openInterest, ({ wire }) => ({ base: [wire.data].flat()[0] })),
  ),
);
