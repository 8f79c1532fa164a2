import { isWire, readText } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/cryptocom/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { idAt, named, objectAt, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

const TRADE: EventTable = {
  symbol: named('i'),
  time: ms('t'),
  price: priceAt('p', 'fill'),
  size: sizeAt('q', 'base'),
  id: idAt('d'),
  taker: takerAt('s'),
};

/** Pushes and answers have the same rows; the first push repeats past trades without a mark. */
function traded(payload: unknown): EventFrame | undefined {
  const result = objectAt(payload, 'result') ?? payload;
  const rows = rowsAt(result, 'data');
  if (
    !isWire(result) ||
    rows === undefined ||
    (rows.length > 0 && !rows.some((row) => isWire(row) && 'd' in row))
  )
    return undefined;
  return { rows, symbol: readText(result.instrument_name) };
}

export const cryptocom: EventVenue = {
  id: 'cryptocom',
  paths: ['/exchange/v1/public/get-trades', '/v2/public/get-trades'],
  decode: eventDecoder({ unitsOf }, [{ frameOf: traded, table: TRADE }]),
};
