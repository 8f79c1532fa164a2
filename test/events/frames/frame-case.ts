import type { LiquidationEvent, TradeEvent } from '../../../src/modules/events/event-rows.ts';

/** Part of an event that a frame is known to say. */
type Said<Event> = { readonly [Key in keyof Event]?: Event[Key] | number | string };

/** A frame or an answer of one venue, and the events in it. */
export interface EventFrameCase {
  readonly venue: string;
  /** The condition, for the name of a test. */
  readonly when: string;
  /** The path of an answer, with the query that names its contract. */
  readonly path?: string;
  readonly payload: unknown;
  /** Coins in a contract by symbol, as a list of contracts states them. */
  readonly contracts?: Readonly<Record<string, number>>;
  readonly liquidations?: readonly Said<LiquidationEvent>[];
  readonly trades?: readonly Said<TradeEvent>[];
  /** Reasons of its rejects. */
  readonly rejects?: readonly string[];
}

/** 2026-11-03 14:15:16.170 UTC. */
export const T = 1_793_715_316_170;
