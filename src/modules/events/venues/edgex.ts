import { isWire, readText } from '../../../domain/read.ts';
import { contractOf, unitsOf } from '../../../venues/edgex/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { idAt, objectAt, priceAt, rowsAt, sizeAt, takerByMaker } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

const TRADE: EventTable = {
  symbol: (wire, _, context) => contractOf(wire, context),
  time: ms('time'),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base', { value: 'value' }),
  id: idAt('ticketId'),
  taker: takerByMaker('isBuyerMaker'),
};

/** The document writes `Snapshot` and `Changed`, frames small letters. */
function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/^trades\./.test(readText(payload.channel) ?? '')) return undefined;
  const content = objectAt(payload, 'content');
  const rows = rowsAt(content, 'data');
  return rows && { rows, isHistory: /^snapshot$/i.test(readText(content?.dataType) ?? '') };
}

export const edgex: EventVenue = {
  id: 'edgex',
  paths: [],
  decode: eventDecoder({ unitsOf }, [{ frameOf: pushed, table: TRADE }]),
};
