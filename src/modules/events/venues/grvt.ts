import { isWire, readNumber, readText } from '../../../domain/read.ts';
import { ms, NANOSECONDS } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/grvt/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, rowsAt, sizeAt, takerByFlag } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

const TRADE: EventTable = {
  symbol: named('instrument'),
  leftOut: ({ venue }) => (venue === 'RFQ' ? 'off_book' : undefined),
  time: ms('event_time', NANOSECONDS),
  price: priceAt('price', 'fill'),
  size: sizeAt('size', 'base'),
  id: idAt('trade_id'),
  taker: takerByFlag('is_taker_buyer'),
  mark: ({ is_rpi: isRpi }) => (isRpi === true ? 'rpi' : undefined),
};

/** The same with short names. */
const LITE: EventTable = {
  symbol: named('i'),
  leftOut: ({ v }) => (v === 'RFQ' ? 'off_book' : undefined),
  time: ms('et', NANOSECONDS),
  price: priceAt('p', 'fill'),
  size: sizeAt('s', 'base'),
  id: idAt('ti'),
  taker: takerByFlag('it'),
  mark: ({ ir1 }) => (ir1 === true ? 'rpi' : undefined),
};

/** Rows that are sent on subscribing have the sequence 0. */
function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/\.trade$/.test(readText(payload.stream) ?? '')) return undefined;
  const rows = rowsAt(payload, 'feed');
  return rows && { rows, isHistory: readNumber(payload.sequence_number) === 0 };
}

function pushedLite(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || !/\.trade$/.test(readText(payload.s) ?? '')) return undefined;
  const rows = rowsAt(payload, 'f');
  return rows && { rows, isHistory: readNumber(payload.sn) === 0 };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.stream !== undefined ? undefined : answerRows(['is_taker_buyer'])(payload);

export const grvt: EventVenue = {
  id: 'grvt',
  paths: ['/full/v1/trade', '/full/v1/trade_history'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: pushedLite, table: LITE },
    { frameOf: answer, table: TRADE },
  ]),
};
