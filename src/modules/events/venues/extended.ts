import { isWire, readNumber, type Wire } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/extended/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventReason } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, closedBy, idAt, named, priceAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

function leftOut({ tT: type }: Wire): EventReason | undefined {
  if (type === undefined || type === 'TRADE' || type === 'LIQUIDATION') return undefined;
  return type === 'DELEVERAGE' ? 'deleveraging' : 'malformed';
}

const takerOf = takerAt('S');

const TRADE: EventTable = {
  symbol: named('m'),
  leftOut,
  time: ms('T'),
  price: priceAt('p', 'fill'),
  size: sizeAt('q', 'base'),
  id: idAt('i'),
  taker: takerOf,
  liquidated: (wire) => (wire.tT === 'LIQUIDATION' ? [closedBy(takerOf(wire))] : []),
};

/** The first frame of a connection repeats about fifty trades. */
function rows(payload: unknown): EventFrame | undefined {
  const frame = answerRows(['tT', 'm'])(payload);
  const isHistory = isWire(payload) && readNumber(payload.seq) === 1;
  return frame && { ...frame, isHistory };
}

export const extended: EventVenue = {
  id: 'extended',
  paths: ['/api/v1/info/markets/*/trades'],
  decode: eventDecoder({ unitsOf }, [{ frameOf: rows, table: TRADE }]),
};
