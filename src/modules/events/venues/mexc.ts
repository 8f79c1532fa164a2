import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/mexc/wire.ts';
import type { TakerSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, idAt, named, priceAt, rowsAt, sizeAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

function takerOf({ T: side }: Wire): TakerSide | undefined {
  const code = readNumber(side);
  if (code === 1) return 'buy';
  return code === 2 ? 'sell' : undefined;
}

const DEAL: EventTable = {
  symbol: named('symbol'),
  time: ms('t'),
  price: priceAt('p', 'fill'),
  size: sizeAt('v', 'contracts'),
  id: idAt('i'),
  taker: takerOf,
  // The venue keeps trades of an account with itself in its volume.
  mark: ({ M }) => (M === 1 ? 'self_trade' : undefined),
};

function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || payload.channel !== 'push.deal') return undefined;
  const rows = rowsAt(payload, 'data');
  return rows && { rows, symbol: readText(payload.symbol) };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.channel !== undefined ? undefined : answerRows(['p', 'v'])(payload);

/** Neither the list nor a document states the dollars of a coin-margined contract. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^([^_]+)_USD$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base };
};

export const mexc: EventVenue = {
  id: 'mexc',
  paths: ['/api/v1/contract/deals/*'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: pushed, table: DEAL },
    { frameOf: answer, table: DEAL },
  ]),
};
