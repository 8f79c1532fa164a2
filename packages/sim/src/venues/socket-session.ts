import type { BookTag, Sides } from '../book-distortion.ts';
import type { SimConnection, SimSession } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { SteppedBook } from './stepped-book.ts';

/** Shared parts of the sessions of simulated sockets: a connection, the world, and its time. */
export abstract class SocketSession implements SimSession {
  protected readonly connection: SimConnection;
  protected readonly world: World;
  /** Time of the last tick. */
  protected now = 0;

  constructor(connection: SimConnection, world: World) {
    this.connection = connection;
    this.world = world;
  }

  abstract onMessage(text: string): void;

  onTick(now: number): void {
    this.now = now;
    this.tick();
  }

  /** Sends the frames that are due at `now`. */
  protected abstract tick(): void;

  /** @param about the book that the frame is a message of, where it is one */
  protected send(frame: unknown, about?: BookTag): void {
    this.connection.send(JSON.stringify(frame), about);
  }

  /** The book of a contract from now on, as the faults of this connection show it. */
  protected steppedBook(c: SimContract, render: (t: number) => Sides): SteppedBook {
    return new SteppedBook(render, this.now, this.connection.book?.(c.symbol));
  }
}
