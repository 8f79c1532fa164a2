import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { Instrument } from '../../domain/instrument.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readNumber, readText, wireArray } from '../../domain/read.ts';
import type { Reject } from '../../domain/reject.ts';
import { baseName } from '../../domain/ticker.ts';
import { asBps, type Bps } from '../../domain/units.ts';
import type { DecodeContext } from '../adapter.ts';
import { putOpenInterest, putVolume } from '../amounts.ts';
import { fieldFault } from '../field-fault.ts';
import { PUBLISHED } from './published.ts';
import { errorBody, HOURLY, isSpotId, marketId, type WireMarket } from './wire.ts';

/**
 * `orderBookDetails`: the perpetuals with open interest in base units and the volume of a day. Spot markets stand
 * in a list of their own; each is a reject.
 */
export function decodeMarkets(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  const rows = isWire(payload) ? wireArray(payload.order_book_details) : undefined;
  if (error !== undefined || !isWire(payload) || rows === undefined) {
    decoded.rejects.push(error ?? { symbol: null, reason: 'unexpected_shape', detail: 'order_book_details' });
    return decoded;
  }
  for (const row of rows) readMarket(row, context, decoded);
  for (const row of wireArray(payload.spot_order_book_details) ?? []) {
    const symbol = isWire(row) ? readText(row.symbol) : undefined;
    decoded.rejects.push({ symbol: symbol ?? null, reason: 'spot' });
  }
  return decoded;
}

function readMarket(row: unknown, context: DecodeContext, decoded: Decoded): void {
  const wire: WireMarket = isWire(row) ? row : {};
  const instrument = readInstrument(wire);
  if ('reason' in instrument) {
    decoded.rejects.push(instrument);
    return;
  }
  decoded.instruments.push(instrument);
  const { symbol } = instrument;
  if (context.instruments.size > 0 && !context.instruments.has(symbol)) {
    decoded.rejects.push({ symbol, reason: 'not_listed' });
    return;
  }
  const quote = readActivity(instrument, wire, decoded.rejects);
  if (quote !== undefined) decoded.quotes.push(quote);
}

function readInstrument(wire: WireMarket): Instrument | Reject {
  const symbol = readText(wire.symbol);
  const id = marketId(wire.market_id);
  if (symbol === undefined) return fieldFault(null, 'symbol', wire.symbol);
  if (id === undefined) return fieldFault(symbol, 'market_id', wire.market_id);
  if (isSpotId(id) || (wire.market_type !== undefined && wire.market_type !== 'perp')) {
    return { symbol, reason: 'spot' };
  }
  if (wire.status !== 'active') {
    return { symbol, reason: 'not_trading', detail: readText(wire.status)?.slice(0, 40) ?? 'status' };
  }
  const { ticker, multiplier } = baseName(symbol);
  const fee = takerFee(wire);
  return {
    venue: 'lighter',
    symbol,
    base: symbol,
    ticker,
    multiplier,
    contractSize: 1,
    quote: 'USDC',
    settle: 'USDC',
    fundingIntervalHours: HOURLY,
    altId: id,
    ...(fee === undefined ? {} : { takerFeeBps: fee }),
  };
}

/** `taker_fee` in percent, as `liquidation_fee` beside it ("1.0000" = 1 %); 0 where it is switched off. */
function takerFee(wire: WireMarket): Bps | undefined {
  if (wire.is_taker_fee_enabled === false) return asBps(0);
  const percent = readNumber(wire.taker_fee);
  return percent !== undefined && percent >= 0 && percent <= 1 ? asBps(percent * 100) : undefined;
}

/**
 * What REST states of a market. The raw open interest is left to the stream: it counts USD there and base units
 * here, and a raw number must keep its unit.
 */
function readActivity(
  { symbol, multiplier }: Instrument,
  wire: WireMarket,
  rejects: Reject[],
): QuotePatch | undefined {
  const quote: QuotePatch = { symbol };
  const units = { multiplier, perContract: multiplier };
  if (wire.open_interest === undefined) rejects.push(fieldFault(symbol, 'open_interest', undefined));
  putOpenInterest(quote, PUBLISHED.openInterest, { base: wire.open_interest }, units, rejects);
  readVolume(quote, wire, multiplier, rejects);
  return Object.keys(quote).length > 1 ? quote : undefined;
}

/** Volume of 24 hours, which REST and stream write alike. */
export function readVolume(
  quote: QuotePatch,
  wire: Pick<WireMarket, 'daily_base_token_volume' | 'daily_quote_token_volume'>,
  multiplier: number,
  rejects: Reject[],
): void {
  const { daily_base_token_volume: base, daily_quote_token_volume: usd } = wire;
  const units = { multiplier, perContract: multiplier };
  putVolume(quote, PUBLISHED.volume, { base, quote: usd }, units, rejects, 'required');
  if (base === undefined) rejects.push(fieldFault(quote.symbol, 'daily_base_token_volume', undefined));
}
