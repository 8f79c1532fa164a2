import type { Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, updateIdAt } from './fapi-books.ts';
import type { FapiDialect } from './fapi-dialect.ts';
import { readAsk } from './read-ask.ts';
import type { SideChanges } from './stepped-book.ts';

const MAX_STREAMS = 200;
const ALL_LEVELS = 1000;
/** `btcusdt@depth`, `@depth20`, each with its period. */
const STREAM = /^(\w+)@depth(5|10|20)?(?:@(?:100|250|500)ms)?$/;

interface Kind {
  /** The best levels only, whole each time. */
  readonly isPartial: boolean;
}

interface Ask {
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly id?: unknown;
}

/** A public socket of the family: books by change and partial ones, bare or combined. */
export class FapiSocket extends BookSession<Kind> {
  /** Contracts by the name that streams have for them. */
  readonly #contracts: ReadonlyMap<string, SimContract>;
  /** Frames name their stream. */
  readonly #isCombined: boolean;
  readonly #streams = new Set<string>();
  #isOpen = false;

  constructor(dialect: FapiDialect, connection: SimConnection, world: World) {
    super(connection, world);
    const { pathname, searchParams } = new URL(connection.path, 'ws://sim');
    const isServed = dialect.bookSockets.test(pathname);
    const open = isServed ? world.contracts(dialect.listing).filter((c) => c.status === 'live') : [];
    this.#contracts = new Map(open.map((c) => [c.symbol.toLowerCase(), c]));
    this.#isCombined = /\/stream\/?$/.test(pathname);
    const named = searchParams.get('streams') ?? /\/ws\/(.+)$/.exec(pathname)?.[1];
    // Streams named by the address are followed from the first tick on.
    for (const stream of named?.split('/') ?? []) this.#streams.add(stream);
  }

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.send({ error: { code: 3, msg: 'Invalid JSON: expected value at line 1 column 1' } });
      return;
    }
    const { method, params = [], id } = ask;
    if (method === 'SUBSCRIBE') this.#subscribe(params.map(String), id);
    else if (method === 'UNSUBSCRIBE') {
      for (const stream of params.map(String)) {
        this.#streams.delete(stream);
        this.books.delete(stream);
      }
      this.send({ result: null, id });
    } else if (method === 'LIST_SUBSCRIPTIONS') this.send({ result: [...this.#streams], id });
    else this.send({ error: { code: 2, msg: `Invalid request: unknown variant \`${method}\`` }, id });
  }

  protected override tick(): void {
    if (!this.#isOpen) for (const stream of this.#streams) this.#followStream(stream);
    this.#isOpen = true;
    super.tick();
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  /** A stream that is unknown, or served under another path, is acknowledged and silent. */
  #subscribe(streams: readonly string[], id: unknown): void {
    if (new Set([...this.#streams, ...streams]).size > MAX_STREAMS) {
      this.connection.close(1008);
      return;
    }
    this.send({ result: null, id });
    for (const stream of streams) if (!this.#streams.has(stream)) this.#followStream(stream);
  }

  /** There is no snapshot in a stream of changes: it comes over REST. */
  #followStream(stream: string): void {
    this.#streams.add(stream);
    const [, symbol = '', partial] = STREAM.exec(stream) ?? [];
    const c = this.#contracts.get(symbol);
    if (c === undefined) return;
    const isPartial = partial !== undefined;
    this.follow(stream, c, isPartial ? Number(partial) : ALL_LEVELS, { isPartial });
  }

  /** A partial book has the numbers of a change, too. */
  protected override sendChanges(followed: FollowedBook<Kind>, changes: SideChanges, before: number): void {
    if (followed.more.isPartial) this.sendBook(followed, followed.book.sides, before);
    else super.sendChanges(followed, changes, before);
  }

  protected sendBook(followed: FollowedBook<Kind>, { bids, asks }: Sides, before = 0): void {
    const { name: stream, c, book } = followed;
    const E = book.at + 6;
    const u = updateIdAt(book.at);
    const pu = updateIdAt(before);
    // U is the first update of the event; those of other contracts lie between it and the event before.
    const data = { e: 'depthUpdate', E, T: book.at, s: c.symbol, U: pu + 2, u, pu, b: bids, a: asks };
    this.push(followed, this.#isCombined ? { stream, data } : data, followed.more.isPartial);
  }
}
