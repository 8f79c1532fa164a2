import { fapiPast } from '../binance-fapi/past.ts';
import { DAY_MS, HOUR_MS, type PastCall, pastRequest } from '../past-call.ts';

/** Open interest of the last month, 500 rows an answer, in a pool of its own. */
const interest: PastCall = {
  kind: 'interest',
  points: 500,
  stepMs: HOUR_MS,
  reachMs: 29 * DAY_MS,
  pool: 'data',
  request: (instrument, from, to) =>
    pastRequest(instrument, '/futures/data/openInterestHist', {
      symbol: instrument.symbol,
      period: '1h',
      startTime: from,
      endTime: to - 1,
      limit: 500,
    }),
};

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api */
export const binancePast: readonly PastCall[] = [
  ...fapiPast({ prefix: '/fapi/v1', fundingPool: 'funding' }),
  interest,
];
