import type { UnixMs } from '../domain/units.ts';

/** Receives what a stream carries. */
export interface FrameSink {
  /**
   * The bytes of one frame's text, before it is parsed. Returns whether it was taken; if not, it is parsed and comes
   * as `frame`. The bytes are gone afterwards. Must not throw.
   */
  bytes?(bytes: Uint8Array, at: UnixMs, connection: number): boolean;
  /** One parsed frame. Returns whether it carried data (an acknowledgement does not). Must not throw. */
  frame(payload: unknown, at: UnixMs, connection: number): boolean;
  /** Subscriptions to these topics are on their way. */
  subscribed?(topics: readonly string[], connection: number): void;
  /** The connection is gone: whatever was followed of these topics is broken off. */
  lost?(topics: readonly string[], connection: number, reason: string): void;
  /** The connection was ended, since nothing is followed on it any more; its number does not come again. */
  ended?(connection: number): void;
}

/** Counters of a stream over all its connections, since start. */
export interface StreamStats {
  /** Connections that were opened. */
  connects: number;
  /** Reasons for which connections ended or could not be opened. */
  readonly reconnects: Record<string, number>;
  frames: number;
  dataFrames: number;
  /** When the last frame with data came, Unix ms; undefined before the first. */
  lastDataAt: number | undefined;
  unreadable: number;
  /** Frames or subscriptions on which the adapter or the sink failed. */
  faults: number;
  /** Bytes as they came, before unpacking. */
  bytes: number;
  sent: number;
}
