import { DAY_MS, HOUR_MS } from '../../runtime/duration.ts';
import { type BackfillEndpoint, backfillRequest } from '../backfill-endpoint.ts';
import { fapiBackfill } from '../binance-fapi/backfill.ts';

/** Open interest of the last month, 500 rows an answer, in a pool of its own. */
const interest: BackfillEndpoint = {
  kind: 'interest',
  points: 500,
  stepMs: HOUR_MS,
  reachMs: 29 * DAY_MS,
  pool: 'data',
  request: (instrument, from, to) =>
    backfillRequest(instrument, '/futures/data/openInterestHist', {
      symbol: instrument.symbol,
      period: '1h',
      startTime: from,
      endTime: to - 1,
      limit: 500,
    }),
};

/** https://developers.binance.com/docs/derivatives/usds-margined-futures/market-data/rest-api */
export const binanceBackfill: readonly BackfillEndpoint[] = [
  ...fapiBackfill({ prefix: '/fapi/v1', fundingPool: 'funding' }),
  interest,
];
