import { isWire, readNumber, type Wire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/gate/wire.ts';
import { ms, SECONDS } from '../../../venues/grammar/field.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  byPosition,
  idAt,
  named,
  priceAt,
  rowsAt,
  secondsOrMs,
  sizeAt,
  takerBySign,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract, StatedSize } from '../grammar/table.ts';

/** The sign of `size` is the position's: above zero a long was liquidated. */
const liquidated = byPosition(takerBySign('size'));

/** A push has the position alone, which is more than its order where it is closed in steps. */
const PUSHED: EventTable = {
  symbol: named('contract'),
  time: ms('time_ms'),
  price: priceAt('price', 'unstated'),
  size: sizeAt('size', 'contracts', { isSigned: true }),
  liquidated,
};

/**
 * `size` is the position, which each step of a closing repeats: the order counts. Rows of before it was stated have what
 * the order left over.
 */
function orderSize({ order_size: order, size, left }: Wire): StatedSize {
  if (order !== undefined && order !== null)
    return { name: 'order_size', raw: order, unit: 'contracts', isSigned: true };
  const position = Math.abs(readNumber(size) ?? Number.NaN);
  const rest = isStated(left) ? Math.abs(readNumber(left) ?? Number.NaN) : 0;
  return { name: 'size', raw: position - rest, unit: 'contracts' };
}

const LISTED: EventTable = {
  symbol: named('contract'),
  time: ms('time', SECONDS),
  price: priceAt('fill_price', 'average'),
  size: orderSize,
  liquidated,
  limit: ({ order_price: price }) => price,
};

const TRADE: EventTable = {
  symbol: named('contract'),
  leftOut: ({ is_internal: isInternal }) => (isInternal === true ? 'transfer' : undefined),
  time: secondsOrMs('create_time_ms', 'create_time'),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'contracts', { isSigned: true }),
  id: idAt('id'),
  taker: takerBySign('size'),
};

const TOTALS: EventTable = { ...PUSHED, leftOut: () => 'totals' };

const channel =
  (name: string) =>
  (payload: unknown): EventFrame | undefined => {
    const rows =
      isWire(payload) && payload.channel === name && payload.event !== 'subscribe'
        ? rowsAt(payload, 'result')
        : undefined;
    return rows && { rows };
  };

const answer =
  (...marks: readonly string[]) =>
  (payload: unknown): EventFrame | undefined =>
    isWire(payload) && payload.channel !== undefined ? undefined : answerRows(marks)(payload);

/** A coin-margined contract is one dollar. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^(.+)_USD$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: 1 };
};

export const gate: EventVenue = {
  id: 'gate',
  paths: ['/api/v4/futures/*/liq_orders', '/api/v4/futures/*/trades'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: channel('futures.public_liquidates'), table: PUSHED },
    { frameOf: channel('futures.trades'), table: TRADE },
    { frameOf: channel('futures.contract_stats'), table: TOTALS },
    { frameOf: answer('fill_price', 'order_price'), table: LISTED },
    { frameOf: answer('create_time', 'create_time_ms'), table: TRADE },
  ]),
};
