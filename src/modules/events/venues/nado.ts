import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import type { DecodeContext } from '../../../venues/call.ts';
import { ms, NANOSECONDS, SECONDS } from '../../../venues/grammar/field.ts';
import { contractOf, unitsOf } from '../../../venues/nado/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  byPosition,
  idAt,
  named,
  priceAt,
  rowsAt,
  sizeAt,
  takerByFlag,
  takerBySign,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** Frames count in units of 1e-18. */
const UNIT = 1e18;

/** The perpetual of a liquidation, which is behind the spot leg of a spread. */
function productOf(wire: Wire, context: DecodeContext): string | undefined {
  const products = rowsAt(wire, 'product_ids') ?? [];
  const product = products.at(-1);
  return readNumber(product) === undefined ? undefined : contractOf({ product_id: product }, context);
}

const LIQUIDATION: EventTable = {
  symbol: (wire, _, context) => productOf(wire, context),
  time: ms('timestamp', NANOSECONDS),
  price: priceAt('price', 'takeover', UNIT),
  size: sizeAt('amount', 'base', { isSigned: true, per: UNIT }),
  liquidated: byPosition(takerBySign('amount')),
};

const TRADE: EventTable = {
  symbol: (wire, _, context) => contractOf(wire, context),
  time: ms('timestamp', NANOSECONDS),
  price: priceAt('price', 'fill', UNIT),
  size: sizeAt('taker_qty', 'base', { per: UNIT }),
  taker: takerByFlag('is_taker_buyer'),
};

/** A sale is negative. The quote side may have fees in it, and is not read. */
const REST_TRADE: EventTable = {
  symbol: named('ticker_id'),
  time: ms('timestamp', SECONDS),
  price: priceAt('price', 'fill'),
  size: sizeAt('base_filled', 'base', { isSigned: true }),
  id: idAt('trade_id'),
  taker: takerBySign('base_filled'),
};

const frames =
  (type: string) =>
  (payload: unknown): EventFrame | undefined =>
    isWire(payload) && readText(payload.type) === type ? { rows: [payload] } : undefined;

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && payload.type !== undefined ? undefined : answerRows(['base_filled'])(payload);

export const nado: EventVenue = {
  id: 'nado',
  paths: ['/v2/trades'],
  decode: eventDecoder({ unitsOf }, [
    { frameOf: frames('liquidation'), table: LIQUIDATION },
    { frameOf: frames('trade'), table: TRADE },
    { frameOf: answer, table: REST_TRADE },
  ]),
};
