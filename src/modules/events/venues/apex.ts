import { isWire, readText } from '../../../domain/read.ts';
import { unitsOf } from '../../../venues/apex/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** Rows of REST spell the contract with a hyphen. */
const TRADE: EventTable = {
  symbol: (wire, frame, context) => named('s')(wire, frame, context)?.replace('-', ''),
  time: ms('T'),
  price: priceAt('p', 'fill'),
  size: sizeAt('v', 'base'),
  id: idAt('i'),
  taker: takerAt('S'),
};

/** The first frame, a snapshot, repeats past trades. */
function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/^recentlyTrade\./.test(readText(payload.topic) ?? '')) return undefined;
  const rows = rowsAt(payload, 'data');
  return rows && { rows, isHistory: payload.type === 'snapshot' };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.topic !== undefined ? undefined : answerRows(['S'])(payload);

export const apex: EventVenue = {
  id: 'apex',
  paths: ['/api/v3/trades'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: TRADE },
  ]),
};
