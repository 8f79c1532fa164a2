import { isWire, readText } from '../../../domain/read.ts';
import type { UnitsLookup } from '../../../venues/contract-units.ts';
import { ms, NANOSECONDS } from '../../../venues/grammar/field.ts';
import { oldUnitsOf, unitsOf } from '../../../venues/phemex/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { objectAt, priceAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

/** Prices of contracts of the old model are whole numbers of ten thousandths. */
const OLD_SCALE = 1e4;

/** A row is `[time, side, price, size]`, without an id. */
const TRADE: EventTable = {
  symbol: (_, frame) => frame.symbol,
  time: ms(0, NANOSECONDS),
  price: priceAt(2, 'fill'),
  size: sizeAt(3, 'base'),
  taker: takerAt(1),
};

const OLD_TRADE: EventTable = {
  ...TRADE,
  price: priceAt(2, 'fill', OLD_SCALE),
  size: sizeAt(3, 'contracts'),
};

/** The list under a name, in a push or in the `result` of REST; `snapshot` repeats past trades. */
const trades =
  (list: string) =>
  (payload: unknown): EventFrame | undefined => {
    const around = objectAt(payload, 'result') ?? payload;
    const rows = isWire(around) ? around[list] : undefined;
    if (!isWire(around) || !Array.isArray(rows)) return undefined;
    const isHistory = isWire(payload) && payload.type === 'snapshot';
    return { rows, symbol: readText(around.symbol), isHistory };
  };

const ofOldModel: UnitsLookup = (context, symbol) => {
  const units = unitsOf(context, symbol);
  return units === 'foreign_quote' ? oldUnitsOf(context, symbol) : units;
};

/** A coin-margined contract is one dollar. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^c?([A-Z0-9]+)USD$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: 1 };
};

const current = eventDecoder({ unitsOf }, [{ frameOf: trades('trades_p'), table: TRADE }]);
const old = eventDecoder({ unitsOf: ofOldModel, inverse }, [{ frameOf: trades('trades'), table: OLD_TRADE }]);

export const phemex: EventVenue = {
  id: 'phemex',
  paths: ['/md/v2/trade', '/md/trade'],
  decode: (payload, context) =>
    trades('trades')(payload) === undefined ? current(payload, context) : old(payload, context),
};
