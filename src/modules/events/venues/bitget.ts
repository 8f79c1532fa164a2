import { isWire, readText } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/bitget/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  byPosition,
  idAt,
  named,
  objectAt,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable, StatedPrice } from '../grammar/table.ts';

/** `amount` is money of the quote currency: recorded ones divide by their prices to round numbers of coins. */
const LIQUIDATION: EventTable = {
  symbol: named('symbol'),
  time: ms('ts'),
  price: priceAt('price', 'unstated'),
  size: sizeAt('amount', 'quote'),
  liquidated: byPosition(takerAt('side')),
};

const TRADE: EventTable = {
  symbol: named('symbol'),
  time: ms('T'),
  price: ({ p, P }): StatedPrice => ({ name: 'p', raw: p ?? P, kind: 'fill' }),
  size: sizeAt('v', 'base'),
  id: idAt('i'),
  taker: takerAt('S'),
  mark: ({ isRPI }) => (isRPI === 'yes' ? 'rpi' : undefined),
};

/** Rows of the older interface, and of REST. */
const OLD_TRADE: EventTable = {
  symbol: named('symbol', 'instId'),
  time: ms('ts'),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base'),
  id: idAt('tradeId', 'execId'),
  taker: takerAt('side'),
};

/** A frame of a topic; `snapshot` repeats past trades before the updates. */
const topic =
  (...names: readonly string[]) =>
  (payload: unknown): EventFrame | undefined => {
    const arg = objectAt(payload, 'arg');
    const rows = rowsAt(payload, 'data');
    const name = readText(arg?.topic) ?? readText(arg?.channel);
    if (arg === undefined || rows === undefined || name === undefined || !names.includes(name))
      return undefined;
    const isHistory = isWire(payload) && payload.action === 'snapshot';
    return { rows, symbol: readText(arg.symbol) ?? readText(arg.instId), isHistory };
  };

export const bitget: EventVenue = {
  id: 'bitget',
  paths: ['/api/v2/mix/market/fills', '/api/v2/mix/market/fills-history', '/api/v3/market/fills'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: topic('liquidation'), table: LIQUIDATION },
    { frameOf: topic('publicTrade'), table: TRADE },
    { frameOf: topic('trade'), table: OLD_TRADE },
    {
      frameOf: (payload) =>
        objectAt(payload, 'arg') === undefined
          ? answerRows(['tradeId', 'execId'], ['data', 'data.list'])(payload)
          : undefined,
      table: OLD_TRADE,
    },
  ]),
};
