import { fapiCodec } from '../binance-fapi/codec.ts';
import type { FapiDialect } from '../binance-fapi/dialect.ts';
import { PUBLISHED } from './published.ts';

/**
 * Order-book perpetuals. Symbols that end in a bare USD (`GNSUSD`) belong to another, oracle-priced product of
 * the venue and carry no funding.
 */
export const ASTER: FapiDialect = {
  venue: 'aster',
  published: PUBLISHED,
  quotes: ['USDT', 'USDC', 'USD1', 'USDF'],
  perpetualTypes: ['PERPETUAL'],
};

export const asterCodec = fapiCodec(ASTER);
