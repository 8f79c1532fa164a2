import type { BookLevel } from '../../domain/book.ts';
import { type Decoded, emptyDecoded } from '../../domain/decoded.ts';
import { isWire, readMs, readNumber, type Wire } from '../../domain/read.ts';
import type { DecodeContext } from '../adapter.ts';
import { keyedLevels } from '../keyed-levels.ts';
import { requestParam } from '../request-param.ts';
import { channelMarket, errorBody, isReject, marketOf } from './wire.ts';

/** `order_book/<id>`: a snapshot on subscription, then deltas whose `begin_nonce` is the nonce before. */
export function readBook(frame: Wire, context: DecodeContext, decoded: Decoded): void {
  const market = marketOf(undefined, channelMarket(frame), context);
  const book = frame.order_book;
  if (isReject(market) || !isWire(book)) {
    decoded.rejects.push(
      isReject(market) ? market : { symbol: market.symbol, reason: 'malformed', detail: 'order_book' },
    );
    return;
  }
  const { symbol, multiplier } = market;
  const bids = keyedLevels(book.bids ?? [], 'price', 'size', multiplier);
  const asks = keyedLevels(book.asks ?? [], 'price', 'size', multiplier);
  if (bids === undefined || asks === undefined) {
    decoded.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
    return;
  }
  const kind = frame.type === 'subscribed/order_book' ? 'snapshot' : 'delta';
  const nonce = readNumber(book.nonce);
  const before = readNumber(book.begin_nonce);
  const time = readMs(frame.timestamp);
  decoded.books.push({
    symbol,
    kind,
    bids,
    asks,
    ...(nonce === undefined ? {} : { sequence: nonce }),
    ...(kind === 'snapshot' || before === undefined ? {} : { previousSequence: before }),
    ...(time === undefined ? {} : { venueTime: time }),
  });
}

/**
 * `orderBookOrders`: single orders, best first, added up here by price. The market stands in the request only.
 * An empty side may be null.
 */
export function decodeOrders(payload: unknown, context: DecodeContext): Decoded {
  const decoded = emptyDecoded();
  const error = errorBody(payload);
  if (error !== undefined || !isWire(payload)) {
    decoded.rejects.push(error ?? { symbol: null, reason: 'unexpected_shape' });
    return decoded;
  }
  const market = marketOf(undefined, requestParam(context.request, 'market_id'), context);
  if (isReject(market)) {
    decoded.rejects.push(market);
    return decoded;
  }
  const bids = addUp(payload.bids, market.multiplier);
  const asks = addUp(payload.asks, market.multiplier);
  const { symbol } = market;
  if (bids === undefined || asks === undefined) {
    decoded.rejects.push({ symbol, reason: 'malformed', detail: bids === undefined ? 'bids' : 'asks' });
  } else decoded.books.push({ symbol, kind: 'snapshot', bids, asks });
  return decoded;
}

function addUp(orders: unknown, multiplier: number): BookLevel[] | undefined {
  if (orders === null) return [];
  const levels = keyedLevels(orders, 'price', 'remaining_base_amount', multiplier);
  if (levels === undefined) return undefined;
  const sizes = new Map<number, number>();
  for (const [price, size] of levels) sizes.set(price, (sizes.get(price) ?? 0) + size);
  return [...sizes];
}
