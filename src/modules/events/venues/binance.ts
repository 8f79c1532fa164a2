import { fapiEvents } from './fapi-form.ts';

/** USD-M alone: the COIN-M host repeats its orders, so it is never read beside it. */
export const binance = fapiEvents('binance', ['USDT', 'USDC'], ['/fapi/v1']);
