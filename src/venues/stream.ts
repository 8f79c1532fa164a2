import type { Instrument } from '../domain/instrument.ts';
import type { UnixMs } from '../domain/units.ts';
import type { VenueCall } from './call.ts';

/** Inputs for planning a poll's requests. */
export interface PlanContext {
  /** Live contracts, most traded first once volumes are known. */
  readonly instruments: readonly Instrument[];
  readonly now: UnixMs;
}

/**
 * Frames are not packed, or packed by their payload, or by the extension of the WebSocket protocol (RFC
 * 7692), which is offered only to venues that refuse clients without it.
 */
export type Compression = 'none' | 'gzip' | 'permessage-deflate';

/** Terms on which a venue's sockets stay open. */
export interface Heartbeat {
  /** Time between two pings of the client; absent where the venue alone pings, by the protocol or in a frame. */
  readonly pingMs?: { readonly atLeast?: number; readonly atMost: number };
  /** The source, with its words. */
  readonly source: string;
}

/** One subscription family on one WebSocket endpoint. */
export interface Stream {
  readonly name: string;
  /** Entry of `bases` and the path behind it. */
  readonly base: string;
  readonly path: string;
  /** Frames this stream understands, for `decode`. */
  readonly call: VenueCall;
  /** Topics to follow; an opaque string each. */
  readonly topics: (plan: PlanContext) => readonly string[];
  /** Client frames that subscribe to these topics. */
  readonly subscribe: (topics: readonly string[], id: number) => readonly string[];
  /** Client frames that end these subscriptions; without it they end with the connection. */
  readonly unsubscribe?: (topics: readonly string[], id: number) => readonly string[];
  readonly topicsPerConnection: number;
  readonly topicsPerFrame: number;
  /** Client frames a second. */
  readonly framesPerSecond: number;
  readonly maxConnections: number;
  readonly compression: Compression;
  /** The payload of a binary message that is neither JSON nor packed JSON, in a shape that `call` reads; undefined where it is none. */
  readonly binary?: (message: Uint8Array) => unknown;
  /** Client keep-alive, where the venue wants one: this frame, or a ping of the WebSocket protocol without one. */
  readonly keepAlive?: { readonly everyMs: number; readonly frame?: (now: UnixMs) => string };
  /** Text to answer a server ping carried in a frame with. */
  readonly pong?: (frame: unknown) => string | undefined;
  /** Reconnect when no data frame came for this long; pings do not count. */
  readonly silenceMs: number;
  /** Size of a large frame when all is well, unpacked, bytes: four times as much is read. Each venue states it. */
  readonly normalBytes?: number;
}

/** A stream of metrics. */
export interface QuoteStream extends Stream {
  /**
   * True if the stream repeats all values, changed or not; false if it pushes changes only: then the last
   * value of a quiet contract stands while the connection delivers. `VENUE.md` has the evidence.
   */
  readonly repeats: boolean;
}
