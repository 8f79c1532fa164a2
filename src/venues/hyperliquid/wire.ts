import type { Reject } from '../../domain/reject.ts';

/** The main dex is the empty string, as in the venue's own frames; a builder-deployed dex has a lower-case name. */
export type DexName = string;

/** One entry of `meta.universe`; its place in the list is the asset's position. */
export interface WireAsset {
  readonly name?: unknown;
  /** Present only when true. */
  readonly isDelisted?: unknown;
  /** "enabled" or absent; builder-deployed dexes only. */
  readonly growthMode?: unknown;
  /** Decimal string; builder-deployed dexes only. */
  readonly deployerFeeScale?: unknown;
}

/** A dex's listing: `meta`, the first half of `metaAndAssetCtxs`, one element of `allPerpMetas`. */
export interface WireMeta {
  readonly universe?: unknown;
  /** Index of a spot token; absent in older replies. */
  readonly collateralToken?: unknown;
}

/** Metrics of one asset. Rows carry no name: they belong to `universe` by position. */
export interface WireAssetContext {
  /** Fraction per hour, running estimate for the coming hour. */
  readonly funding?: unknown;
  /** Base units as named (thousands of tokens for k-names). */
  readonly openInterest?: unknown;
  /** USD. */
  readonly dayNtlVlm?: unknown;
  /** Base units as named; absent in older replies. */
  readonly dayBaseVlm?: unknown;
  readonly oraclePx?: unknown;
  readonly markPx?: unknown;
  /** Null on delisted assets and on an empty book. */
  readonly midPx?: unknown;
}

/** `l2Book`: bids first, best first, at most 20 levels a side. */
export interface WireBook {
  readonly coin?: unknown;
  readonly time?: unknown;
  readonly levels?: unknown;
}

/** `bbo`: bid and ask, either may be null. */
export interface WireTouch {
  readonly coin?: unknown;
  readonly time?: unknown;
  readonly bbo?: unknown;
}

export interface WireFundingRow {
  readonly coin?: unknown;
  readonly fundingRate?: unknown;
  /** Some milliseconds after the full hour. */
  readonly time?: unknown;
}

/** A WebSocket frame. */
export interface WireFrame {
  readonly channel?: unknown;
  readonly data?: unknown;
}

/**
 * The base of a coin (`NVDA` of `xyz:NVDA`, `kPEPE`), as the venue spells it; undefined when the coin belongs to
 * another dex. The main dex's coins have no colon.
 */
export function baseOfCoin(coin: string, dex: DexName): string | undefined {
  const colon = coin.indexOf(':');
  if (dex === '') return colon === -1 && coin !== '' ? coin : undefined;
  if (colon !== dex.length || !coin.startsWith(dex) || colon === coin.length - 1) return undefined;
  return coin.slice(colon + 1);
}

/** Errors come as text, or as `null` with status 500 (or 200 for a book of an unknown coin). */
export function errorBody(payload: unknown): Reject | undefined {
  if (payload === null) return { symbol: null, reason: 'error_body', detail: 'null' };
  if (typeof payload !== 'string') return undefined;
  return { symbol: null, reason: 'error_body', detail: payload.slice(0, 120) };
}
