import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readHours, readMs, readPrice, readRate, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { UnixMs } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { eachContract } from '../contract-rows.ts';
import { keepPatch, need, put } from '../quote-field.ts';
import { rowsOf, unitsOf } from './wire.ts';

/** Row of `swap_batch_funding_rate`, `swap_funding_rate` and `/v5/market/funding_rate`. Texts. */
interface HtxFunding {
  /** Running rate of the period that ends at `funding_time`; null on dated contracts. */
  readonly funding_rate?: unknown;
  /** Coming settlement, ms. */
  readonly funding_time?: unknown;
  /** The settlement after it; null in the first version since 2026. */
  readonly next_funding_time?: unknown;
}

/** An index that stood still for longer is none: delisted contracts keep theirs for years. */
const FROZEN_MS = 3_600_000;
const MS_IN_HOURS = 1 / 3_600_000;

/** When an answer was made. */
export function stampOf(payload: unknown, context: DecodeContext): UnixMs | undefined {
  return (isWire(payload) ? readMs(payload.ts) : undefined) ?? context.receivedAt;
}

/** The first of these times that lies ahead of the answer; one that is past is no coming settlement. */
export function putComing(
  q: QuotePatch,
  times: readonly unknown[],
  now: UnixMs | undefined,
  rejects: Reject[],
): void {
  const read = times.map((time) => readMs(time));
  const next = read.find((time) => time !== undefined && (now === undefined || time > now));
  if (next !== undefined) q.nextFundingTime = next;
  else if (read[0] === undefined) put(q, 'nextFundingTime', undefined, times[0], rejects);
}

/** The running rate and the coming settlement; where two settlements are stated, also the interval. */
export function decodeFunding(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const { rejects } = out;
  const now = stampOf(payload, context);
  eachContract(rowsOf(payload, out), 'contract_code', unitsOf, context, out, (wire, symbol) => {
    const row: HtxFunding = wire;
    const q: QuotePatch = { symbol };
    put(q, 'fundingRate', readRate(row.funding_rate), row.funding_rate, rejects);
    const [first, second] = [readMs(row.funding_time), readMs(row.next_funding_time)];
    putComing(q, [row.funding_time, row.next_funding_time], now, rejects);
    if (first !== undefined && second !== undefined) {
      const hours = readHours(second - first, MS_IN_HOURS);
      if (hours !== undefined) q.fundingIntervalHours = hours;
    }
    keepPatch(q, out.quotes, rejects);
  });
  return out;
}

/** `GET /linear-swap-api/v1/swap_index`: indices of all contracts ever listed; frozen ones are left out. */
export function decodeIndex(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const now = stampOf(payload, context);
  eachContract(
    rowsOf(payload, out),
    'contract_code',
    unitsOf,
    context,
    out,
    (row, symbol, { multiplier }) => {
      const made = readMs(row.index_ts);
      if (now !== undefined && made !== undefined && now - made > FROZEN_MS) {
        const reason = context.instruments.size === 0 ? 'delisted' : 'not_trading';
        out.rejects.push({ symbol, reason, detail: 'index stands still' });
        return;
      }
      const q: QuotePatch = { symbol };
      need(q, 'indexPrice', readPrice(row.index_price, multiplier), row.index_price, out.rejects);
      keepPatch(q, out.quotes, out.rejects);
    },
  );
  return out;
}

/** Best bid and ask, `[price, contracts]` each; null or empty without orders. */
export function putTouch(q: QuotePatch, row: Wire, multiplier: number, out: Decoded): void {
  const price = (side: unknown): unknown => (Array.isArray(side) ? side[0] : undefined);
  const [bid, ask] = [price(row.bid), price(row.ask)];
  put(q, 'bestBid', readPrice(bid, multiplier), bid, out.rejects);
  put(q, 'bestAsk', readPrice(ask, multiplier), ask, out.rejects);
}

/** `GET /linear-swap-ex/market/bbo`: best bid and ask of all contracts. */
export function decodeTouch(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  eachContract(
    rowsOf(payload, out),
    'contract_code',
    unitsOf,
    context,
    out,
    (row, symbol, { multiplier }) => {
      const q: QuotePatch = { symbol };
      putTouch(q, row, multiplier, out);
      keepPatch(q, out.quotes, out.rejects);
    },
  );
  return out;
}
