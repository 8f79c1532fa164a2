import Type, { type Static } from 'typebox';
import { MOST_NOTIONAL_USD, QUOTE_SIZES_USD } from '../../domain/depth-quote.ts';
import { ok, type Result } from '../../domain/errors.ts';
import { canonicalIdName, integer, oneOf, tickerName } from '../answer/schema.ts';
import type { Ports } from '../define-product.ts';
import { findAsset, tickerParameter } from '../rows/asked.ts';
import {
  type AskedFees,
  feesField,
  feesQuery,
  PUBLIC_FEES,
  readFees,
  statedFees,
} from '../rows/asked-fees.ts';
import type { AssetRows } from '../rows/select.ts';
import { TRADE_SIDES, type TradeSide } from './leg-book.ts';

/** The size to trade, and the ranking of venues, in requests and answers. */

const RANKS = ['slippage', 'all_in'] as const;

export type QuoteSize = (typeof QUOTE_SIZES_USD)[number];

/** USD size of a sized quote. */
export const sizeParameter = Type.Unsafe<QuoteSize>({
  type: 'integer',
  enum: [...QUOTE_SIZES_USD],
  default: 10_000,
  description: 'Size to trade, USD',
});

export const sideParameter = oneOf(TRADE_SIDES, {
  default: 'worse',
  description: 'Market order: buy takes asks, sell takes bids, worse is the dearer of both',
});

const rankByParameter = oneOf(RANKS, {
  default: 'slippage',
  description: 'Order of venues: by slippage alone, or with the public taker fee',
});

/** A size of the buyer's own, USD. */
export const notional = (description: string) =>
  Type.Integer({ minimum: 100, maximum: MOST_NOTIONAL_USD, description });

export const notionalParameter = Type.Optional(notional('Any other size, USD, in place of size_usd'));

/** Parameters of the products about one asset's books on all venues. */
export const termsQuery = Type.Object({
  ticker: tickerParameter,
  size_usd: sizeParameter,
  notional_usd: notionalParameter,
  side: sideParameter,
  rank_by: rankByParameter,
  ...feesQuery,
});

export const sideField = oneOf(TRADE_SIDES, { description: 'The side that costs are of' });

/** The requested terms, as their answers repeat them. */
export const termsFields = {
  ticker: tickerName,
  canonical_id: canonicalIdName,
  size_usd: integer('Size in USD: notional_usd where it was asked for'),
  side: sideField,
  rank_by: oneOf(RANKS, { description: 'What venues are ordered by' }),
  ...feesField,
};

export interface ExecutionTerms {
  readonly size: number;
  /** Most that is quoted of a venue, USD; default 10,000. */
  readonly capUsd?: number | undefined;
  readonly side: TradeSide;
  readonly rankBy: (typeof RANKS)[number];
  /** Default: the public ones. */
  readonly fees?: AskedFees;
}

/** The size that was asked for, and the most that is quoted for it. */
export const sizeOf = ({
  size_usd: size,
  notional_usd: own,
}: Pick<Static<typeof termsQuery>, 'size_usd' | 'notional_usd'>): Pick<
  ExecutionTerms,
  'size' | 'capUsd'
> => ({
  size: own ?? size,
  capUsd: own === undefined ? undefined : MOST_NOTIONAL_USD,
});

export const termsOf = (asked: Static<typeof termsQuery>, fees: AskedFees): ExecutionTerms => ({
  ...sizeOf(asked),
  side: asked.side,
  rankBy: asked.rank_by,
  fees,
});

/** The asset that is to be traded, and the fees that count. */
export interface AskedExecution {
  readonly asset: AssetRows;
  readonly fees: AskedFees;
}

/** Failures as of `selectAsset` and of `readFees`. */
export function findExecution(asked: Static<typeof termsQuery>, ports: Ports): Result<AskedExecution> {
  const asset = findAsset(asked, ports);
  if (!asset.ok) return asset;
  const fees = readFees(asked, ports.market);
  return fees.ok ? ok({ asset: asset.value, fees: fees.value }) : fees;
}

export const statedTerms = (
  { ticker, canonicalId }: AssetRows,
  { size, side, rankBy, fees = PUBLIC_FEES }: ExecutionTerms,
) => ({
  ticker,
  canonical_id: canonicalId,
  size_usd: size,
  side,
  rank_by: rankBy,
  ...statedFees(fees),
});
