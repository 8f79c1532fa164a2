import { isWire, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { type DexName, symbolsOf, venueIdOf } from '../../../venues/hyperliquid/wire.ts';
import { isStated } from '../../../venues/quote-field.ts';
import type { PositionSide, TakerSide } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { answerRows, closedBy, idAt, named, objectAt, priceAt, rowsAt, sizeAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable } from '../grammar/table.ts';

/** `B` buys and `A` sells: of trades the taker, of fills the account itself. */
function sideOf({ side }: Wire): TakerSide | undefined {
  if (side === 'B') return 'buy';
  return side === 'A' ? 'sell' : undefined;
}

const TRADE: EventTable = {
  symbol: named('coin'),
  time: ms('time'),
  price: priceAt('px', 'fill'),
  size: sizeAt('sz', 'base'),
  id: idAt('tid'),
  taker: sideOf,
};

/** The liquidated account is the taker: of a fill that did not cross it is on the other side. */
function liquidated(wire: Wire): readonly (PositionSide | undefined)[] {
  if (!isStated(wire.liquidation)) return [];
  const own = closedBy(sideOf(wire));
  if (own === undefined || typeof wire.crossed !== 'boolean') return [undefined];
  if (wire.crossed) return [own];
  return [own === 'long' ? 'short' : 'long'];
}

/** Fills of one address: public, and no feed of the market. Plain ones are the address's own and are left out. */
const FILL: EventTable = {
  symbol: named('coin'),
  leftOut: (wire) => (isStated(wire.liquidation) ? undefined : 'not_listed'),
  time: ms('time'),
  price: priceAt('px', 'fill'),
  size: sizeAt('sz', 'base'),
  id: idAt('tid'),
  liquidated,
};

/** A node writes each trade twice, for the maker and for the taker, who crossed. */
const NODE_FILL: EventTable = {
  ...TRADE,
  leftOut: ({ crossed }) => {
    if (crossed === true) return undefined;
    return crossed === false ? 'maker_row' : 'malformed';
  },
  liquidated,
};

function pushed(payload: unknown): EventFrame | undefined {
  const rows = isWire(payload) && payload.channel === 'trades' ? rowsAt(payload, 'data') : undefined;
  return rows && { rows };
}

function fills(payload: unknown): EventFrame | undefined {
  const isOfUser = isWire(payload) && /^user/.test(String(payload.channel));
  const rows = isOfUser ? rowsAt(objectAt(payload, 'data'), 'fills') : undefined;
  return rows && { rows };
}

/** `[address, fill]` each; the address is not kept. */
function nodeFills(payload: unknown): EventFrame | undefined {
  const events =
    isWire(payload) && payload.block_number !== undefined ? rowsAt(payload, 'events') : undefined;
  return events && { rows: events.map((event): unknown => (Array.isArray(event) ? event[1] : event)) };
}

const answer = (payload: unknown): EventFrame | undefined =>
  isWire(payload) && (payload.channel ?? payload.block_number) !== undefined
    ? undefined
    : answerRows(['tid'])(payload);

/** Trades of the main dex, the empty name, or of a builder's. */
export const hyperliquidEvents = (dex: DexName): EventVenue => ({
  id: venueIdOf(dex),
  paths: ['/info'],
  decode: eventDecoder({ unitsOf: symbolsOf(dex).unitsOf }, [
    { frameOf: pushed, table: TRADE },
    { frameOf: fills, table: FILL },
    { frameOf: nodeFills, table: NODE_FILL },
    { frameOf: answer, table: TRADE },
  ]),
});

export const hyperliquid = hyperliquidEvents('');
