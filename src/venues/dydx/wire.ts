import type { Published } from '../../domain/amount.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readIso, readNumber, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { RejectReason } from '../../domain/reject.ts';
import { asHours, asMs, type RatePerInterval } from '../../domain/units.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { rejectError, rejectShape, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractsWithQuotes } from '../grammar/contract.ts';
import { derived, field, price, rate, required, text, where } from '../grammar/field.ts';
import { openInterestSeries, settledRates } from '../grammar/history.ts';
import { amount, type QuoteTable, quoteChanges, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, takeEach } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { nextHour } from '../hour.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'perpetualMarkets `openInterest`',
    unit: 'base',
    sides: 'one',
    evidence: 'dydxprotocol/v4-chain indexer: sum of long positions',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'perpetualMarkets `volume24H`',
    unit: 'quote',
    sides: 'one',
    evidence: 'dydxprotocol/v4-chain indexer: taker fills',
    date: '2026-09',
    confidence: 'high',
  },
  verified: {
    version: 'indexer v4',
    date: '2026-10-10',
    source: 'record of answered calls (mannoj93-spec/jbm-desk-data)',
  },
};

/** Funding is paid every hour. */
const HOURLY = asHours(1);

/**
 * `BTC-USD`. Markets listed without permission carry more in it: `NAME,RAYDIUM,ADDRESS-USD`; the dash that counts is the
 * last one, and the name is what stands before the first comma.
 */
export const { baseOf, unitsOf } = symbols({ linear: /^([^,]+).*-USD$/, rest: 'foreign_quote' }, 1);

/** Errors are text, null, or `{"errors":[{"msg": …}]}`. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (payload === null) return rejectError(out, 'null', undefined);
  if (typeof payload === 'string') return rejectError(out, undefined, payload.slice(0, 120));
  const errors = isWire(payload) ? wireArray(payload.errors) : undefined;
  if (errors === undefined) return payload;
  const message = isWire(errors[0]) ? readText(errors[0].msg) : undefined;
  return rejectError(out, undefined, message?.slice(0, 120) ?? 'errors');
};

/** The rows of a map by ticker. */
const rowsOfMap = (markets: Wire): readonly unknown[] =>
  Object.entries(markets).map(([ticker, row]) => (isWire(row) ? { ...row, ticker } : row));

function marketsIn(payload: unknown, out: Decoded): readonly unknown[] {
  const answer = open(payload, out);
  if (isWire(answer) && isWire(answer.markets)) return rowsOfMap(answer.markets);
  if (out.rejects.length === 0) rejectShape(out, 'no markets');
  return [];
}

/** The reason for which a market in this status is left out; undefined while it trades. */
function reasonOf(status: unknown): RejectReason | undefined {
  if (status === 'ACTIVE') return undefined;
  if (status === 'FINAL_SETTLEMENT') return 'delisted';
  return status === 'INITIALIZING' ? 'prelisting' : 'not_trading';
}

/** Six times what initial margin exceeds maintenance margin by, for eight hours, either way; rates are an hour's. */
function largestRate(
  { initialMarginFraction, maintenanceMarginFraction }: Wire,
  sign: 1 | -1,
): RatePerInterval | undefined {
  const initial = readNumber(initialMarginFraction) ?? Number.NaN;
  const maintenance = readNumber(maintenanceMarginFraction) ?? Number.NaN;
  return initial > maintenance ? readRate(6 * (initial - maintenance), sign / 8) : undefined;
}

const CONTRACT: ContractTable = {
  venue: 'dydx',
  symbol: 'ticker',
  // `FARTCOIN,RAYDIUM,<address of 44 characters>-USD`: where and under which address the token is traded.
  alphabet: { also: ',', maxCharacters: 96 },
  leftOut: ({ status }, symbol) => {
    const reason = reasonOf(status);
    if (reason === undefined) return baseOf(symbol) === undefined ? 'foreign_quote' : undefined;
    return { symbol, reason, detail: readText(status)?.slice(0, 40) ?? 'status' };
  },
  base: derived(({ symbol }) => symbol.replace(/-USD$/, '')),
  assetOf: (base) => base.split(',', 1)[0] || base,
  quote: 'USD',
  settle: 'USDC',
  contractSize: 1,
  fundingCap: field('initialMarginFraction', (_, { wire }) => largestRate(wire, 1)),
  fundingFloor: field('maintenanceMarginFraction', (_, { wire }) => largestRate(wire, -1)),
  fundingIntervalHours: HOURLY,
  altId: text('clobPairId'),
  terms: TERMS,
};

/** Fields of a market delta. The oracle's is the venue's single price; the rate is per hour. */
const CHANGE = {
  markPrice: price('oraclePrice'),
  fundingRate: rate('nextFundingRate'),
  openInterest: amount(PUBLISHED.openInterest, { base: 'openInterest' }),
  volume24h: amount(PUBLISHED.volume, { quote: 'volume24H' }),
} satisfies QuoteTable;

const MARKET: QuoteTable = {
  markPrice: required(CHANGE.markPrice),
  // A new market has no rate yet.
  fundingRate: where(({ wire }) => wire.nextFundingRate !== null, required(CHANGE.fundingRate)),
  fundingIntervalHours: derived(() => HOURLY),
  nextFundingTime: derived(({ context }) => nextHour(context.receivedAt)),
  openInterest: required(CHANGE.openInterest),
  volume24h: required(CHANGE.volume24h),
};

/** Contracts and metrics of all markets, a map by ticker. */
export const decodeMarkets = contractsWithQuotes(marketsIn, CONTRACT, quotes(MARKET));

const takeFields = quoteChanges(CHANGE, (patch) => {
  if (patch.fundingRate !== undefined) patch.fundingIntervalHours = HOURLY;
});

/** All fields of a change are texts and numbers: where nothing is read, an object among them is another form. */
const takeChange: RowDecoder = (row, out) => {
  const { symbol, wire } = row;
  const reason = wire.status === undefined ? undefined : reasonOf(wire.status);
  const before = out.quotes.length + out.rejects.length;
  if (reason === undefined) takeFields(row, out);
  else out.rejects.push({ symbol, reason });
  const isRead = out.quotes.length + out.rejects.length > before;
  if (!isRead && Object.values(wire).some((value) => typeof value === 'object' && value !== null))
    out.rejects.push({ symbol, reason: 'malformed', detail: 'row' });
};

const takeOracle = quotes({ markPrice: required(CHANGE.markPrice) });

/** `v4_markets`: whole rows on subscription, then the fields that changed, by ticker. */
export function takeMarkets({ type, contents }: Wire, context: DecodeContext, out: Decoded): Decoded {
  if (type === 'subscribed' && isWire(contents) && isWire(contents.markets))
    return decodeMarkets(contents, context);
  for (const part of type === 'channel_batch_data' ? (wireArray(contents) ?? [undefined]) : [contents]) {
    const { trading, oraclePrices }: Wire = isWire(part) ? part : {};
    const changes = trading ?? {};
    const prices = oraclePrices ?? {};
    if ((trading ?? oraclePrices) === undefined || !isWire(changes) || !isWire(prices)) {
      rejectShape(out, 'contents');
      continue;
    }
    takeEach(rowsOfMap(changes), 'ticker', unitsOf, context, out, takeChange);
    takeEach(rowsOfMap(prices), 'ticker', unitsOf, context, out, takeOracle);
  }
  return out;
}

/** Newest first, with the oracle price of the payment. Blocks land up to a second after the hour. */
export const decodeFunding = contractRows(
  rowsIn(open, { list: 'historicalFunding' }),
  'ticker',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: field('effectiveAt', (raw) => {
      const at = readIso(raw);
      return at === undefined ? undefined : asMs(Math.floor(at / 1000) * 1000);
    }),
    rate: rate('rate'),
    intervalHours: derived(() => HOURLY),
    markPrice: price('price'),
  }),
);

/** The open interest at the start of each; prices are of trades and of the book, not the oracle's. */
export const decodeCandles = contractRows(
  rowsIn(open, { list: 'candles' }),
  'ticker',
  unitsOf,
  openInterestSeries(
    STAMPS.openInterest,
    field('startedAt', readIso),
    amount(PUBLISHED.openInterest, { base: 'startingOpenInterest' }),
  ),
);

/** The server's time and height: nothing of ours in them; their error bodies are still reported. */
export const decodeSilent: Decoder = (payload) => {
  const out = emptyDecoded();
  open(payload, out);
  return out;
};
