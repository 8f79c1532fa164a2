import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, updateIdAt } from './fapi-books.ts';
import type { FapiDialect } from './fapi-dialect.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { type SteppedBook, zeroed } from './stepped-book.ts';

const MAX_STREAMS = 200;
const ALL_LEVELS = 1000;
/** `btcusdt@depth`, `@depth20`, each with its period. */
const STREAM = /^(\w+)@depth(5|10|20)?(?:@(?:100|250|500)ms)?$/;

interface Followed {
  readonly stream: string;
  readonly c: SimContract;
  /** The best levels only, whole each time. */
  readonly isPartial: boolean;
  readonly book: SteppedBook;
}

interface Ask {
  readonly method?: string;
  readonly params?: readonly unknown[];
  readonly id?: unknown;
}

/** A public socket of the family: books by change and partial ones, bare or combined. */
export class FapiSocket extends SocketSession {
  /** Contracts by the name that streams have for them. */
  readonly #contracts: ReadonlyMap<string, SimContract>;
  /** Frames name their stream. */
  readonly #isCombined: boolean;
  readonly #streams = new Map<string, Followed | undefined>();

  constructor(dialect: FapiDialect, connection: SimConnection, world: World) {
    super(connection, world);
    const { pathname, searchParams } = new URL(connection.path, 'ws://sim');
    const isServed = dialect.bookSockets.test(pathname);
    const open = isServed ? world.contracts(dialect.listing).filter((c) => c.status === 'live') : [];
    this.#contracts = new Map(open.map((c) => [c.symbol.toLowerCase(), c]));
    this.#isCombined = /\/stream\/?$/.test(pathname);
    const named = searchParams.get('streams') ?? /\/ws\/(.+)$/.exec(pathname)?.[1];
    // Streams named by the address are followed from the first tick on.
    for (const stream of named?.split('/') ?? []) this.#streams.set(stream, undefined);
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
      for (const stream of params) this.#streams.delete(String(stream));
      this.send({ result: null, id });
    } else if (method === 'LIST_SUBSCRIPTIONS') this.send({ result: [...this.#streams.keys()], id });
    else this.send({ error: { code: 2, msg: `Invalid request: unknown variant \`${method}\`` }, id });
  }

  onTick(now: number): void {
    const isFirst = this.now === 0;
    this.now = now;
    if (isFirst) for (const stream of [...this.#streams.keys()]) this.#follow(stream);
    for (const followed of this.#streams.values()) if (followed !== undefined) this.#publish(followed);
  }

  /** A stream that is unknown, or served under another path, is acknowledged and silent. */
  #subscribe(streams: readonly string[], id: unknown): void {
    if (new Set([...this.#streams.keys(), ...streams]).size > MAX_STREAMS) {
      this.connection.close(1008);
      return;
    }
    this.send({ result: null, id });
    for (const stream of streams) if (!this.#streams.has(stream)) this.#follow(stream);
  }

  #follow(stream: string): void {
    const [, symbol = '', partial] = STREAM.exec(stream) ?? [];
    const c = this.#contracts.get(symbol);
    if (c === undefined) {
      this.#streams.set(stream, undefined);
      return;
    }
    const levels = partial === undefined ? ALL_LEVELS : Number(partial);
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    this.#streams.set(stream, { stream, c, isPartial: partial !== undefined, book });
  }

  /** There is no snapshot in a stream of changes: it comes over REST. */
  #publish({ stream, c, isPartial, book }: Followed): void {
    const before = updateIdAt(book.at);
    const changes = book.advance(this.now);
    if (changes === undefined) return;
    const sides = isPartial
      ? book.sides
      : { bids: zeroed(changes.bids, ['0']), asks: zeroed(changes.asks, ['0']) };
    const [E, T, u] = [book.at + 6, book.at, updateIdAt(book.at)];
    // The first update of the event; those of other contracts lie between it and the event before.
    const numbers = { U: before + 2, u, pu: before };
    const data = { e: 'depthUpdate', E, T, s: c.symbol, ...numbers, b: sides.bids, a: sides.asks };
    this.send(this.#isCombined ? { stream, data } : data, { symbol: c.symbol, isSnapshot: isPartial });
  }
}
