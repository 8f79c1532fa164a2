import { HOUR_MS } from '../../runtime/duration.ts';
import type { BackfillEndpoint } from '../backfill-endpoint.ts';

/**
 * https://hyperliquid.gitbook.io/hyperliquid-docs: payments of every hour, 500 an answer, oldest first; 20 weight and one
 * more for every 20 rows, so that short answers leave more to others. */
export const hyperliquidBackfill: readonly BackfillEndpoint[] = [
  {
    kind: 'funding',
    points: 200,
    stepMs: HOUR_MS,
    weight: 30,
    request: ({ symbol }, from, to) => ({
      method: 'POST',
      path: '/info',
      body: JSON.stringify({ type: 'fundingHistory', coin: symbol, startTime: from, endTime: to - 1 }),
      symbol,
    }),
  },
];
