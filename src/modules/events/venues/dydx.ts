import { isWire, readIso, readText, type Wire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/dydx/wire.ts';
import { field } from '../../../venues/grammar/field.ts';
import type { EventReason } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, closedBy, idAt, named, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

const TYPES: ReadonlySet<unknown> = new Set(['LIMIT', 'LIQUIDATED', 'TWAP_SUBORDER', 'MARKET', undefined]);

/** A deleveraged position meets others without the book. */
function leftOut({ type }: Wire): EventReason | undefined {
  if (TYPES.has(type)) return undefined;
  return type === 'DELEVERAGED' ? 'deleveraging' : 'malformed';
}

const takerOf = takerAt('side');

const TRADE: EventTable = {
  symbol: named('ticker'),
  leftOut,
  time: field('createdAt', readIso),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base'),
  id: idAt('id'),
  taker: takerOf,
  liquidated: (wire) => (wire.type === 'LIQUIDATED' ? [closedBy(takerOf(wire))] : []),
};

/** The answer to a subscription repeats the last hundred trades, which on quiet markets are weeks old. */
function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || payload.channel !== 'v4_trades') return undefined;
  const contents = rowsAt(payload, 'contents');
  if (contents === undefined) return undefined;
  const rows = contents.flatMap((content) => rowsAt(content, 'trades') ?? [null]);
  return { rows, symbol: readText(payload.id), isHistory: payload.type === 'subscribed' };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.channel !== undefined
    ? undefined
    : answerRows(['createdAt'], ['trades'])(payload);

export const dydx: EventVenue = {
  id: 'dydx',
  paths: ['/v4/trades/perpetualMarket/*'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: TRADE },
  ]),
};
