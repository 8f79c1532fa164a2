import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import type { QuotePatch } from '../../domain/quote.ts';
import { isWire, readPrice, readText, wireArray } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { addUnitBook, bookStamps } from '../book-message.ts';
import { fieldFault } from '../field-fault.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { multiplierOf } from './listing.ts';
import { type DexName, errorBody, type WireBook, type WireTouch } from './wire.ts';

/** `l2Book`, by REST or frame: always a snapshot of up to 20 levels a side. */
export function decodeBook(payload: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  if (!isWire(payload)) {
    decoded.rejects.push(errorBody(payload) ?? { symbol: null, reason: 'unexpected_shape' });
    return decoded;
  }
  const wire: WireBook = payload;
  const symbol = readText(wire.coin);
  if (symbol === undefined) {
    decoded.rejects.push(fieldFault(null, 'coin', wire.coin));
    return decoded;
  }
  const multiplier = multiplierOf(symbol, context, dex);
  if (typeof multiplier !== 'number') {
    decoded.rejects.push(multiplier);
    return decoded;
  }
  const sides = wireArray(wire.levels);
  const side = (levels: unknown) => keyedLevels(levels, 'px', 'sz', multiplier);
  const found = { bids: side(sides?.[0]), asks: side(sides?.[1]) };
  addUnitBook(decoded, symbol, 'snapshot', found, bookStamps(undefined, undefined, wire.time));
  return decoded;
}

/** `bbo`: best bid and ask of one coin; an empty side is null. */
export function decodeTouch(data: unknown, context: DecodeContext, dex: DexName): Decoded {
  const decoded = emptyDecoded();
  const wire: WireTouch = isWire(data) ? data : {};
  const symbol = readText(wire.coin);
  const sides = wireArray(wire.bbo);
  if (symbol === undefined || sides === undefined) {
    decoded.rejects.push({ symbol: symbol ?? null, reason: 'malformed', detail: 'bbo' });
    return decoded;
  }
  const multiplier = multiplierOf(symbol, context, dex);
  if (typeof multiplier !== 'number') {
    decoded.rejects.push(multiplier);
    return decoded;
  }
  const quote: QuotePatch = { symbol };
  const [bid, ask] = sides.map((side) => (isWire(side) ? readPrice(side.px, multiplier) : undefined));
  if (bid !== undefined) quote.bestBid = bid;
  else if (sides[0] !== null) decoded.rejects.push({ symbol, reason: 'malformed', detail: 'bbo[0]' });
  if (ask !== undefined) quote.bestAsk = ask;
  else if (sides[1] !== null) decoded.rejects.push({ symbol, reason: 'malformed', detail: 'bbo[1]' });
  if (bid !== undefined || ask !== undefined) decoded.quotes.push(quote);
  return decoded;
}
