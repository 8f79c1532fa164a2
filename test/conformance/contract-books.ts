import { contract, myFees, rankBy, side, size, takingCost, ticker } from './contract-parameters.ts';
import type { ContractEndpoint } from './contract-shape.ts';

/** The venues behind an answer over the books of one asset. */
const coverage = {
  venues_listed: 'integer',
  venues_considered: 'integer',
  venues_not_live: ['string'],
  venues_missing: ['string'],
  books_pending: 'integer',
} as const;

/** Order books. */
export const BOOKS: readonly ContractEndpoint[] = [
  {
    path: '/v1/orderbook/aggregate/{symbol}',
    usd: '0.002',
    query: {},
    response: {
      symbol: 'string',
      best_bid: { price: 'number', size: 'number', venue: 'string' },
      best_ask: { price: 'number', size: 'number', venue: 'string' },
    },
    decided: { ...coverage, best_bid: contract, best_ask: contract },
  },
  {
    path: '/v1/orderbook/best-execution',
    usd: '0.010',
    query: { ticker, size_usd: size, side, rank_by: rankBy, ...myFees },
    decided: { ...coverage, side: 'string', rank_by: 'string', best: takingCost },
    response: {
      ticker: 'string',
      size_usd: 'integer',
      venues_considered: 'integer',
      best: {
        venue: 'string',
        best_bid: 'number',
        best_ask: 'number',
        spread_bps: 'number',
        slippage_bps: 'number',
        bid_depth_usd: 'number',
        ask_depth_usd: 'number',
        updated_at: 'timestamp',
      },
      naive_note: 'string',
    },
  },
  {
    path: '/v1/orderbook/depth/{venue}/{symbol}',
    usd: '0.002',
    query: { size_usd: size, side, ...myFees },
    response: {
      venue: 'string',
      symbol: 'string',
      size_usd: 'integer',
      quote: {
        venue: 'string',
        best_bid: 'number',
        best_ask: 'number',
        est_slippage_for_size_usd_bps: 'number',
        updated_at: 'timestamp',
      },
    },
    decided: {
      side: 'string',
      quote: {
        ...takingCost,
        spread_bps: 'number',
        bid_depth_usd: 'number',
        ask_depth_usd: 'number',
        max_fillable_usd: 'number',
        ...contract,
      },
    },
  },
  {
    path: '/v1/orderbook/multi-venue-execution',
    usd: '0.010',
    query: {
      ticker,
      size_usd: size,
      side,
      rank_by: rankBy,
      ...myFees,
      split: { type: 'boolean', default: false },
      venues_max: { type: 'integer', minimum: 1 },
    },
    decided: {
      ...coverage,
      side: 'string',
      rank_by: 'string',
      blended_taker_fee_bps: 'number',
      blended_all_in_bps: 'number',
      route: [{ ...takingCost, 'rank_bps?': 'number', 'average_price?': 'number' }],
      'split?': {
        side: 'string',
        reference_price: 'number',
        reference_quote: 'string',
        quote_adjusted: 'boolean',
        all_in_bps: 'number',
        best_single: { venue: 'string', all_in_bps: 'number' },
        saved_bps: 'number',
        venues_max: 'integer',
        venues_without_fee: ['string'],
        venues_without_rate: ['string'],
      },
    },
    response: {
      ticker: 'string',
      size_usd: 'integer',
      total_filled_usd: 'number',
      unfilled_usd: 'number',
      venues_used: 'integer',
      blended_slippage_bps: 'number',
      route: [
        {
          venue: 'string',
          allocated_usd: 'number',
          slippage_bps: 'number',
          best_bid: 'number',
          best_ask: 'number',
          max_fillable_usd: 'number',
        },
      ],
      naive_note: 'string',
    },
  },
  {
    path: '/v1/orderbook/multi-venue-slippage',
    usd: '0.005',
    query: { ticker, size_usd: size, side, rank_by: rankBy, ...myFees },
    decided: { ...coverage, side: 'string', rank_by: 'string', venues: [takingCost] },
    response: {
      ticker: 'string',
      size_usd: 'integer',
      count: 'integer',
      venues: [
        {
          venue: 'string',
          best_bid: 'number',
          best_ask: 'number',
          spread_bps: 'number',
          bid_depth_usd: 'number',
          ask_depth_usd: 'number',
          slippage_bps: 'number',
          updated_at: 'timestamp',
        },
      ],
    },
  },
  {
    path: '/v1/orderbook/{venue}/{symbol}/top',
    usd: '0.001',
    query: {},
    decided: contract,
    response: {
      venue: 'string',
      symbol: 'string',
      bid_price: 'number',
      bid_size: 'number',
      ask_price: 'number',
      ask_size: 'number',
      timestamp: 'timestamp',
    },
  },
];
