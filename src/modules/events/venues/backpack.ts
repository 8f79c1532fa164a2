import { isWire, readText, type Wire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/backpack/wire.ts';
import { MICROSECONDS, ms } from '../../../venues/grammar/field.ts';
import type { TakerSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  byOrder,
  idAt,
  named,
  objectAt,
  priceAt,
  sizeAt,
  takerByMaker,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** `Ask` sells. That it is the order's side is a guess by the account's own fills. */
function orderOf({ S: side }: Wire): TakerSide | undefined {
  if (side === 'Ask') return 'sell';
  return side === 'Bid' ? 'buy' : undefined;
}

const LIQUIDATION: EventTable = {
  symbol: named('s'),
  time: ms('T', MICROSECONDS),
  price: priceAt('p', 'unstated'),
  size: sizeAt('q', 'base'),
  liquidated: byOrder(orderOf),
};

const TRADE: EventTable = {
  symbol: named('s'),
  time: ms('T', MICROSECONDS),
  price: priceAt('p', 'fill'),
  size: sizeAt('q', 'base'),
  id: idAt('t'),
  taker: takerByMaker('m'),
  sequence: ({ t }) => t,
};

const REST_TRADE: EventTable = {
  symbol: named('symbol'),
  time: ms('timestamp'),
  price: priceAt('price', 'fill'),
  size: sizeAt('quantity', 'base', { value: 'quoteQuantity' }),
  id: idAt('id'),
  taker: takerByMaker('isBuyerMaker'),
};

const stream =
  (kind: string) =>
  (payload: unknown): EventFrame | undefined => {
    const data = objectAt(payload, 'data') ?? payload;
    return isWire(data) && readText(data.e) === kind ? { rows: [data] } : undefined;
  };

export const backpack: EventVenue = {
  id: 'backpack',
  paths: ['/api/v1/trades', '/api/v1/trades/history'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: stream('liquidation'), table: LIQUIDATION },
    { frameOf: stream('trade'), table: TRADE },
    { frameOf: answerRows(['isBuyerMaker']), table: REST_TRADE },
  ]),
};
