import { isWire, readNumber, type Wire } from '../../../domain/read.ts';
import { fapiSymbols } from '../../../venues/binance-fapi/wire.ts';
import { ms } from '../../../venues/grammar/field.ts';
import type { EventReason } from '../event-rows.ts';
import type { EventVenue } from '../event-venue.ts';
import { eventDecoder } from '../grammar/decoder.ts';
import {
  answerRows,
  byOrder,
  idAt,
  named,
  priceAt,
  rowsAt,
  sizeAt,
  takerAt,
  takerByMaker,
} from '../grammar/fields.ts';
import type { EventFrame, EventTable, StatedPrice, StatedSize } from '../grammar/table.ts';

const isAbove = (raw: unknown): boolean => (readNumber(raw) ?? 0) > 0;

/** The average of what was filled, and the limit, which lies up to 9 % away, only where nothing is stated as filled. */
const liquidationPrice = ({ ap, p }: Wire): StatedPrice =>
  isAbove(ap) ? { name: 'ap', raw: ap, kind: 'average' } : { name: 'p', raw: p, kind: 'limit' };

/** The last slice `l` may exceed the order, so the whole of what was filled counts. */
const liquidationSize = ({ ap, z, q }: Wire): StatedSize =>
  isAbove(ap) && isAbove(z) ? { name: 'z', raw: z, unit: 'base' } : { name: 'q', raw: q, unit: 'base' };

const LIQUIDATION: EventTable = {
  symbol: named('s'),
  time: ms('T'),
  price: liquidationPrice,
  size: liquidationSize,
  liquidated: byOrder(takerAt('S')),
  limit: ({ p }) => p,
};

const AGGREGATE: EventTable = {
  symbol: named('s', 'symbol'),
  time: ms('T'),
  price: priceAt('p', 'fill'),
  size: sizeAt('q', 'base'),
  id: idAt('a'),
  taker: takerByMaker('m'),
  sequence: ({ a }) => a,
  fills: ({ f, l }) => (readNumber(l) ?? Number.NaN) - (readNumber(f) ?? Number.NaN) + 1,
};

/** Values of `X` besides MARKET and RPI: such a row is no trade. */
const TRANSFERS: Readonly<Record<string, EventReason>> = {
  INSURANCE_FUND: 'transfer',
  ADL: 'deleveraging',
  NA: 'transfer',
};

const TRADE: EventTable = {
  symbol: named('s', 'symbol'),
  leftOut: ({ X }) => {
    if (X === undefined || X === 'MARKET' || X === 'RPI') return undefined;
    return TRANSFERS[String(X)] ?? 'malformed';
  },
  time: ms('T'),
  price: priceAt('p', 'fill'),
  size: sizeAt('q', 'base'),
  id: idAt('t'),
  taker: takerByMaker('m'),
  mark: ({ X }) => (X === 'RPI' ? 'rpi' : undefined),
};

const REST_TRADE: EventTable = {
  symbol: named('symbol'),
  time: ms('time'),
  price: priceAt('price', 'fill'),
  size: sizeAt('qty', 'base', { value: 'quoteQty' }),
  id: idAt('id'),
  taker: takerByMaker('isBuyerMaker'),
  mark: ({ isRPITrade }) => (isRPITrade === true ? 'rpi' : undefined),
};

const KINDS: ReadonlySet<unknown> = new Set(['forceOrder', 'aggTrade', 'trade']);
const kindOf = (event: unknown): unknown => (isWire(event) ? event.e : undefined);

/** The events of a frame, by itself or under the `data` of a combined stream. */
const framesOf =
  (kind: string, row?: string) =>
  (payload: unknown): EventFrame | undefined => {
    const data = isWire(payload) && payload.e === undefined ? (payload.data ?? payload) : payload;
    const list: readonly unknown[] = Array.isArray(data) ? data : [data];
    if (!list.some((event) => kindOf(event) === kind)) return undefined;
    // An element that is no event at all stays as null, so that it is a reject.
    const events = list.map((event) => (KINDS.has(kindOf(event)) ? event : null));
    const own = events.filter((event) => event === null || kindOf(event) === kind);
    const rows = row === undefined ? own : own.flatMap((event) => rowsAt(event, row) ?? [null]);
    return { rows };
  };

/** Rows of REST have no `e`; they name the contract in the request. */
const restRows =
  (...marks: readonly string[]) =>
  (payload: unknown): EventFrame | undefined =>
    isWire(payload) && payload.e !== undefined ? undefined : answerRows(marks)(payload);

/** Liquidations and trades of a venue that speaks the Binance futures API. */
export function fapiEvents(id: string, quotes: readonly string[], prefixes: readonly string[]): EventVenue {
  const { unitsOf } = fapiSymbols({ quotes });
  return {
    id,
    paths: prefixes.flatMap((prefix) => [
      `${prefix}/aggTrades`,
      `${prefix}/trades`,
      `${prefix}/historicalTrades`,
    ]),
    decode: eventDecoder({ unitsOf }, [
      { frameOf: framesOf('forceOrder', 'o'), table: LIQUIDATION },
      { frameOf: framesOf('aggTrade'), table: AGGREGATE },
      { frameOf: framesOf('trade'), table: TRADE },
      { frameOf: restRows('a'), table: AGGREGATE },
      { frameOf: restRows('isBuyerMaker'), table: REST_TRADE },
    ]),
  };
}
