import type { BookUpdate } from '../../domain/book.ts';
import { iso } from '../../domain/clock.ts';
import { completeQuote } from '../../domain/complete.ts';
import type { ContractTerms } from '../../domain/contract-terms.ts';
import { DATA_KINDS, type DataKind, type DataOf, type Decoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { FundingPoint, HistoryPoint, QuotePatch } from '../../domain/quote.ts';
import { baseName } from '../../domain/ticker.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodedRecord } from '../../host/recorded-market.ts';
import type { DecodeContext, VenueAdapter } from '../../venues/adapter.ts';

type Line = DecodedRecord;

/** Drops what is not known, so that a line holds facts only. */
function known(fields: Line): Line {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const isoOr = (t: UnixMs | undefined): string | undefined => (t === undefined ? undefined : iso(t));

function nameOf(adapter: VenueAdapter, symbol: string, instruments: ReadonlyMap<string, Instrument>): Line {
  const listed = instruments.get(symbol);
  if (listed !== undefined) return { ticker: listed.ticker, multiplier: listed.multiplier };
  const base = adapter.baseOf(symbol);
  return base === undefined ? {} : { ...baseName(base) };
}

function quoteLine(
  patch: QuotePatch,
  adapter: VenueAdapter,
  instruments: DecodeContext['instruments'],
): Line {
  const q = completeQuote(patch);
  return known({
    type: 'quote',
    venue: adapter.id,
    symbol: q.symbol,
    ...nameOf(adapter, q.symbol, instruments),
    funding_rate: q.fundingRate,
    funding_interval_hours: q.fundingIntervalHours ?? instruments.get(q.symbol)?.fundingIntervalHours,
    next_funding_time: isoOr(q.nextFundingTime),
    mark_price: q.markPrice,
    index_price: q.indexPrice,
    open_interest_raw: q.openInterestRaw,
    open_interest_base: q.openInterestBase,
    open_interest_usd: q.openInterestUsd,
    volume_24h_raw: q.volume24hRaw,
    volume_24h_base: q.volume24hBase,
    volume_24h_usd: q.volume24hUsd,
    best_bid: q.bestBid,
    best_ask: q.bestAsk,
    max_leverage: q.maxLeverage,
    open_interest_limit_usd: q.openInterestLimitUsd,
    updated_at: isoOr(q.venueTime),
  });
}

function instrumentLine(i: Instrument): Line {
  return known({
    type: 'instrument',
    venue: i.venue,
    symbol: i.symbol,
    base: i.base,
    ticker: i.ticker,
    multiplier: i.multiplier,
    contract_size: i.contractSize,
    quote: i.quote,
    settle: i.settle,
    asset_class: i.assetClass,
    listed_at: isoOr(i.listedAt),
    funding_interval_hours: i.fundingIntervalHours,
    index_id: i.indexId,
    taker_fee_bps: i.takerFeeBps,
    funding_cap: i.fundingCap,
    funding_floor: i.fundingFloor,
    terms: i.terms && termsLine(i.terms),
  });
}

/** Terms of a contract as its list states them, per unit of the ticker. */
const termsLine = (terms: ContractTerms): Line =>
  known({
    tick: terms.tick,
    price_digits: terms.priceDigits,
    lot: terms.lot,
    min_size: terms.minSize,
    min_notional_usd: terms.minNotionalUsd,
    max_leverage: terms.maxLeverage,
    initial_margin: terms.initialMargin,
    maintenance_margin: terms.maintenanceMargin,
    position_limit: terms.positionLimit,
    position_limit_usd: terms.positionLimitUsd,
    open_interest_limit: terms.openInterestLimit,
    open_interest_limit_usd: terms.openInterestLimitUsd,
    trading_hours: terms.tradingHours,
    delists_at: isoOr(terms.delistsAt),
  });

function fundingLine(p: FundingPoint, { id: venue }: VenueAdapter): Line {
  return known({
    type: 'funding_point',
    venue,
    symbol: p.symbol,
    time: iso(p.time),
    funding_rate: p.rate,
    funding_interval_hours: p.intervalHours,
    mark_price: p.markPrice,
    observed: p.observed,
  });
}

function historyLine(p: HistoryPoint, { id: venue }: VenueAdapter): Line {
  return known({
    type: 'history_point',
    venue,
    symbol: p.symbol,
    time: iso(p.time),
    mark_price: p.markPrice,
    index_price: p.indexPrice,
    open_interest_base: p.openInterestBase,
    open_interest_usd: p.openInterestUsd,
    volume_usd: p.volumeUsd,
    hour_usd: p.hourUsd,
  });
}

function bookLine(b: BookUpdate, { id: venue }: VenueAdapter): Line {
  return known({
    type: 'book',
    venue,
    symbol: b.symbol,
    kind: b.kind,
    bids: b.bids,
    asks: b.asks,
    sequence: b.sequence,
    first_sequence: b.firstSequence,
    previous_sequence: b.previousSequence,
    updated_at: isoOr(b.venueTime),
  });
}

type LineOf<Row> = (row: Row, adapter: VenueAdapter, instruments: DecodeContext['instruments']) => Line;

const LINES: { readonly [K in DataKind]: LineOf<DataOf[K]> } = {
  quotes: quoteLine,
  instruments: instrumentLine,
  funding: fundingLine,
  history: historyLine,
  books: bookLine,
};

/** Decoded content as the command prints it: a record per quote, contract, point, book and reject. */
export function* decodedLines(adapter: VenueAdapter, d: Decoded, instruments: DecodeContext['instruments']) {
  const linesOf = <K extends DataKind>(kind: K, rows: readonly DataOf[K][]): Line[] =>
    rows.map((row) => LINES[kind](row, adapter, instruments));
  for (const kind of DATA_KINDS) yield* linesOf(kind, d[kind]);
  for (const reject of d.rejects) yield known({ type: 'reject', venue: adapter.id, ...reject });
}
