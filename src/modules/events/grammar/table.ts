import type { Wire } from '../../../domain/read.ts';
import type { UnixMs } from '../../../domain/units.ts';
import type { DecodeContext } from '../../../venues/call.ts';
import type { UnitsLookup } from '../../../venues/contract-units.ts';
import type { Field } from '../../../venues/grammar/field.ts';
import type { EventReason, PositionSide, PriceKind, SizeUnit, TakerSide, TradeMark } from '../event-rows.ts';

/** The rows of a payload, and what the frame around them says. */
export interface EventFrame {
  readonly rows: readonly unknown[];
  /** The contract, where rows do not name it. */
  readonly symbol?: string | undefined;
  /** The time of the frame, where rows state none. */
  readonly time?: unknown;
  readonly isHistory?: boolean;
}

/** A price as stated. @param per the venue's units in one of the quote currency */
export interface StatedPrice {
  readonly name: string;
  readonly raw: unknown;
  readonly kind: PriceKind;
  readonly per?: number;
}

/** A size as stated. */
export interface StatedSize {
  readonly name: string;
  readonly raw: unknown;
  readonly unit: SizeUnit;
  /** The venue's units in one of the unit. */
  readonly per?: number;
  /** The sign says the side. */
  readonly isSigned?: boolean;
  /** The value in money, where the row states it too. */
  readonly value?: { readonly name: string; readonly raw: unknown };
}

/** A side as stated; undefined where it cannot be read. */
export type SideOf<Side> = (wire: Wire) => Side | undefined;

/** The layout of rows of events. */
export interface EventTable {
  readonly symbol: (wire: Wire, frame: EventFrame, context: DecodeContext) => string | undefined;
  /** The reason for which the row is neither a trade nor a liquidation. */
  readonly leftOut?: (wire: Wire) => EventReason | undefined;
  readonly time: Field<UnixMs> | 'frame';
  readonly price: (wire: Wire, symbol: string, context: DecodeContext) => StatedPrice;
  readonly size: (wire: Wire) => StatedSize;
  readonly id?: (wire: Wire) => unknown;
  /** Of trades. */
  readonly taker?: SideOf<TakerSide>;
  /** The positions that the row liquidated: none of a plain trade. */
  readonly liquidated?: (wire: Wire) => readonly (PositionSide | undefined)[];
  /** A liquidation that is no trade: nothing met in the book. */
  readonly isTrade?: (wire: Wire) => boolean;
  readonly limit?: (wire: Wire) => unknown;
  readonly sequence?: (wire: Wire) => unknown;
  readonly fills?: (wire: Wire) => number | undefined;
  readonly mark?: (wire: Wire) => TradeMark | undefined;
}

/** One kind of payload: how it is known, and its rows. */
export interface EventPart {
  /** Undefined of a payload of another kind. */
  readonly frameOf: (payload: unknown) => EventFrame | undefined;
  readonly table: EventTable;
}

/** A coin-margined contract: its coin, and the dollars that one unit of its size is, where these are known. */
export interface InverseContract {
  readonly base: string;
  readonly usd?: number;
}

/** The units of a venue's contracts. */
export interface EventUnits {
  readonly unitsOf: UnitsLookup;
  /** Absent where coin-margined contracts are left out. */
  readonly inverse?: (symbol: string) => InverseContract | undefined;
}
