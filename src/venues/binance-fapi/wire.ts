import type { Published } from '../../domain/amount.ts';
import type { AssetClass } from '../../domain/instrument.ts';
import { isWire, readMs, readRate, readText, type Wire, wireArray } from '../../domain/read.ts';
import type { Reject, RejectReason } from '../../domain/reject.ts';
import type { PublishedStamps } from '../../domain/stamp.ts';
import type { Bps } from '../../domain/units.ts';
import type { VenueId } from '../../domain/venue.ts';
import { rejectError, rowsIn, type UnwrapEnvelope } from '../grammar/answer.ts';
import { type ContractTable, contractList } from '../grammar/contract.ts';
import {
  bound,
  type ContractRow,
  type Field,
  field,
  hours,
  listing,
  ms,
  price,
  rate,
  required,
  text,
} from '../grammar/field.ts';
import { openInterestSeries, priceSeries, settledRates, tradedHours } from '../grammar/history.ts';
import { amount, quotes } from '../grammar/quote.ts';
import { contractRows, type RowDecoder, requested, requestedRows } from '../grammar/rows.ts';
import { symbols } from '../grammar/symbols.ts';
import type { TermsTable } from '../grammar/terms.ts';

/** Differences between the venues that speak the Binance futures API. */
export interface FapiDialect {
  readonly venue: VenueId;
  /** Units and sides of its open interest and volume. */
  readonly published: Published;
  /** The moment that the timestamps of its historical rows mark. */
  readonly stamps: Required<PublishedStamps> & { readonly volume: { readonly means: 'begin' } };
  /** Dollar currencies that a live perpetual may be quoted and margined in; also its symbol's ending. */
  readonly quotes: readonly string[];
  /** `contractType` of perpetuals. */
  readonly perpetualTypes: readonly string[];
  /** Derives the asset class from a row of the contract list. */
  readonly assetClassOf: (wire: Wire) => AssetClass | undefined;
  /** Taker fee of a contract where it differs from the venue's, where rows tell. */
  readonly takerFeeOf?: (wire: Wire, symbol: string) => Bps | undefined;
  /** Fields of the funding table that bound the rate. */
  readonly bounds: { readonly cap: string; readonly floor: string };
  /** Terms of contracts that the list states. */
  readonly terms?: TermsTable;
  /** Version part of the paths: `/fapi/v1`. */
  readonly prefix: string;
}

/** `1000PEPEUSDT` is linear, `BTCUSDT_250328` dated, `BTCUSD_PERP` inverse, `BTC-250328-60000-C` an option. */
export const fapiSymbols = ({ quotes: currencies }: Pick<FapiDialect, 'quotes'>) =>
  symbols(
    {
      linear: new RegExp(`^([^_]+)(?:${currencies.join('|')})$`),
      others: [
        [/_\d{6}$/, 'dated'],
        [/USD_PERP$/, 'inverse'],
        [/-[CP]$/, 'option'],
        [/_/, 'not_listed'],
      ],
      rest: 'foreign_quote',
    },
    1,
  );

/** Errors are `{"code":-1121,"msg":"Invalid symbol."}`. */
export const open: UnwrapEnvelope = (payload, out) =>
  isWire(payload) && payload.code !== undefined && payload.msg !== undefined
    ? rejectError(out, payload.code, payload.msg)
    : payload;

/** The rows of all symbols, or the one row of a single one. */
const rows = rowsIn(open, { row: 'symbol' });

/** `status` of contracts that no longer trade; delisted ones stay in the list for months. */
const ENDED = ['SETTLING', 'PRE_SETTLE', 'DELIVERING', 'DELIVERED', 'PRE_DELIVERING', 'CLOSE'];

function leftOut(wire: Wire, symbol: string, dialect: FapiDialect): Reject | RejectReason | undefined {
  const { contractType: type, status, quoteAsset: quote, marginAsset: settle } = wire;
  // A contract that does not trade yet may have no type.
  if (status === 'PENDING_TRADING') return 'prelisting';
  // On hosts that list both, only spot pairs have no contract type.
  if (readText(type) === undefined) return 'spot';
  if (!dialect.perpetualTypes.includes(String(type)))
    return String(type).includes('PERPETUAL') ? 'not_trading' : 'dated';
  if (status !== 'TRADING') return ENDED.includes(String(status)) ? 'delisted' : 'not_trading';
  if (readText(quote) === undefined || readText(settle) === undefined) return undefined;
  if (settle !== quote) return settle === wire.baseAsset ? 'inverse' : 'quanto';
  return dialect.quotes.includes(String(quote))
    ? undefined
    : { symbol, reason: 'foreign_quote', detail: String(quote) };
}

/** The asset class decides these values; an object in the place of its name is a fault. */
const byClass = <T>(read: (row: ContractRow) => T | undefined): Field<T> => ({
  name: 'underlyingType, symbolType, underlyingSubType',
  raw: ({ underlyingType, symbolType, underlyingSubType }) =>
    [underlyingType, symbolType, underlyingSubType, ...(wireArray(underlyingSubType) ?? [])].find(isWire),
  read: (unreadable, row) => (unreadable === undefined ? read(row) : undefined),
});

const contractTable = (dialect: FapiDialect): ContractTable => ({
  venue: dialect.venue,
  symbol: 'symbol',
  leftOut: (wire, symbol) => leftOut(wire, symbol, dialect),
  base: text('baseAsset'),
  quote: text('quoteAsset'),
  settle: text('marginAsset'),
  listedAt: listing('onboardDate'),
  contractSize: 1,
  assetClass: byClass(({ wire }) => dialect.assetClassOf(wire)),
  takerFeeBps: byClass(({ wire, symbol }) => dialect.takerFeeOf?.(wire, symbol)),
  ...(dialect.terms !== undefined && { terms: dialect.terms }),
});

/** Where a row has mark, index, rate, next funding time and event time. */
interface MarkNames {
  readonly mark: string;
  readonly index: string;
  readonly rate: string;
  readonly next: string;
  readonly time: string;
}

/** Takes marks. A next funding time of 0 marks a contract that no longer trades, whose rate is 0 as well. */
function marks(names: MarkNames): RowDecoder {
  const take = quotes({
    // Without a readable time a zero proves nothing.
    fundingRate: required(
      field(names.rate, (raw, { wire }) => {
        const stated = readRate(raw);
        return stated === 0 && readMs(wire[names.next]) === undefined ? undefined : stated;
      }),
    ),
    nextFundingTime: required(ms(names.next)),
    markPrice: required(price(names.mark)),
    indexPrice: required(price(names.index)),
    venueTime: ms(names.time),
  });
  return (row, out) => {
    const next = row.wire[names.next];
    if (next !== 0 && next !== '0') take(row, out);
    else out.rejects.push({ symbol: row.symbol, reason: 'delisted', detail: `${names.next} 0` });
  };
}

/** Best bid and ask. An empty side is stated as 0 and is no price. */
const touch = (bid: string, ask: string): RowDecoder =>
  quotes({ bestBid: required(price(bid)), bestAsk: required(price(ask)) });

const traded = ({ published }: FapiDialect, base: string, quote: string): RowDecoder =>
  quotes({ volume24h: required(amount(published.volume, { base, quote })) });

/** Decoders of frames, by event. */
export function quoteEvents(dialect: FapiDialect): Readonly<Record<string, RowDecoder>> {
  // `Q` of the full ticker is the size of the last trade, `q` the quote volume.
  const ticker = traded(dialect, 'v', 'q');
  return {
    markPriceUpdate: marks({ mark: 'p', index: 'i', rate: 'r', next: 'T', time: 'E' }),
    bookTicker: touch('b', 'a'),
    '24hrTicker': ticker,
    '24hrMiniTicker': ticker,
  };
}

/** Interval and bounds of the rate. */
const fundingTerms = ({ bounds }: FapiDialect): RowDecoder =>
  quotes({
    fundingIntervalHours: required(hours('fundingIntervalHours')),
    fundingCap: bound(bounds.cap),
    fundingFloor: bound(bounds.floor),
  });

/** The decoders of the REST calls. Amounts count base units as named. */
export function fapiDecoders(dialect: FapiDialect) {
  const { openInterest, volume } = dialect.published;
  const { stamps } = dialect;
  const { unitsOf } = fapiSymbols(dialect);
  const each = (take: RowDecoder) => contractRows(rows, 'symbol', unitsOf, take);
  const candles = (take: RowDecoder) => requestedRows(rowsIn(open), requested(), unitsOf, take);
  return {
    exchangeInfo: contractList(rowsIn(open, { list: 'symbols' }), contractTable(dialect)),
    premiumIndex: each(
      marks({
        mark: 'markPrice',
        index: 'indexPrice',
        rate: 'lastFundingRate',
        next: 'nextFundingTime',
        time: 'time',
      }),
    ),
    // A contract that is not on it has an unknown interval.
    fundingInfo: each(fundingTerms(dialect)),
    ticker24h: each(traded(dialect, 'volume', 'quoteVolume')),
    bookTicker: each(touch('bidPrice', 'askPrice')),
    openInterest: each(quotes({ openInterest: required(amount(openInterest, { base: 'openInterest' })) })),
    fundingRate: each(
      settledRates({
        stamp: stamps.funding,
        time: ms('fundingTime'),
        rate: rate('fundingRate'),
        markPrice: price('markPrice'),
      }),
    ),
    openInterestHist: each(
      openInterestSeries(
        stamps.openInterest,
        ms('timestamp'),
        amount(openInterest, { base: 'sumOpenInterest', quote: 'sumOpenInterestValue' }),
      ),
    ),
    // `[open time, open, …]`; the eighth cell of candles of trades is the turnover.
    markPriceKlines: candles(priceSeries(stamps.price, ms(0), 'markPrice', price(1))),
    klines: candles(tradedHours(stamps.volume, ms(0), volume, 7)),
  };
}
