import { HOUR_MS, type PastCall } from '../past-call.ts';

/** https://hyperliquid.gitbook.io/hyperliquid-docs: payments of every hour, 500 an answer, oldest first. */
export const hyperliquidPast: readonly PastCall[] = [
  {
    kind: 'funding',
    points: 500,
    stepMs: HOUR_MS,
    weight: 45,
    request: ({ symbol }, from, to) => ({
      method: 'POST',
      path: '/info',
      body: JSON.stringify({ type: 'fundingHistory', coin: symbol, startTime: from, endTime: to - 1 }),
      symbol,
    }),
  },
];
