import type { VenueId } from '../domain/venue.ts';

/** Kinds of wire data: what a stream or a call is for. A call outside the polls and the books is `history`. */
export type WireKind = 'books' | 'tickers' | 'instruments' | 'history';

/** One stream of a venue, or its calls. */
export interface WireLine {
  readonly venue: VenueId;
  readonly kind: WireKind;
  /** Name of the stream; `http` for calls. */
  readonly stream: string;
}

/** An HTTP answer as it came, without its content encoding. Headers are left out: they can hold keys. */
export interface WireAnswer {
  readonly line: WireLine;
  /** Name of the base that was called, never its address. */
  readonly base: string;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly body: string | undefined;
  readonly status: number;
  readonly payload: Buffer;
}

/** Hears what venues send before it is decoded. Its methods return at once and must not throw. */
export interface WireTap {
  /** A connection of the stream is open; its number comes again when it is made anew. */
  opened(line: WireLine, connection: number): void;
  /**
   * A frame without the compression that its stream has. The bytes are gone afterwards.
   *
   * @param isBinary true where the frame is no text, or could not be unpacked
   */
  frame(line: WireLine, connection: number, bytes: Buffer, isBinary: boolean): void;
  /** The connection is gone; no frame of it comes after. */
  closed(line: WireLine, connection: number, reason: string): void;
  answer(answer: WireAnswer): void;
}

/** The place of the one tap of a collector: without it the wire costs a comparison a frame. */
export class Wire {
  #tap: WireTap | undefined;

  get tap(): WireTap | undefined {
    return this.#tap;
  }

  /**
   * Begins to hear.
   *
   * @returns what ends it
   * @throws Error where another hears already
   */
  listen(tap: WireTap): () => void {
    if (this.#tap !== undefined) throw new Error('another listens to the wire already');
    this.#tap = tap;
    return () => {
      if (this.#tap === tap) this.#tap = undefined;
    };
  }
}

/** A line with the tap that hears it. */
export class TappedLine {
  readonly #wire: Wire;
  readonly #line: WireLine;

  constructor(wire: Wire, line: WireLine) {
    this.#wire = wire;
    this.#line = line;
  }

  opened(connection: number): void {
    this.#wire.tap?.opened(this.#line, connection);
  }

  frame(connection: number, bytes: Buffer, isBinary: boolean): void {
    this.#wire.tap?.frame(this.#line, connection, bytes, isBinary);
  }

  closed(connection: number, reason: string): void {
    this.#wire.tap?.closed(this.#line, connection, reason);
  }
}
