import { fapiCodec } from '../binance-fapi/codec.ts';
import type { FapiDialect } from '../binance-fapi/dialect.ts';
import { PUBLISHED } from './published.ts';

/** Live linear perpetuals: crypto and, since 2025, stocks and commodities, in USDT or USDC. */
export const BINANCE: FapiDialect = {
  venue: 'binance',
  published: PUBLISHED,
  quotes: ['USDT', 'USDC'],
  perpetualTypes: ['PERPETUAL', 'TRADIFI_PERPETUAL'],
};

export const binanceCodec = fapiCodec(BINANCE);
