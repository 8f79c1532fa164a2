import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, readRate, readText, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { type ContractUnits, unitsPerContract } from '../contract-units.ts';
import { errorText } from '../error-text.ts';
import { keepPatch, put } from '../quote-field.ts';
import { takeBookFrame } from './books.ts';
import { INTERVAL } from './instruments.ts';
import { PUBLISHED } from './published.ts';
import { eachRow } from './wire.ts';

/** Feeds that hold nothing of ours. */
const OTHER_FEEDS = new Set(['heartbeat', 'trade', 'trade_snapshot']);

/** An alert that follows a subscription made twice: nothing is lost. */
const HARMLESS = /already subscribed/i;

/** Frames of `/ws/v1`, told apart by `feed`; the others are events of the connection. */
export function decodeFrame(payload: unknown, context: DecodeContext): Decoded {
  const out = emptyDecoded();
  const frame = isWire(payload) ? payload : {};
  if (frame.event !== undefined) takeEvent(frame, out);
  else if (frame.feed === 'book' || frame.feed === 'book_snapshot') takeBookFrame(frame, context, out);
  else if (frame.feed === 'ticker') eachRow([frame], 'product_id', context, out, takeWith(out, takeTicker));
  else if (frame.feed === 'ticker_lite')
    eachRow([frame], 'product_id', context, out, takeWith(out, takeLite));
  else if (typeof frame.feed !== 'string' || !OTHER_FEEDS.has(frame.feed)) {
    out.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'no known feed' });
  }
  return out;
}

/** `alert` and `error` are refusals; `info`, `subscribed` and the like hold nothing. */
function takeEvent(frame: Wire, out: Decoded): void {
  if (frame.event !== 'alert' && frame.event !== 'error') return;
  const message = readText(frame.message);
  if (message !== undefined && HARMLESS.test(message)) return;
  out.rejects.push({ symbol: null, reason: 'error_body', detail: errorText(frame.event, message) });
}

function takeWith(
  out: Decoded,
  take: (row: Wire, q: QuotePatch, units: ContractUnits, out: Decoded) => void,
) {
  return (row: Wire, symbol: string, units: ContractUnits) => {
    if (row.suspended === true) {
      out.rejects.push({ symbol, reason: 'not_trading', detail: 'suspended' });
      return;
    }
    const q: QuotePatch = { symbol };
    take(row, q, units, out);
    keepPatch(q, out.quotes, out.rejects);
  };
}

/**
 * The `ticker` feed, whole each time. `relative_funding_rate` is a fraction an hour and exact, which the absolute
 * rate divided by the mark is not. A time of 0 says that there is no funding yet.
 */
function takeTicker(row: Wire, q: QuotePatch, units: ContractUnits, out: Decoded): void {
  const { multiplier } = units;
  const amounts = unitsPerContract(units);
  const { rejects } = out;
  const next = row.next_funding_rate_time;
  if (next !== 0) {
    put(q, 'fundingRate', readRate(row.relative_funding_rate), row.relative_funding_rate, rejects);
    if (q.fundingRate !== undefined) q.fundingIntervalHours = INTERVAL;
    put(q, 'nextFundingTime', readMs(next), next, rejects);
  }
  put(q, 'markPrice', readPrice(row.markPrice, multiplier), row.markPrice, rejects);
  put(q, 'indexPrice', readPrice(row.index, multiplier), row.index, rejects);
  putOpenInterest(q, PUBLISHED.openInterest, { base: row.openInterest }, amounts, rejects);
  putVolume(q, PUBLISHED.volume, { base: row.volume, quote: row.volumeQuote }, amounts, rejects);
  put(q, 'bestBid', readPrice(row.bid, multiplier), row.bid, rejects);
  put(q, 'bestAsk', readPrice(row.ask, multiplier), row.ask, rejects);
  put(q, 'venueTime', readMs(row.time), row.time, rejects);
}

/** The `ticker_lite` feed: touch and volume. */
function takeLite(row: Wire, q: QuotePatch, units: ContractUnits, out: Decoded): void {
  const { multiplier } = units;
  const traded = { base: row.volume, quote: row.volumeQuote };
  putVolume(q, PUBLISHED.volume, traded, unitsPerContract(units), out.rejects);
  put(q, 'bestBid', readPrice(row.bid, multiplier), row.bid, out.rejects);
  put(q, 'bestAsk', readPrice(row.ask, multiplier), row.ask, out.rejects);
}
