import { isWire, readIso, readMs, readText, type Wire } from '../../../domain/read.ts';
import { field, ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/kraken/wire.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { EventReason, TakerSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  askedFor,
  closedBy,
  idAt,
  named,
  objectAt,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

/** Types of rows that are neither fills nor liquidations. */
const OTHERS: Readonly<Record<string, EventReason>> = {
  block: 'off_book',
  termination: 'deleveraging',
  assignment: 'transfer',
};

const leftOut = ({ type }: Wire): EventReason | undefined => {
  if (type === undefined || type === 'fill' || type === 'liquidation') return undefined;
  return OTHERS[String(type)] ?? 'malformed';
};

const takerOf = takerAt('side');

const TRADE: EventTable = {
  symbol: named('product_id'),
  leftOut,
  time: ms('time'),
  price: priceAt('price', 'fill'),
  size: sizeAt('qty', 'base'),
  id: idAt('uid'),
  taker: takerOf,
  liquidated: (wire) => (wire.type === 'liquidation' ? [closedBy(takerOf(wire))] : []),
  sequence: ({ seq }) => seq,
};

/** `history` of REST: a time as text of ISO 8601, and `size`. */
const REST_TRADE: EventTable = {
  ...TRADE,
  symbol: named('symbol'),
  time: field('time', (raw) => readIso(raw) ?? readMs(raw)),
  size: sizeAt('size', 'base'),
  id: idAt('uid', 'trade_id'),
  sequence: () => undefined,
};

const taker = (wire: Wire): Wire => objectAt(wire, 'takerOrder') ?? {};
const direction = takerAt('direction');
const takerDirection = (wire: Wire): TakerSide | undefined => direction(taker(wire));

/** The quantity of an execution is the row's own: its taker order's is the order. */
const EXECUTION: EventTable = {
  symbol: (wire, _, context) =>
    readText(taker(wire).tradeable) ?? readText(objectAt(wire, 'makerOrder')?.tradeable) ?? askedFor(context),
  leftOut: (wire) => {
    const type = taker(wire).orderType;
    return isStated(type) && typeof type !== 'string' ? 'malformed' : undefined;
  },
  time: ms('timestamp'),
  price: priceAt('price', 'fill'),
  size: sizeAt('quantity', 'base', { value: 'usdValue' }),
  id: idAt('uid'),
  taker: takerDirection,
  // Live values such as `PartialLiquidation` are not in the documented list.
  liquidated: (wire) =>
    /liquidat/i.test(String(taker(wire).orderType)) ? [closedBy(takerDirection(wire))] : [],
};

function pushed(payload: unknown): EventFrame | undefined {
  if (!isWire(payload) || payload.event !== undefined) return undefined;
  if (payload.feed === 'trade') return { rows: [payload] };
  if (payload.feed !== 'trade_snapshot') return undefined;
  const rows = rowsAt(payload, 'trades');
  return rows && { rows, symbol: readText(payload.product_id), isHistory: true };
}

/** Executions under `elements[].event.Execution.execution`, or one that was kept alone. */
function executions(payload: unknown): EventFrame | undefined {
  const elements = rowsAt(payload, 'elements');
  if (elements === undefined) return answerRows(['takerOrder', 'makerOrder'])(payload);
  return {
    rows: elements.map((element) => {
      const event = objectAt(element, 'event');
      const wrapped = objectAt(event, 'Execution') ?? objectAt(event, 'execution');
      return objectAt(wrapped, 'execution') ?? wrapped ?? element;
    }),
  };
}

const history = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.feed === undefined
    ? answerRows(['trade_id', 'side'], ['history'])(payload)
    : undefined;

/** One unit of a coin-margined contract is a dollar. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^PI_(.+)USD$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: 1 };
};

export const kraken: EventVenue = {
  id: 'kraken',
  paths: ['/api/history/v3/market/*/executions', '/derivatives/api/v3/history'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: executions, table: EXECUTION },
    { frameOf: history, table: REST_TRADE },
  ]),
};
