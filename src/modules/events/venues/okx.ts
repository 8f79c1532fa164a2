import { isWire, readNumber, readText, type Wire } from '../../../domain/read.ts';
import { ms } from '../../../venues/grammar/field.ts';
import { unitsOf } from '../../../venues/okx/wire.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import { closedBy, idAt, named, priceAt, rowsAt, sizeAt, takerAt } from '../grammar/fields.ts';
import type { EventFrame, EventTable, InverseContract } from '../grammar/table.ts';

const orderOf = takerAt('side');

const LIQUIDATION: EventTable = {
  symbol: named('instId'),
  time: ms('ts'),
  price: priceAt('bkPx', 'bankruptcy'),
  size: sizeAt('sz', 'contracts'),
  // `net` names no position: then the order says it.
  liquidated: (wire) => {
    const { posSide } = wire;
    if (posSide === 'long' || posSide === 'short') return [posSide];
    return [posSide === 'net' || (posSide ?? '') === '' ? closedBy(orderOf(wire)) : undefined];
  },
};

const TRADE: EventTable = {
  symbol: named('instId'),
  time: ms('ts'),
  price: priceAt('px', 'fill'),
  size: sizeAt('sz', 'contracts'),
  id: idAt('tradeId'),
  taker: orderOf,
  fills: ({ count }) => readNumber(count),
};

/** The name of a swap whose row states its underlying alone. */
const swapOf = ({ instId, instType, uly }: Wire): unknown =>
  instId ?? (instType === 'SWAP' && readText(uly) !== undefined ? `${String(uly)}-SWAP` : undefined);

/** Each row of a contract lists several events under `details`. */
function detailsOf(payload: unknown): EventFrame | undefined {
  const data = rowsAt(payload, 'data');
  if (data === undefined || !data.some((row) => isWire(row) && row.details !== undefined)) return undefined;
  const rows = data.flatMap((row) => {
    if (!isWire(row)) return [row];
    const details = rowsAt(row, 'details') ?? [null];
    return details.map((detail) => (isWire(detail) ? { ...detail, instId: swapOf(row) } : detail));
  });
  return { rows };
}

function tradesOf(payload: unknown): EventFrame | undefined {
  const data = rowsAt(payload, 'data');
  return data?.some((row) => isWire(row) && row.tradeId !== undefined) ? { rows: data } : undefined;
}

/** A coin-margined contract is 100 dollars of BTC, and 10 of every other coin. */
const inverse = (symbol: string): InverseContract | undefined => {
  const base = /^([^-]+)-USD-SWAP$/.exec(symbol)?.[1];
  return base === undefined ? undefined : { base, usd: base === 'BTC' ? 100 : 10 };
};

export const okx: EventVenue = {
  id: 'okx',
  paths: ['/api/v5/public/liquidation-orders', '/api/v5/market/trades', '/api/v5/market/history-trades'],
  decode: eventDecoder({ unitsOf, inverse }, [
    { frameOf: detailsOf, table: LIQUIDATION },
    { frameOf: tradesOf, table: TRADE },
  ]),
};
