import { emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readPrice, readRate } from '../../domain/read.ts';
import type { Decoder } from '../adapter.ts';
import { keepPatch, put } from '../quote-field.ts';
import { readIntervalText } from './interval-text.ts';
import { nextSettlement } from './next-settlement.ts';
import { eachListed } from './unified-rows.ts';

/**
 * Reads unified funding rates (`fetchFundingRates`, `fetchFundingRate`, `fetchFundingIntervals`): the rate of the
 * next settlement, its time, the interval, and the prices some exchanges state with it. What is not stated stays
 * unknown; no interval is assumed.
 */
export const decodeFunding: Decoder = (payload, context) => {
  const out = emptyDecoded();
  eachListed(payload, out, context, (row, { symbol, multiplier }) => {
    const patch: QuotePatch = { symbol };
    const interval = readIntervalText(row.interval);
    const { time, rate } = nextSettlement(row, context.receivedAt, interval);
    put(patch, 'fundingRate', readRate(rate), rate, out.rejects);
    put(patch, 'fundingIntervalHours', interval, row.interval, out.rejects);
    if (time !== undefined) patch.nextFundingTime = time;
    put(patch, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, out.rejects);
    put(patch, 'indexPrice', readPrice(row.indexPrice, multiplier), row.indexPrice, out.rejects);
    keepPatch(patch, out.quotes, out.rejects);
  });
  return out;
};
