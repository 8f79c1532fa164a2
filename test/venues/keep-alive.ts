import { describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import type { VenueAdapter } from '../../src/venues/adapter.ts';

/** When the frames of a test are made. */
export const NOW = asMs(Date.UTC(2026, 9, 20, 13, 20, 0));

/** The frames that keep a venue's connections alive, as its documents write them; JSON as it is parsed, else text. */
export interface KeepAliveFrames {
  /** The client's ping; absent where it is one of the WebSocket protocol, or where the venue alone pings. */
  readonly ping?: unknown;
  /** A ping that the venue sends in a frame, and the answer that it wants. */
  readonly pong?: readonly [ping: unknown, answer: unknown];
}

/** All that a venue streams, books among it. */
export const streamsOf = ({ streams = [], books }: VenueAdapter) => [
  ...streams,
  ...(books?.stream === undefined ? [] : [{ name: 'books', ...books.stream }]),
];

/** A frame as its receiver reads it: JSON, else text. */
function read(frame: string | undefined): unknown {
  return frame?.startsWith('{') ? JSON.parse(frame) : frame;
}

/** A suite on every stream of a venue; how often it pings is held to the adapter's `heartbeat` for all venues at once. */
export function describeKeepAlive(adapter: VenueAdapter, frames: KeepAliveFrames): void {
  describe(`a connection to ${adapter.id}`, () => {
    it.each(streamsOf(adapter))('of $name pings and answers as the venue wants it', ({ keepAlive, pong }) => {
      expect(read(keepAlive?.frame?.(NOW))).toEqual(frames.ping);
      const [asked, answer] = frames.pong ?? [{}, undefined];
      expect(read(pong?.(asked))).toEqual(answer);
      expect(pong?.({})).toBeUndefined();
    });
  });
}
