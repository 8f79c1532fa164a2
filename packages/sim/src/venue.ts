import type { BookDistortion, BookTag } from './book-distortion.ts';
import type { SimListing, World } from './world.ts';

export interface SimRequest {
  readonly method: string;
  /** Path behind the venue's prefix, without the query; the path of the venue's own base is kept. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: string;
  readonly now: number;
}

export interface SimResponse {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Weight that the venue would count for the call; 1 when absent. */
  readonly weight?: number;
}

/** A client connection at a simulated venue's WebSocket. */
export interface SimConnection {
  /** Path behind the venue's prefix, with the query. */
  readonly path: string;
  /** @param about the book that the frame is a message of, where it is one: faults of books pick frames by it */
  send(frame: string | Buffer, about?: BookTag): void;
  /** Distortion of a contract's book by faults on this connection; absent where none applies. */
  book?(symbol: string): BookDistortion;
  close(code?: number): void;
}

/** A venue rendered in its own wire format, mounted at `/<prefix>` of the sim's HTTP server. */
export interface SimVenue {
  readonly id: string;
  readonly listing: SimListing;
  /** Rate limit as the venue documents it; more weight than that is answered as the venue would. */
  readonly limit: {
    readonly weight: number;
    readonly perMs: number;
    readonly status: number;
    readonly body: string;
    readonly usedHeader?: string;
    /** Unit of the Retry-After of a refusal; seconds by default. */
    readonly retryAfterUnit?: 's' | 'ms';
  };
  /** The venue whose address and limit this one shares (builder-deployed dexes); not mounted by itself. */
  readonly parent?: string;
  readonly rest: (request: SimRequest, world: World) => SimResponse | undefined;
  /** Set where WebSocket clients that do not offer permessage-deflate are refused. */
  readonly socketNeedsDeflate?: true;
  /** Accepts a WebSocket client; the returned functions are driven by the server. */
  readonly socket?: (connection: SimConnection, world: World) => SimSession;
}

export interface SimSession {
  /** A text frame of the client. `onTick` has been called at least once before. */
  onMessage(text: string): void;
  /** Called at the start and then about once a second, or as often as books move, with the world's time. */
  onTick(now: number): void;
}
