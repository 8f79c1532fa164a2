import type { UnixMs } from '../../../domain/units.ts';
import type { VenueId } from '../../../domain/venue.ts';
import type { Registry } from '../../../market/registry/lookup.ts';
import { MINUTE_MS } from '../../../runtime/duration.ts';
import { isDollar } from '../../spot/grammar/pairs.ts';
import type { SpotDecoded, SpotMarket, SpotTicker } from '../../spot/spot-rows.ts';
import { assetOfSpot, type PerpTable, type SpotRefusal, type Standing, standingAt } from './spot-identity.ts';
import { priceOf } from './spot-price.ts';

/** A spot market that is the asset of a perpetual, with its last values. */
export interface SpotRow {
  readonly market: SpotMarket;
  readonly ticker: SpotTicker;
  /** When the values were received. */
  readonly receivedAt: UnixMs;
}

/** A coin of a market that is offered. */
export type OfferedCoin = Pick<SpotMarket, 'base' | 'ticker'>;

/** The state of a venue's spot side. */
export interface SpotVenueState {
  readonly venue: VenueId;
  /** Receipt of its last list and its last tickers. */
  readonly listAt: UnixMs | undefined;
  readonly tickersAt: UnixMs | undefined;
  /** Markets in dollars that it lists, those of them that are offered, and why the others are not. */
  readonly listed: number;
  readonly offered: number;
  readonly refused: ReadonlyMap<SpotRefusal, number>;
}

/** Counts of markets of an asset's name that are not offered as it at a moment. */
export interface LeftOut {
  /** Markets that stand at another price. */
  readonly apart: number;
  /** Markets of which that cannot be told, since no index or mark of the perpetuals is of this time. */
  readonly untold: number;
  /** Markets whose last values are too old to be held against anything. */
  readonly old: number;
}

/** Read side of the spot table. */
export interface SpotView {
  /** Markets that are the asset, and stand at the price of its perpetuals at this moment; with values of any age. */
  rowsOf(canonicalId: string, table: PerpTable): readonly SpotRow[];
  /** Markets of the asset's name that are not offered as it now. @param since older values are too old */
  leftOut(canonicalId: string, table: PerpTable, since: UnixMs): LeftOut;
  /** Names under which a venue's markets have the asset. */
  tickersOf(venue: VenueId, canonicalId: string): readonly string[];
  venues(): readonly SpotVenueState[];
}

/** Assets of markets are decided again after this time: prices and lists of perpetuals change. */
const DECIDE_MS = MINUTE_MS / 2;

interface VenueTrack {
  markets: ReadonlyMap<string, SpotMarket>;
  listAt: UnixMs | undefined;
  /** Last values by symbol, of markets in dollars that are a perpetual's asset. */
  rows: Map<string, SpotRow>;
  tickersAt: UnixMs | undefined;
  decidedAt: UnixMs | undefined;
  /** Symbols of each asset. */
  byAsset: Map<string, readonly string[]>;
  refused: Map<SpotRefusal, number>;
}

const emptyTrack = (): VenueTrack => ({
  markets: new Map(),
  listAt: undefined,
  rows: new Map(),
  tickersAt: undefined,
  decidedAt: undefined,
  byAsset: new Map(),
  refused: new Map(),
});

/** The last values of spot markets, by venue, and the asset of each. Markets that are the asset of no perpetual are not kept. */
export class SpotTable implements SpotView {
  readonly #registry: Registry;
  readonly #perps: PerpTable;
  readonly #venues = new Map<VenueId, VenueTrack>();

  constructor(registry: Registry, perps: PerpTable) {
    this.#registry = registry;
    this.#perps = perps;
  }

  /** Markets by the venue's symbol, as its last list has them. */
  markets(venue: VenueId): ReadonlyMap<string, SpotMarket> {
    return this.#venues.get(venue)?.markets ?? new Map();
  }

  /** Takes a list over; one without a market is none. */
  takeList(venue: VenueId, { markets }: Pick<SpotDecoded, 'markets'>, at: UnixMs): void {
    if (markets.length === 0) return;
    const track = this.#track(venue);
    const isSame =
      markets.length === track.markets.size &&
      markets.every((market) => isOnePair(market, track.markets.get(market.symbol)));
    track.markets = new Map(markets.map((market) => [market.symbol, market]));
    track.listAt = at;
    if (!isSame) track.decidedAt = undefined;
  }

  /** Takes all tickers of a venue over: markets that are not among them have no values. Answers without one count for nothing. */
  takeTickers(venue: VenueId, { tickers }: Pick<SpotDecoded, 'tickers'>, at: UnixMs): void {
    const track = this.#track(venue);
    if (tickers.length === 0 || track.markets.size === 0) return;
    track.tickersAt = at;
    if (track.decidedAt === undefined || at - track.decidedAt >= DECIDE_MS) this.#decide(track, tickers, at);
    const offered = new Set([...track.byAsset.values()].flat());
    const rows = new Map<string, SpotRow>();
    for (const ticker of tickers) {
      const market = offered.has(ticker.symbol) ? track.markets.get(ticker.symbol) : undefined;
      if (market !== undefined) rows.set(ticker.symbol, { market, ticker, receivedAt: at });
    }
    track.rows = rows;
  }

  rowsOf(canonicalId: string, table: PerpTable): readonly SpotRow[] {
    const standing = standingOf(table, canonicalId);
    return this.#named(canonicalId).filter((row) => standing(row) === 'near');
  }

  leftOut(canonicalId: string, table: PerpTable, since: UnixMs): LeftOut {
    const standing = standingOf(table, canonicalId);
    const named = this.#named(canonicalId);
    const young = named.filter(({ receivedAt }) => receivedAt >= since);
    const count = (is: Standing): number => young.filter((row) => standing(row) === is).length;
    return { apart: count('apart'), untold: count('unknown'), old: named.length - young.length };
  }

  tickersOf(venue: VenueId, canonicalId: string): readonly string[] {
    const track = this.#venues.get(venue);
    const symbols = track?.byAsset.get(canonicalId) ?? [];
    return [...new Set(symbols.flatMap((symbol) => track?.markets.get(symbol)?.ticker ?? []))];
  }

  /** Coins of a venue's markets that are offered, by the base as the venue spells it. */
  offeredCoins(venue: VenueId): readonly OfferedCoin[] {
    const offered = [...(this.#venues.get(venue)?.rows.values() ?? [])];
    return [...new Map(offered.map(({ market: { base, ticker } }) => [base, { base, ticker }])).values()];
  }

  venues(): readonly SpotVenueState[] {
    return [...this.#venues].map(([venue, { markets, listAt, tickersAt, byAsset, refused }]) => ({
      venue,
      listAt,
      tickersAt,
      listed: [...markets.values()].filter(({ quote }) => isDollar(quote)).length,
      offered: [...byAsset.values()].flat().length,
      refused,
    }));
  }

  #named(canonicalId: string): readonly SpotRow[] {
    return [...this.#venues.values()].flatMap(({ byAsset, rows }) =>
      (byAsset.get(canonicalId) ?? []).flatMap((symbol) => rows.get(symbol) ?? []),
    );
  }

  #decide(track: VenueTrack, tickers: readonly SpotTicker[], at: UnixMs): void {
    track.decidedAt = at;
    const before = new Map([...track.byAsset].flatMap(([id, own]) => own.map((symbol) => [symbol, id])));
    track.byAsset = new Map();
    track.refused = new Map();
    for (const ticker of tickers) {
      const market = track.markets.get(ticker.symbol);
      if (market === undefined || !isDollar(market.quote)) continue;
      const asset = assetOfSpot(this.#registry, this.#perps, market, priceOf(ticker));
      const isRefused = typeof asset === 'string';
      if (isRefused) track.refused.set(asset, (track.refused.get(asset) ?? 0) + 1);
      // While nothing tells its asset, a market stays the one it was, and is in no answer.
      const kept = asset === 'no_index' ? before.get(market.symbol) : undefined;
      const canonicalId = isRefused ? kept : asset.canonicalId;
      if (canonicalId === undefined) continue;
      track.byAsset.set(canonicalId, [...(track.byAsset.get(canonicalId) ?? []), market.symbol]);
    }
  }

  #track(venue: VenueId): VenueTrack {
    const known = this.#venues.get(venue);
    if (known !== undefined) return known;
    const made = emptyTrack();
    this.#venues.set(venue, made);
    return made;
  }
}

/** True while a symbol stands for the same coin in the same currency: the assets of markets are decided by these. */
const isOnePair = ({ base, quote, ticker }: SpotMarket, before: SpotMarket | undefined): boolean =>
  before?.base === base && before.quote === quote && before.ticker === ticker;

/** Tells where a market stands beside the asset's perpetuals; one without a price stands apart. */
function standingOf(table: PerpTable, canonicalId: string): (row: SpotRow) => Standing {
  const standing = standingAt(table, canonicalId);
  return ({ market, ticker }) => {
    const price = priceOf(ticker);
    return price === undefined ? 'apart' : standing(price, market.multiplier);
  };
}
