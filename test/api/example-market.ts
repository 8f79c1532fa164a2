import { publishedFixture } from '../../src/domain/amount-fixture.ts';
import type { AssetClass } from '../../src/domain/instrument.ts';
import { rate8h } from '../../src/domain/rate.ts';
import { asBase, asBps, asHours, asMs, asPrice, asRate, asUsd, type UnixMs } from '../../src/domain/units.ts';
import type { VenueKind, VenueStatus } from '../../src/domain/venue.ts';
import type { MarketRow, TrackedVenue, UncomparableReason } from '../../src/market/view.ts';

/** The moment at which the example market stands. */
export const EXAMPLE_NOW: UnixMs = asMs(Date.parse('2026-11-20T21:30:30.000Z'));

interface VenueClient {
  readonly id: string;
  readonly name: string;
  readonly kind: VenueKind;
  readonly sourceId: number;
  readonly feeBps?: number;
  readonly hasIndex?: boolean;
  readonly status?: VenueStatus;
  readonly parent?: string;
}

const VENUE_LINES: readonly VenueClient[] = [
  { id: 'binance', name: 'Binance', kind: 'cex', sourceId: 1, feeBps: 5 },
  { id: 'bybit', name: 'Bybit', kind: 'cex', sourceId: 2, feeBps: 5.5 },
  { id: 'okx', name: 'OKX', kind: 'cex', sourceId: 3, feeBps: 5 },
  { id: 'hyperliquid', name: 'Hyperliquid', kind: 'dex', sourceId: 20, feeBps: 4.5 },
  { id: 'hyperliquid-xyz', name: 'Hyperliquid xyz', kind: 'dex', sourceId: 21, parent: 'hyperliquid' },
  { id: 'lighter', name: 'Lighter', kind: 'dex', sourceId: 22, feeBps: 0, hasIndex: false },
  { id: 'vertex', name: 'Vertex', kind: 'dex', sourceId: 23, status: 'down' },
];

export const EXAMPLE_VENUES: readonly TrackedVenue[] = VENUE_LINES.map((line) => ({
  info: {
    id: line.id,
    displayName: line.name,
    kind: line.kind,
    sourceId: line.sourceId,
    ...(line.parent !== undefined && { parent: line.parent }),
    ...(line.feeBps !== undefined && { takerFeeBps: asBps(line.feeBps) }),
    hasIndex: line.hasIndex ?? true,
    index: { family: 'own-cex-basket', description: 'Weighted spot prices', evidence: 'documented' },
    ...publishedFixture,
  },
  sourceId: line.sourceId,
  status: line.status ?? 'live',
  isRetired: false,
  refreshMs: 5000,
  trackedSymbols: line.status === 'down' ? 0 : 4,
  freshSymbols: line.status === 'down' ? 0 : 4,
  fundingIntervals: line.kind === 'cex' ? [4, 8] : [1],
}));

export interface RowLine {
  readonly venue: string;
  readonly ticker: string;
  readonly assetClass?: AssetClass;
  readonly slug?: string;
  readonly rate?: number;
  readonly hours?: number;
  readonly mark?: number;
  readonly index?: number;
  readonly oi?: number;
  readonly volume?: number;
  readonly reason?: UncomparableReason;
  readonly ageMs?: number;
  readonly fresh?: boolean;
}

let rowVersion = 0;

const interestFields = (base: number, mark: number, updatedAt: UnixMs) => ({
  openInterestRaw: base,
  openInterestBase: asBase(base),
  openInterestUsd: asUsd(base * mark),
  openInterestUpdatedAt: updatedAt,
});

/** A live row from the few facts that a test is about. */
export function exampleRow(line: RowLine): MarketRow {
  const venue = EXAMPLE_VENUES.find(({ info }) => info.id === line.venue);
  const assetClass = line.assetClass ?? 'crypto';
  const updatedAt = asMs(EXAMPLE_NOW - (line.ageMs ?? 900));
  const rate = line.rate === undefined ? undefined : asRate(line.rate);
  const hours = line.hours === undefined ? undefined : asHours(line.hours);
  const scaled = rate8h(rate, hours);
  const mark = line.mark;
  rowVersion += 1;
  return {
    venue: line.venue,
    sourceId: venue?.sourceId ?? 99,
    symbol: `${line.ticker}USDT`,
    ticker: line.ticker,
    canonicalId: `${assetClass}:${line.slug ?? line.ticker}`,
    assetClass,
    multiplier: 1,
    quote: 'USDT',
    ...(rate !== undefined && { fundingRate: rate, fundingUpdatedAt: asMs(updatedAt - 100) }),
    ...(hours !== undefined && {
      fundingIntervalHours: hours,
      nextFundingTime: asMs(Date.parse('2026-11-21T00:00:00.000Z')),
    }),
    ...(scaled !== undefined && { rate8h: scaled }),
    ...(mark !== undefined && { markPrice: asPrice(mark) }),
    ...(line.index !== undefined && { indexPrice: asPrice(line.index) }),
    ...(line.oi !== undefined && interestFields(line.oi, mark ?? 1, updatedAt)),
    ...(line.volume !== undefined && { volume24hUsd: asUsd(line.volume) }),
    updatedAt,
    comparable: line.reason === undefined,
    ...(line.reason !== undefined && { uncomparableReason: line.reason }),
    fresh: line.fresh ?? true,
    rateFresh: rate !== undefined && (line.fresh ?? true),
    version: rowVersion,
  };
}

const BTC = { ticker: 'BTC' } as const;
const ETH = { ticker: 'ETH' } as const;

const ROW_LINES: readonly RowLine[] = [
  {
    ...BTC,
    venue: 'binance',
    rate: 0.0001,
    hours: 8,
    mark: 91_250.5,
    index: 91_240.1,
    oi: 91_000,
    volume: 2.1e10,
  },
  {
    ...BTC,
    venue: 'bybit',
    rate: 0.00012,
    hours: 8,
    mark: 91_252,
    index: 91_241.5,
    oi: 52_000,
    volume: 9.8e9,
  },
  {
    ...BTC,
    venue: 'okx',
    rate: 0.00005,
    hours: 4,
    mark: 91_248.7,
    index: 91_240.9,
    oi: 31_000,
    volume: 6.4e9,
  },
  {
    ...BTC,
    venue: 'hyperliquid',
    rate: 0.0000125,
    hours: 1,
    mark: 91_262,
    index: 91_239,
    oi: 28_000,
    volume: 4e9,
  },
  { ...BTC, venue: 'lighter', rate: 0.00002, mark: 91_255, oi: 3100, volume: 9e8, ageMs: 4200 },
  { ...ETH, venue: 'binance', rate: 0.00008, hours: 8, mark: 3105.2, index: 3104.9, oi: 2e6, volume: 1.4e10 },
  { ...ETH, venue: 'bybit', rate: -0.00003, hours: 8, mark: 3104.8, index: 3104.9, oi: 9e5, volume: 5e9 },
  {
    ticker: 'SOL',
    venue: 'binance',
    rate: 0.0001,
    hours: 8,
    mark: 141.2,
    index: 141.1,
    oi: 8e6,
    volume: 3e9,
  },
  { ticker: 'XRP', venue: 'okx', rate: 0.0001, hours: 4, mark: 2.21, index: 2.21, oi: 3e8, volume: 1e9 },
  {
    ticker: 'DOGE',
    venue: 'bybit',
    rate: 0.0000321987,
    hours: 8,
    mark: 0.1612,
    index: 0.1611,
    oi: 9e8,
    volume: 8e8,
  },
  { ticker: 'PEPE', venue: 'binance', rate: 0.0002, hours: 8, mark: 0.0000071, oi: 9e12, volume: 4e8 },
  {
    ticker: 'PEPE',
    venue: 'okx',
    rate: 0.0003,
    hours: 8,
    mark: 0.0071,
    volume: 1e5,
    reason: 'price_dispersion',
  },
  {
    ticker: 'SPX',
    slug: 'SPX6900',
    venue: 'bybit',
    rate: 0.0001,
    hours: 4,
    mark: 0.71,
    index: 0.71,
    oi: 3e7,
    volume: 2e7,
  },
  {
    ticker: 'SPX',
    slug: 'SPX6900',
    venue: 'okx',
    rate: 0.00013,
    hours: 4,
    mark: 0.711,
    index: 0.71,
    oi: 1e7,
    volume: 1e7,
  },
  {
    ticker: 'SPX',
    assetClass: 'index',
    venue: 'hyperliquid-xyz',
    rate: 0.00001,
    hours: 1,
    mark: 6712.4,
    index: 6711,
    oi: 900,
    volume: 5e7,
  },
  {
    ticker: 'SPX',
    assetClass: 'index',
    venue: 'lighter',
    rate: 0.00003,
    hours: 1,
    mark: 6713.9,
    oi: 120,
    volume: 6e6,
  },
  {
    ticker: 'IOTX',
    venue: 'binance',
    rate: 0.00005,
    hours: 8,
    mark: 0.0312,
    index: 0.0312,
    oi: 4e8,
    volume: 9e6,
  },
  {
    ticker: 'IOTX',
    venue: 'bybit',
    rate: 0.0042,
    hours: 4,
    mark: 0.0311,
    index: 0.0312,
    oi: 3e8,
    volume: 7e6,
  },
  {
    ticker: 'CHZ',
    venue: 'binance',
    rate: 0.0001,
    hours: 8,
    mark: 0.0412,
    index: 0.0412,
    oi: 6e8,
    volume: 2e7,
  },
  { ticker: 'CHZ', venue: 'okx', rate: 0.00014, hours: 8, mark: 0.0413, index: 0.0412, oi: 3e8, volume: 8e6 },
  { ticker: 'SOLO', venue: 'okx', rate: 0.0005, hours: 8, mark: 0.4, index: 0.4, oi: 1e6, volume: 3e5 },
  { ticker: 'NORATE', venue: 'okx', mark: 12, index: 12, oi: 1000, volume: 3e5 },
  {
    ticker: 'OLD',
    venue: 'okx',
    rate: 0.0001,
    hours: 8,
    mark: 5,
    ageMs: 400_000,
    fresh: false,
    reason: 'stale',
  },
];

export const exampleRows = (): readonly MarketRow[] => ROW_LINES.map(exampleRow);

/** The example's rows with another rate of BTC on binance. */
export const rowsAtRate = (rate: number) =>
  exampleRows().map((row) =>
    row.venue === 'binance' && row.canonicalId === 'crypto:BTC'
      ? { ...row, fundingRate: asRate(rate), rate8h: rate as never }
      : row,
  );
