import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readMs, readNumber, readPrice, readRate, readText } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { PUBLISHED } from './published.ts';
import { resultsOf } from './rows.ts';
import { isReject, type Market, marketOf, readPeriod, type WireFunding, type WireSummary } from './wire.ts';

/** `/markets/summary`: metrics of all markets, options included; those are rejects. */
export function decodeSummary(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  for (const row of resultsOf(payload, decoded)) readSummary(row, context, decoded);
  return decoded;
}

/** One market's metrics. */
export function readSummary(row: unknown, context: DecodeContext, decoded: Decoded): void {
  const wire: WireSummary = isWire(row) ? row : {};
  const symbol = readText(wire.symbol);
  if (symbol === undefined) {
    decoded.rejects.push(fieldFault(null, 'symbol', wire.symbol));
    return;
  }
  const market = marketOf(symbol, context);
  if (isReject(market)) {
    decoded.rejects.push(market);
    return;
  }
  const quote: QuotePatch = { symbol };
  const { rejects } = decoded;
  const read = [
    readFunding(quote, wire, market, rejects),
    readPrices(quote, wire, market.multiplier, rejects),
    readAmounts(quote, wire, market.multiplier, rejects),
  ];
  if (!read.includes(true)) return;
  const time = readMs(wire.created_at);
  if (time !== undefined) quote.venueTime = time;
  decoded.quotes.push(quote);
}

/** The rate is per funding period of the market; the period stands in the list of contracts. */
function readFunding(quote: QuotePatch, wire: WireSummary, market: Market, rejects: Reject[]): boolean {
  const rate = readRate(wire.funding_rate);
  if (rate === undefined) {
    rejects.push(fieldFault(market.symbol, 'funding_rate', wire.funding_rate));
    return false;
  }
  quote.fundingRate = rate;
  const period = market.fundingIntervalHours;
  if (period !== undefined) quote.fundingIntervalHours = period;
  return true;
}

function readPrices(quote: QuotePatch, wire: WireSummary, multiplier: number, rejects: Reject[]): boolean {
  const mark = readPrice(wire.mark_price, multiplier);
  if (mark !== undefined) quote.markPrice = mark;
  else rejects.push(fieldFault(quote.symbol, 'mark_price', wire.mark_price));
  const index = readPrice(wire.underlying_price, multiplier);
  if (index !== undefined) quote.indexPrice = index;
  else rejects.push(fieldFault(quote.symbol, 'underlying_price', wire.underlying_price));
  readTouch(quote, wire, multiplier, rejects);
  return mark !== undefined || index !== undefined;
}

/** Best bid and ask; empty text or 0 is an empty side. */
function readTouch(
  quote: QuotePatch,
  wire: Pick<WireSummary, 'bid' | 'ask'>,
  multiplier: number,
  rejects: Reject[],
): boolean {
  const bid = readPrice(wire.bid, multiplier);
  const ask = readPrice(wire.ask, multiplier);
  if (bid !== undefined) quote.bestBid = bid;
  else if (!isEmpty(wire.bid)) rejects.push(fieldFault(quote.symbol, 'bid', wire.bid));
  if (ask !== undefined) quote.bestAsk = ask;
  else if (!isEmpty(wire.ask)) rejects.push(fieldFault(quote.symbol, 'ask', wire.ask));
  return bid !== undefined || ask !== undefined;
}

const isEmpty = (x: unknown): boolean => x === undefined || x === null || x === '' || readNumber(x) === 0;

function readAmounts(quote: QuotePatch, wire: WireSummary, multiplier: number, rejects: Reject[]): boolean {
  const units = { multiplier, perContract: multiplier };
  const open = { base: wire.open_interest === '' ? undefined : wire.open_interest };
  putOpenInterest(quote, PUBLISHED.openInterest, open, units, rejects, 'required');
  // A blank says that nothing is known of a new market; a field that is not there is a change of the format.
  const rule = wire.volume_24h === '' ? 'optional' : 'required';
  putVolume(quote, PUBLISHED.volume, { quote: wire.volume_24h }, units, rejects, rule);
  return quote.openInterestRaw !== undefined || quote.volume24hRaw !== undefined;
}

/** `bbo`, by REST or frame. */
export function readBestPrices(row: unknown, context: DecodeContext, decoded: Decoded): void {
  const symbol = isWire(row) ? readText(row.market) : undefined;
  const market = symbol === undefined ? undefined : marketOf(symbol, context);
  if (!isWire(row) || symbol === undefined || market === undefined) {
    decoded.rejects.push({ symbol: null, reason: 'malformed', detail: 'market' });
  } else if (isReject(market)) decoded.rejects.push(market);
  else {
    const quote: QuotePatch = { symbol };
    if (readTouch(quote, row, market.multiplier, decoded.rejects)) decoded.quotes.push(quote);
  }
}

/** `funding_data`: the rate in force and its period. */
export function readFundingNow(row: unknown, context: DecodeContext, decoded: Decoded): void {
  const wire: WireFunding = isWire(row) ? row : {};
  const symbol = readText(wire.market);
  const market = symbol === undefined ? undefined : marketOf(symbol, context);
  const rate = readRate(wire.funding_rate);
  if (symbol === undefined || market === undefined) {
    decoded.rejects.push(fieldFault(null, 'market', wire.market));
  } else if (isReject(market)) decoded.rejects.push(market);
  else if (rate === undefined) {
    decoded.rejects.push(fieldFault(symbol, 'funding_rate', wire.funding_rate));
  } else {
    const quote: QuotePatch = { symbol, fundingRate: rate };
    const period = readPeriod(wire.funding_period_hours) ?? market.fundingIntervalHours;
    if (period !== undefined) quote.fundingIntervalHours = period;
    const time = readMs(wire.created_at);
    if (time !== undefined) quote.venueTime = time;
    decoded.quotes.push(quote);
  }
}
