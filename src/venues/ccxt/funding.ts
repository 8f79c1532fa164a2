import { emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { readHours, readPrice, readRate } from '../../domain/read.ts';
import type { Hours } from '../../domain/units.ts';
import type { Decoder } from '../adapter.ts';
import { keepPatch, put } from '../quote-field.ts';
import { nextSettlement } from './next-settlement.ts';
import { eachListed } from './unified-rows.ts';

const NAMED = /^(\d+(?:\.\d+)?)(m|h|d)$/;
const IN_HOURS = { m: 1 / 60, h: 1, d: 24 } as const;
/** Whole minutes as milliseconds: what ccxt passes on where it has no name for an interval. */
const MILLISECONDS = /^\d+0000$/;
const PER_MS = 1 / 3_600_000;

/** A unified interval text in hours: `8h`, `480m`, `1d`, `7200000`. Anything else is unknown. */
export function readIntervalText(text: unknown): Hours | undefined {
  if (typeof text !== 'string') return undefined;
  if (MILLISECONDS.test(text)) return readHours(text, PER_MS);
  const [, count, unit] = NAMED.exec(text) ?? [];
  if (unit !== 'm' && unit !== 'h' && unit !== 'd') return undefined;
  return readHours(count, IN_HOURS[unit]);
}

/**
 * Reads unified funding rates (`fetchFundingRates`, `fetchFundingRate`, `fetchFundingIntervals`): the rate of
 * the next settlement, its time, the interval, and the prices some exchanges state with it. A value that is
 * not stated stays unknown; no interval is assumed.
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
