import { isWire, readText } from '../../../domain/read.ts';
import { ms, SECONDS } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/hibachi/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, named, objectAt, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** Whole seconds and no id: two equal trades of one second cannot be told from a repeat. */
const TRADE: EventTable = {
  symbol: named('symbol'),
  time: ms('timestamp', SECONDS),
  price: priceAt('price', 'fill'),
  size: sizeAt('quantity', 'base'),
  taker: takerAt('takerSide'),
};

function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || payload.topic !== 'trades') return undefined;
  const rows = rowsAt(objectAt(payload, 'data'), 'trade');
  return rows && { rows, symbol: readText(payload.symbol) };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.topic !== undefined ? undefined : answerRows(['takerSide'], ['trades'])(payload);

export const hibachi: EventVenue = {
  id: 'hibachi',
  paths: ['/market/data/trades'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: answer, table: TRADE },
  ]),
};
