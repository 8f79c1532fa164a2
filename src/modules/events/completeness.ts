/**
 * The share of a venue's liquidations that its public interface shows. `all`: every one that the venue lists. `sampled`: a
 * rule of the venue lets a part through, so a sum is a lower bound. `unverified`: documented, and not seen. `not_published`:
 * none, so a sum is unknown and never zero.
 */
export type Completeness = 'all' | 'sampled' | 'unverified' | 'not_published';

/** The thing that a venue's field of the side names. `taker`: the aggressor, which is the order of the liquidation. */
export type SideMeaning = 'position' | 'order' | 'taker' | 'none';

/** The reading of a side is shown by a recorded event and its price or position, or by documents alone, or not at all. */
export type SideProof = 'recorded' | 'documented' | 'unproven' | 'none';

/** The liquidations that one venue publishes. The evidence is in the venue's VENUE.md. */
export interface PublishedLiquidations {
  readonly completeness: Completeness;
  /** The rule of a sample, or what the venue leaves out of its list. */
  readonly rule?: string;
  /** The stream or call that is read. No other host is read beside it. */
  readonly from?: string;
  readonly side: SideMeaning;
  readonly sideProof: SideProof;
  /** The past can be read from the venue after a break. */
  readonly backfill?: string;
}

const NOT_PUBLISHED: PublishedLiquidations = {
  completeness: 'not_published',
  side: 'none',
  sideProof: 'none',
};

const ONE_A_SECOND = 'at most one order a symbol and second';

/** By venue. */
export const LIQUIDATIONS: Readonly<Record<string, PublishedLiquidations>> = {
  binance: {
    completeness: 'sampled',
    rule: ONE_A_SECOND,
    from: 'wss://fstream.binance.com/market/ws/!forceOrder@arr',
    side: 'order',
    sideProof: 'recorded',
  },
  bybit: {
    completeness: 'all',
    from: 'allLiquidation.{symbol}',
    side: 'position',
    sideProof: 'recorded',
  },
  okx: {
    completeness: 'sampled',
    rule: 'at most one order a contract and second; by the venue not the total',
    from: 'liquidation-orders SWAP',
    side: 'position',
    sideProof: 'documented',
    backfill: '/api/v5/public/liquidation-orders, no longer documented',
  },
  bitget: {
    completeness: 'sampled',
    rule: 'the largest long and the largest short a pair and second',
    from: 'v3 topic liquidation',
    side: 'position',
    sideProof: 'documented',
  },
  gate: {
    completeness: 'all',
    rule: 'by REST; the socket sends at most one a contract and second',
    from: '/api/v4/futures/usdt/liq_orders',
    side: 'position',
    sideProof: 'recorded',
    backfill: 'the same call, by from and to',
  },
  htx: {
    completeness: 'all',
    from: 'public.*.liquidation_orders',
    side: 'order',
    sideProof: 'recorded',
    backfill: '/v5/market/liquidation_orders, 90 days',
  },
  kraken: {
    completeness: 'all',
    rule: 'without what is assigned to liquidity providers',
    from: 'trade, type liquidation',
    side: 'taker',
    sideProof: 'documented',
    backfill: '/api/history/v3/market/{symbol}/executions, to 2022-03',
  },
  deribit: {
    completeness: 'all',
    from: 'trades.future.any.100ms, liquidation T, M or MT',
    side: 'taker',
    sideProof: 'documented',
    backfill: 'public/get_last_trades_by_instrument',
  },
  aster: {
    completeness: 'sampled',
    rule: ONE_A_SECOND,
    from: 'wss://fstream.asterdex.com/ws/!forceOrder@arr',
    side: 'order',
    sideProof: 'documented',
  },
  backpack: {
    completeness: 'unverified',
    rule: 'documented; refused when it was tried on 2026-09-18',
    from: 'liquidation',
    side: 'order',
    sideProof: 'unproven',
  },
  lighter: {
    completeness: 'all',
    from: 'trade/{market_id}, liquidation_trades',
    side: 'taker',
    sideProof: 'recorded',
    backfill: '/api/v1/recentTrades, 100 rows',
  },
  dydx: {
    completeness: 'all',
    from: 'v4_trades, type LIQUIDATED',
    side: 'taker',
    sideProof: 'documented',
    backfill: '/v4/trades/perpetualMarket/{ticker}, months',
  },
  paradex: {
    completeness: 'unverified',
    rule: 'documented; none among 96 trades of 2026-09-18',
    from: 'trades.ALL, trade_type LIQUIDATION',
    side: 'taker',
    sideProof: 'unproven',
    backfill: '/v1/trades',
  },
  orderly: {
    completeness: 'all',
    from: '/v1/public/query, type liquidations',
    side: 'position',
    sideProof: 'documented',
    backfill: 'the same call, by cursor',
  },
  pacifica: {
    completeness: 'all',
    from: 'trades, tc',
    side: 'taker',
    sideProof: 'documented',
    backfill: '/api/v1/trades/history',
  },
  derive: {
    completeness: 'all',
    from: 'public/get_liquidation_history',
    side: 'position',
    sideProof: 'unproven',
    backfill: 'the same call',
  },
  extended: {
    completeness: 'all',
    from: 'publicTrades, tT LIQUIDATION',
    side: 'taker',
    sideProof: 'documented',
    backfill: '/api/v1/info/markets/{market}/trades, 50 rows',
  },
  nado: {
    completeness: 'all',
    from: 'liquidation, product_id null',
    side: 'position',
    sideProof: 'documented',
    backfill: 'the archive, liquidate_subaccount',
  },
  kucoin: NOT_PUBLISHED,
  mexc: NOT_PUBLISHED,
  bingx: NOT_PUBLISHED,
  phemex: NOT_PUBLISHED,
  whitebit: NOT_PUBLISHED,
  cryptocom: NOT_PUBLISHED,
  hyperliquid: NOT_PUBLISHED,
  grvt: NOT_PUBLISHED,
  apex: NOT_PUBLISHED,
  edgex: NOT_PUBLISHED,
  hibachi: NOT_PUBLISHED,
};

/** The liquidations that a venue publishes; a dex of Hyperliquid is as its parent. Undefined of an unknown venue. */
export const completenessOf = (venue: string): PublishedLiquidations | undefined =>
  LIQUIDATIONS[venue.startsWith('hyperliquid-') ? 'hyperliquid' : venue];
