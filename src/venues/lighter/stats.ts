import type { Decoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readPrice, type Wire } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { asMs, type UnixMs } from '../../domain/units.ts';
import { HOUR_MS } from '../../runtime/duration.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { put } from '../quote-field.ts';
import { readVolume } from './markets.ts';
import { PUBLISHED } from './published.ts';
import {
  channelMarket,
  HOURLY,
  isReject,
  type Market,
  marketOf,
  readPercent,
  type WireStats,
} from './wire.ts';

/**
 * `market_stats`: on `market_stats:all` a map of markets by id, on `market_stats:<id>` one market. What a frame
 * does not list keeps its values.
 */
export function readStats(frame: Wire, context: DecodeContext, decoded: Decoded): void {
  const stats = frame.market_stats;
  if (!isWire(stats)) {
    decoded.rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'market_stats' });
    return;
  }
  const now = readMs(frame.timestamp) ?? context.receivedAt;
  if ('market_id' in stats) readMarketStats(stats, undefined, now, context, decoded);
  else for (const id in stats) readMarketStats(stats[id], id, now, context, decoded);
}

function readMarketStats(
  row: unknown,
  key: string | undefined,
  now: UnixMs | undefined,
  context: DecodeContext,
  decoded: Decoded,
): void {
  if (!isWire(row)) {
    decoded.rejects.push({ symbol: null, reason: 'malformed', detail: `market ${key?.slice(0, 20)}` });
    return;
  }
  const wire: WireStats = row;
  const market = marketOf(wire.symbol, wire.market_id ?? key, context);
  if (isReject(market)) {
    decoded.rejects.push(market);
    return;
  }
  const quote = readQuote(wire, market, now, decoded.rejects);
  if (quote !== undefined) decoded.quotes.push(quote);
}

function readQuote(
  wire: WireStats,
  { symbol, multiplier }: Market,
  now: UnixMs | undefined,
  rejects: Reject[],
): QuotePatch | undefined {
  const quote: QuotePatch = { symbol };
  const rate = readPercent(wire.current_funding_rate);
  if (rate !== undefined) quote.fundingRate = rate;
  else rejects.push(fieldFault(symbol, 'current_funding_rate', wire.current_funding_rate));
  quote.fundingIntervalHours = HOURLY;
  const next = nextPayment(readMs(wire.funding_timestamp), now);
  if (next !== undefined) quote.nextFundingTime = next;
  else rejects.push(fieldFault(symbol, 'funding_timestamp', wire.funding_timestamp));
  const mark = readPrice(wire.mark_price, multiplier);
  if (mark !== undefined) quote.markPrice = mark;
  else rejects.push(fieldFault(symbol, 'mark_price', wire.mark_price));
  const index = readPrice(wire.index_price, multiplier);
  if (index !== undefined) quote.indexPrice = index;
  else rejects.push(fieldFault(symbol, 'index_price', wire.index_price));
  const units = { multiplier, perContract: multiplier };
  putOpenInterest(quote, PUBLISHED.openInterest, { quote: wire.open_interest }, units, rejects, 'required');
  readVolume(quote, wire, multiplier, rejects);
  const says = rate !== undefined || mark !== undefined || quote.openInterestUsd !== undefined;
  return says || quote.volume24hUsd !== undefined ? quote : undefined;
}

/** `ticker:<id>`: best bid and ask of one market; an empty side is `{}`, missing, or has empty texts. */
export function readTicker(frame: Wire, context: DecodeContext, decoded: Decoded): void {
  const { rejects } = decoded;
  const { ticker } = frame;
  if (!isWire(ticker)) {
    rejects.push({ symbol: null, reason: 'unexpected_shape', detail: 'ticker' });
    return;
  }
  const market = marketOf(ticker.s, channelMarket(frame), context);
  if (isReject(market)) {
    rejects.push(market);
    return;
  }
  const { symbol, multiplier } = market;
  const quote: QuotePatch = { symbol };
  const [bid, ask] = [ticker.b, ticker.a].map((side) => (isWire(side) ? side.price : undefined));
  put(quote, 'bestBid', readPrice(bid, multiplier), bid, rejects);
  put(quote, 'bestAsk', readPrice(ask, multiplier), ask, rejects);
  if (quote.bestBid !== undefined || quote.bestAsk !== undefined) decoded.quotes.push(quote);
  else rejects.push({ symbol, reason: 'placeholder', detail: 'empty touch' });
}

/**
 * The coming payment. `funding_timestamp` is the last payment in every recording (the docs show one ahead): a
 * time ahead is taken as it is, a past one is moved on by whole hours. Cut to the second.
 */
export function nextPayment(stamp: UnixMs | undefined, now: UnixMs | undefined): UnixMs | undefined {
  if (stamp === undefined) return undefined;
  const payment = Math.floor(stamp / 1000) * 1000;
  if (now === undefined) return asMs(payment + HOUR_MS);
  if (payment > now) return asMs(payment);
  return asMs(payment + (Math.floor((now - payment) / HOUR_MS) + 1) * HOUR_MS);
}
