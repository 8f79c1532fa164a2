import type { Published } from '../../domain/amount.ts';
import { emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readHours, readMs, readText, type Wire } from '../../domain/read.ts';
import type { OutOfScopeReason, Reject, RejectReason } from '../../domain/reject.ts';
import { asMs } from '../../domain/units.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import type { DecodeContext, Decoder } from '../call.ts';
import { fieldFault } from '../field-fault.ts';
import { objectIn, rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import { bound, derived, field, hours, listing, ms, price, rate, required, text } from '../grammar/field.ts';
import { priceSeries, settledRates } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import { beforeLaunch } from '../launch.ts';
import { isStated } from '../quote-field.ts';
import { requestParam } from '../request-param.ts';
import { STAMPS } from './stamps.ts';
import { TERMS } from './terms.ts';

/** The venue's units and sides of open interest and volume, by outside evidence; VENUE.md has more of it. */
export const PUBLISHED: Published = {
  openInterest: {
    field: 'markets/summary `open_interest`',
    unit: 'base',
    sides: 'two',
    evidence:
      'public fifteen-minute record of raw BTC open interest, September and October 2026: 33 of 33 counts of lots even; DefiLlama halves it',
    date: '2026-10',
    confidence: 'high',
  },
  volume: {
    field: 'markets/summary `volume_24h`',
    unit: 'quote',
    sides: 'one',
    evidence: 'assumed: nothing public speaks against it',
    date: '2026-10',
    confidence: 'low',
  },
  verified: {
    version: 'v1, sockets in SBE 1:1',
    date: '2026-10-10',
    source:
      'record of answered calls (mannoj93-spec/jbm-desk-data); docs.paradex.trade: binary frames since 2026-09-21',
  },
};

/** `kPEPE-USD-PERP` is a perpetual, `BTC-USD-100000-C` an option, `BTC-USD-27NOV26` dated, `USDC-USD` spot. */
export const { baseOf, unitsOf } = symbols(
  {
    linear: /^([^-]+)-USD-PERP$/,
    others: [
      [/-[CP]$/, 'option'],
      [/-PERP$/, 'not_listed'],
      [/-.*-/, 'dated'],
    ],
    rest: 'spot',
  },
  1,
);

/** Opens answers and frames: an error is a code with a message, the object of JSON-RPC, or a text alone. */
export const open: UnwrapEnvelope = (payload, out) => {
  if (payload === null || typeof payload === 'string') return rejectError(out, undefined, payload ?? 'null');
  const { error, message }: Wire = isWire(payload) ? payload : {};
  if (isWire(error)) return rejectError(out, error.code, error.message);
  return readText(error) === undefined ? payload : rejectError(out, error, message);
};

/** Answers of which nothing is kept: their error bodies are still reported. */
export const decodeErrors: Decoder = (payload) => {
  const out = emptyDecoded();
  open(payload, out);
  return out;
};

const results = rowsIn(open, { list: 'results' });

/** Reasons for leaving out the other kinds of market; options are most of the list. */
const KINDS: Readonly<Record<string, OutOfScopeReason>> = {
  PERP_OPTION: 'option',
  OPTION: 'option',
  SPOT: 'spot',
  FUTURE: 'dated',
};

/** An end of 0 is none. `trading_mode` is missing in rows of 2024; `RFQ_ONLY` takes no order of the book. */
function leftOut(
  wire: Wire,
  symbol: string,
  { receivedAt }: DecodeContext,
): Reject | RejectReason | undefined {
  const { asset_kind: kind, quote_currency: quote, open_at: launch, expiry_at: end } = wire;
  if (kind !== 'PERP') return KINDS[String(kind)] ?? fieldFault(symbol, 'asset_kind', kind);
  if (quote !== 'USD') return 'foreign_quote';
  const early = beforeLaunch(symbol, { field: 'open_at', raw: launch }, false, receivedAt);
  if (early !== undefined) return early;
  const endsAt = readMs(end);
  if (endsAt === undefined && isStated(end)) return fieldFault(symbol, 'expiry_at', end);
  if (receivedAt !== undefined && endsAt !== undefined && endsAt <= receivedAt) return 'delisted';
  const mode = readText(wire.trading_mode) ?? 'STANDARD';
  if (mode === 'RFQ_ONLY') return 'not_trading';
  return mode === 'STANDARD' ? undefined : fieldFault(symbol, 'trading_mode', mode);
}

const CONTRACT: ContractTable = {
  venue: 'paradex',
  symbol: 'symbol',
  leftOut,
  base: text('base_currency'),
  quote: 'USD',
  settle: field('settlement_currency', (raw) => readText(raw) ?? 'USDC'),
  listedAt: listing('open_at'),
  contractSize: 1,
  fundingCap: bound('max_funding_rate'),
  fundingFloor: bound('max_funding_rate', -1),
  // A number or text; missing in rows of 2024, 0 where there is none.
  fundingIntervalHours: hours('funding_period_hours'),
  terms: TERMS,
};
export const decodeMarkets = contractList(results, CONTRACT);

/** The funding period of the market, which states the rate; 0 in old rows. */
const period = field('funding_period_hours', (raw, { symbol, context }) =>
  isStated(raw) ? readHours(raw) : context.instruments.get(symbol)?.fundingIntervalHours,
);

/**
 * Metrics of one market, all of them text. The spot oracle price is the index; `oracle_price` of old answers repeats
 * the mark. Of a new market the volume is blank; one that is not there is a change of the format.
 */
export const takeSummary = quotes(
  {
    fundingRate: required(rate('funding_rate')),
    fundingIntervalHours: derived(
      ({ symbol, context }) => context.instruments.get(symbol)?.fundingIntervalHours,
    ),
    markPrice: required(price('mark_price')),
    indexPrice: required(price('underlying_price')),
    bestBid: price('bid'),
    bestAsk: price('ask'),
    openInterest: required(amount(PUBLISHED.openInterest, { base: 'open_interest' })),
    volume24h: amount(PUBLISHED.volume, { quote: 'volume_24h' }),
    venueTime: ms('created_at'),
  },
  (_, { symbol, wire }, rejects) => {
    if (wire.volume_24h === undefined) rejects.push(fieldFault(symbol, 'volume24hRaw', undefined));
  },
);
export const decodeSummary = contractRows(results, 'symbol', unitsOf, takeSummary);

export const takeBestPrices = quotes({ bestBid: price('bid'), bestAsk: price('ask') });
export const decodeBestPrices = contractRows(objectIn(open), 'market', unitsOf, takeBestPrices);

/** The rate in force and its period. */
export const takeFundingNow = quotes({
  fundingRate: required(rate('funding_rate')),
  fundingIntervalHours: period,
  venueTime: ms('created_at'),
});

/**
 * Observations of the rate in force, seconds apart, newest first. Funding accrues continuously, so no row is a payment;
 * each is marked as observed.
 */
export const decodeFundingData = contractRows(
  results,
  'market',
  unitsOf,
  settledRates({
    stamp: STAMPS.funding,
    time: field('created_at', (raw) => {
      const time = readMs(raw);
      return time === undefined ? undefined : asMs(Math.floor(time / SECOND_MS) * SECOND_MS);
    }),
    rate: rate('funding_rate'),
    intervalHours: period,
    isObserved: () => true,
  }),
);

const candles = (key: 'markPrice' | 'indexPrice') =>
  requestedRows(results, requested(), unitsOf, priceSeries(STAMPS.price, ms(0), key, price(1)));

/**
 * `price_kind` of the request decides which price the candles are of; those of trades (the default) state
 * nothing that is kept.
 */
const CANDLES: Readonly<Record<string, Decoder>> = {
  mark: candles('markPrice'),
  underlying: candles('indexPrice'),
};
export const decodeCandles: Decoder = (payload, context) =>
  (CANDLES[requestParam(context.request, 'price_kind') ?? ''] ?? decodeErrors)(payload, context);
