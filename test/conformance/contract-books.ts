import { contract, size, ticker } from './contract-parameters.ts';
import type { ContractEndpoint } from './contract-shape.ts';

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
    decided: { best_bid: contract, best_ask: contract },
  },
  {
    path: '/v1/orderbook/best-execution',
    usd: '0.010',
    query: { ticker, size_usd: size },
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
    query: { size_usd: size },
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
      quote: {
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
    query: { ticker, size_usd: size },
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
    query: { ticker, size_usd: size },
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
    response: {
      venue: 'string',
      symbol: 'string',
      bid_price: 'number',
      bid_size: 'number',
      ask_price: 'number',
      ask_size: 'number',
      timestamp: 'timestamp',
    },
    decided: contract,
  },
];
