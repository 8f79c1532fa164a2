import { fapiEvents } from './fapi-form.ts';

export const aster = fapiEvents('aster', ['USDT', 'USDC', 'USD1', 'USDF'], ['/fapi/v3', '/fapi/v1']);
