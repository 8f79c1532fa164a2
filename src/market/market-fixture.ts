import { memoryIdentityStore, memorySourceIdStore } from '../../test/market/memory-stores.ts';
import { publishedFixture } from '../domain/amount-fixture.ts';
import type { Instrument } from '../domain/instrument.ts';
import type { QuotePatch } from '../domain/quote.ts';
import { asBase, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../domain/units.ts';
import type { VenueInfo } from '../domain/venue.ts';
import { createInstrumentIdentities } from './identity.ts';
import { createMarket, type Market, type MarketOptions } from './live-table.ts';
import { FIXTURE_NOW } from './row-fixture.ts';

/** A market on a clock that the test moves. */
export interface MarketFixture {
  readonly market: Market;
  now(): UnixMs;
  /** Moves the clock by ms and sweeps. */
  pass(ms: number): void;
  /** Tracks a venue and lists contracts by base name, one USDT contract each. */
  list(venue: string, bases: readonly (string | Partial<Instrument>)[], info?: Partial<VenueInfo>): void;
  /** As `list`, for a venue without a fixed number. */
  discover(venue: string, bases: readonly (string | Partial<Instrument>)[]): void;
  /** Quotes received now. */
  quote(venue: string, ...quotes: readonly QuoteSketch[]): void;
}

export interface QuoteSketch {
  readonly symbol: string;
  readonly mark?: number;
  readonly index?: number;
  readonly rate?: number;
  readonly interval?: number;
  readonly next?: number;
  readonly interestBase?: number;
  readonly interestUsd?: number;
  readonly volumeUsd?: number;
  readonly volumeBase?: number;
  readonly bid?: number;
  readonly ask?: number;
  readonly open?: boolean;
  readonly opensAt?: number;
  readonly rateSettled?: boolean;
  readonly venueTime?: number;
}

const REFRESH_MS = 5000;

export function makeMarket(options: Partial<MarketOptions> = {}): MarketFixture {
  let time = FIXTURE_NOW;
  let sources = 0;
  const market = createMarket({
    clock: { now: () => time },
    identity: createInstrumentIdentities(memoryIdentityStore()),
    sourceIds: memorySourceIdStore(),
    ...options,
  });
  const listAt = (info: VenueInfo, bases: readonly (string | Partial<Instrument>)[]): void => {
    const venue = info.id;
    market.sink.venue(info, REFRESH_MS);
    const list = bases.map((it) =>
      makeInstrument(typeof it === 'string' ? { venue, base: it } : { venue, ...it }),
    );
    market.sink.instruments(venue, list, time);
  };
  return {
    market,
    now: () => time,
    pass(ms) {
      time = asMs(time + ms);
      market.sweep();
    },
    list(venue, bases, info = {}) {
      sources += 1;
      listAt(makeVenueInfo({ id: venue, sourceId: sources, ...info }), bases);
    },
    discover(venue, bases) {
      const { sourceId: _fixed, ...info } = makeVenueInfo({ id: venue });
      listAt(info, bases);
    },
    quote: (venue, ...quotes) => market.sink.quotes(venue, quotes.map(makePatch), time),
  };
}

export function makeVenueInfo(info: Partial<VenueInfo> = {}): VenueInfo {
  return {
    id: 'binance',
    displayName: 'Binance',
    kind: 'cex',
    sourceId: 1,
    hasIndex: true,
    index: { family: 'own-cex-basket', description: 'Basket of spot venues', evidence: 'documented' },
    ...publishedFixture,
    ...info,
  };
}

export function makeInstrument(it: Partial<Instrument> = {}): Instrument {
  const base = it.base ?? 'BTC';
  return {
    venue: 'binance',
    symbol: `${base}USDT`,
    base,
    ticker: base.toUpperCase(),
    multiplier: 1,
    contractSize: 1,
    quote: 'USDT',
    settle: 'USDT',
    ...it,
  };
}

/** The patch of a sketch. */
export function makePatch(it: QuoteSketch): QuotePatch {
  const patch: QuotePatch = { symbol: it.symbol };
  if (it.mark !== undefined) patch.markPrice = asPrice(it.mark);
  if (it.index !== undefined) patch.indexPrice = asPrice(it.index);
  if (it.rate !== undefined) patch.fundingRate = asRate(it.rate);
  if (it.rateSettled !== undefined) patch.rateSettled = it.rateSettled;
  if (it.interval !== undefined) patch.fundingIntervalHours = asHours(it.interval);
  if (it.next !== undefined) patch.nextFundingTime = asMs(it.next);
  if (it.interestBase !== undefined) patch.openInterestBase = asBase(it.interestBase);
  if (it.interestUsd !== undefined) patch.openInterestUsd = asUsd(it.interestUsd);
  if (it.volumeUsd !== undefined) patch.volume24hUsd = asUsd(it.volumeUsd);
  if (it.volumeBase !== undefined) patch.volume24hBase = asBase(it.volumeBase);
  if (it.bid !== undefined) patch.bestBid = asPrice(it.bid);
  if (it.ask !== undefined) patch.bestAsk = asPrice(it.ask);
  if (it.open !== undefined) patch.marketOpen = it.open;
  if (it.opensAt !== undefined) patch.opensAt = asMs(it.opensAt);
  if (it.venueTime !== undefined) patch.venueTime = asMs(it.venueTime);
  return patch;
}
