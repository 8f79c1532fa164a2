import type { Clock } from '../../../../src/domain/clock.ts';
import type { Faults } from '../faults.ts';
import { distortFrame } from '../send.ts';
import type { SimConnection, SimSession, SimVenue } from '../venue.ts';
import type { World } from '../world.ts';
import { BookFaultInjector } from './book-fault-injector.ts';

/** The client's side of a link: what frames and ends come to. */
export interface LinkClient {
  send(frame: string | Buffer): void;
  /** The connection ends in the middle of this frame. */
  cut(frame: string | Buffer): void;
  close(code?: number, reason?: string): void;
  terminate(): void;
}

export interface LinkOptions {
  readonly venue: SimVenue;
  /** Path behind the venue's prefix, with the query. */
  readonly path: string;
  readonly world: World;
  readonly clock: Clock;
  readonly faults: Faults;
}

/**
 * One client at a simulated venue's stream, with the faults in force between them. It holds no socket and no timer:
 * messages and ticks come from outside.
 */
export class Link {
  readonly #options: LinkOptions;
  readonly #client: LinkClient;
  readonly #session: SimSession | undefined;
  #hasAsked = false;

  constructor(options: LinkOptions, client: LinkClient) {
    const { venue, path, faults } = options;
    this.#options = options;
    this.#client = client;
    const bender = new BookFaultInjector({
      faults,
      venue: venue.id,
      path,
      send: (frame) => this.#send(frame),
      cut: (frame) => client.cut(frame),
    });
    const connection: SimConnection = {
      path,
      send: (frame, about) => (about === undefined ? this.#send(frame) : bender.send(frame, about)),
      book: (symbol) => bender.book(symbol),
      close: (code) => client.close(code),
    };
    this.#session = venue.socket?.(connection, options.world);
    if (this.#session === undefined) client.close(1011);
    else this.tick();
  }

  get venue(): string {
    return this.#options.venue.id;
  }

  /** True once the client has sent a message. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Text from the client. */
  message(text: string): void {
    this.#hasAsked = true;
    this.#guard(() => this.#session?.onMessage(text));
  }

  /** Gives the session the time, frozen where a fault says so. */
  tick(): void {
    const { faults, venue, path, clock } = this.#options;
    const fault = faults.onStream(venue.id, path);
    const now = clock.now();
    if (fault?.kind === 'reset') this.#client.terminate();
    else this.#guard(() => this.#session?.onTick(fault?.kind === 'stale' ? (fault.at ?? now) : now));
  }

  #send(frame: string | Buffer): void {
    const { faults, venue, path } = this.#options;
    const fault = faults.onStream(venue.id, path);
    const distorted = fault === undefined ? frame : distortFrame(frame, fault);
    if (distorted !== undefined) this.#client.send(distorted);
    if (fault?.kind === 'half-reset' || fault?.kind === 'reset') this.#client.terminate();
  }

  /** A session that throws loses its connection, not the server. */
  #guard(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#client.close(1011, (error instanceof Error ? error.message : 'session failed').slice(0, 100));
    }
  }
}
