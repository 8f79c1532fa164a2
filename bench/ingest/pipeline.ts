import type { Session } from './session.ts';

/** Levels of one book: price and size, best first. */
export interface Book {
  readonly bids: readonly (readonly [number, number])[];
  readonly asks: readonly (readonly [number, number])[];
}

/** One pass over a session with fresh books. */
export interface Pass {
  /** Takes every frame of the session. This is what is timed. */
  readonly run: () => void;
  /** The books after it, by the venue's symbol; undefined where the pipeline keeps none. */
  readonly books: () => ReadonlyMap<string, Book> | undefined;
  /** Sum over the depth quotes that were read on the way; undefined where none were. */
  readonly checksum: () => number | undefined;
}

/** A way from frames to books. */
export interface Pipeline {
  readonly name: string;
  /** Sets up a pass; outside the clock. */
  readonly prepare: (session: Session) => Promise<Pass>;
}

/** Distance of the moments of recorded time at which every depth quote is read, ms. */
export const QUOTE_EVERY_MS = 100;

/** JSON.parse alone: what any reader of JSON pays. */
export const jsonParse: Pipeline = {
  name: 'JSON.parse alone',
  prepare: async ({ frames }) => {
    let parsed = 0;
    return {
      run: () => {
        for (const frame of frames) if (JSON.parse(frame) !== null) parsed++;
        if (parsed !== frames.length) throw new Error('a frame is no JSON');
      },
      books: () => undefined,
      checksum: () => undefined,
    };
  },
};
