import { isWire, readMs, readNumber, readText, type Wire } from '../../../domain/read.ts';
import type { UnixMs } from '../../../domain/units.ts';
import type { DecodeContext } from '../../../venues/call.ts';
import { type Field, field } from '../../../venues/grammar/field.ts';
import { requestParam } from '../../../venues/request-param.ts';
import type { PositionSide, PriceKind, SizeUnit, TakerSide } from '../event-rows.ts';
import type { EventFrame, EventTable, SideOf, StatedPrice, StatedSize } from './table.ts';

/** The contract that a row names under one of these, else the frame around it, else the request. */
export const named =
  (...names: readonly string[]): EventTable['symbol'] =>
  (wire, frame, context) => {
    for (const name of names) {
      const stated = readText(wire[name]);
      if (stated !== undefined) return stated;
    }
    return frame.symbol ?? askedFor(context, names);
  };

/** A segment of a path that names a contract: in capitals, or with a dex before it. */
const SEGMENT = /\/(?:deals|trades|perpetualMarket|markets?)\/(?!perpetualMarket)([A-Za-z0-9_:.%-]+)/;

/** The contract that a request asks for, by a parameter or by its path. */
export function askedFor({ request }: DecodeContext, names: readonly string[] = []): string | undefined {
  if (request === undefined) return undefined;
  for (const name of [...names, 'symbol', 'contract', 'instrument_name', 'contract_code']) {
    const asked = requestParam(request, name);
    if (asked !== undefined) return asked;
  }
  return request.symbol ?? SEGMENT.exec(request.path.split('?', 1)[0] ?? '')?.[1];
}

/** A price under a name. @param per the venue's units in one of the quote currency */
export const priceAt =
  (name: string | number, kind: PriceKind, per = 1) =>
  (wire: Wire): StatedPrice => ({ name: String(name), raw: wire[name], kind, per });

/** The mark of that moment, where the collector knows it: nothing was executed. */
export const atMark = (_: Wire, symbol: string, { markOf }: DecodeContext): StatedPrice => {
  const mark = markOf?.(symbol);
  return { name: 'mark', raw: mark, kind: mark === undefined ? 'none' : 'mark' };
};

interface SizeOptions extends Pick<StatedSize, 'per' | 'isSigned'> {
  /** The field with the value in money. */
  readonly value?: string;
}

/** A size under a name. */
export const sizeAt =
  (name: string | number, unit: SizeUnit, { value, ...more }: SizeOptions = {}) =>
  (wire: Wire): StatedSize => ({
    name: String(name),
    raw: wire[name],
    unit,
    ...more,
    ...(value !== undefined && { value: { name: value, raw: wire[value] } }),
  });

/** An id under the first of these names that the row has. */
export const idAt =
  (...names: readonly string[]) =>
  (wire: Wire): unknown =>
    names.map((name) => wire[name]).find((id) => id !== undefined && id !== null);

/** A taker's side in words of any case. */
export const takerAt =
  (...names: readonly (string | number)[]): SideOf<TakerSide> =>
  (wire) => {
    const said = names.map((name) => readText(wire[name])).find((text) => text !== undefined);
    const side = said?.toLowerCase();
    return side === 'buy' || side === 'sell' ? side : undefined;
  };

/** The buyer was the maker, so the taker sold. */
export const takerByMaker =
  (name: string): SideOf<TakerSide> =>
  ({ [name]: isBuyerMaker }) => {
    if (typeof isBuyerMaker !== 'boolean') return undefined;
    return isBuyerMaker ? 'sell' : 'buy';
  };

/** A flag that says that the taker bought. */
export const takerByFlag =
  (name: string): SideOf<TakerSide> =>
  ({ [name]: isBuyer }) => {
    if (typeof isBuyer !== 'boolean') return undefined;
    return isBuyer ? 'buy' : 'sell';
  };

/** The sign says the side: above zero buys. */
export const takerBySign =
  (name: string): SideOf<TakerSide> =>
  (wire) => {
    const signed = readNumber(wire[name]);
    if (signed === undefined || signed === 0) return undefined;
    return signed > 0 ? 'buy' : 'sell';
  };

/** The position that an order of liquidation closes: what is sold was a long. */
export function closedBy(order: TakerSide | undefined): PositionSide | undefined {
  if (order === undefined) return undefined;
  return order === 'sell' ? 'long' : 'short';
}

/** The liquidated position by the side of the order that closes it. */
export const byOrder =
  (side: SideOf<TakerSide>): NonNullable<EventTable['liquidated']> =>
  (wire) => [closedBy(side(wire))];

/** The liquidated position by a side that is the position's own: what was bought was a long. */
export const byPosition =
  (side: SideOf<TakerSide>): NonNullable<EventTable['liquidated']> =>
  (wire) => {
    const own = side(wire);
    if (own === undefined) return [undefined];
    return [own === 'buy' ? 'long' : 'short'];
  };

/** A time that is seconds or milliseconds, told apart by its size. */
export const secondsOrMs = (...names: readonly string[]): Field<UnixMs> => ({
  ...field(names[0] ?? '', (raw) => {
    const stated = readNumber(raw);
    return stated === undefined ? undefined : readMs(stated, stated < 1e11 ? 1000 : 1);
  }),
  raw: (wire) => names.map((name) => wire[name]).find((time) => time !== undefined && time !== null),
});

/** The object under a name; undefined where it is none. */
export const objectAt = (payload: unknown, name: string): Wire | undefined => {
  const found = isWire(payload) ? payload[name] : undefined;
  return isWire(found) ? found : undefined;
};

/** The rows under a name: a list, or one row alone. */
export function rowsAt(payload: unknown, name: string): readonly unknown[] | undefined {
  const found = isWire(payload) ? payload[name] : undefined;
  if (Array.isArray(found)) return found;
  return isWire(found) ? [found] : undefined;
}

/** The rows of a REST answer: the answer itself, the list under one of these names, or one row that was kept alone. */
export const answerRows =
  (marks: readonly string[], lists: readonly string[] = ['data', 'result']) =>
  (payload: unknown): EventFrame | undefined => {
    const isRow = (row: unknown): boolean => isWire(row) && marks.some((mark) => row[mark] !== undefined);
    const candidates: readonly unknown[] = [
      payload,
      ...lists.map((list) => deepAt(payload, list)),
      [payload],
    ];
    const rows = candidates.find((rows) => Array.isArray(rows) && rows.some(isRow));
    return Array.isArray(rows) ? { rows } : undefined;
  };

/** A value under names joined by points. */
const deepAt = (payload: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((at, name) => (isWire(at) ? at[name] : undefined), payload);
