import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookEvent } from './paradex-sbe.ts';
import { readAsk } from './read-ask.ts';
import { sidesOf } from './sides.ts';
import { SocketSession } from './socket-session.ts';
import type { RowChange, SteppedBook } from './stepped-book.ts';

const CHANNEL = /^order_book\.([^.]+)\.(snapshot|deltas)@15@(?:50|100)ms$/;
/** Levels of the streams, a side. */
const LEVELS = 15;

/** The contract that trades under a symbol. */
export type FindContract = (symbol: string) => SimContract | undefined;

interface Ask {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: { readonly channel?: string };
}

interface Followed {
  readonly c: SimContract;
  readonly isWhole: boolean;
  readonly book: SteppedBook;
}

/** Levels `[price, base units]` of the book, best first. */
export function bookSides(c: SimContract, world: World, t: number, depth: number): Sides {
  return sidesOf(world.book(c, t, depth), (price, size) => [priceText(c, price), baseText(c, size)]);
}

/** Number of the book of this time. REST and streams count alike. */
export function seqNoAt(t: number): number {
  return t - Date.UTC(2025, 0);
}

const levels = (side: 'BUY' | 'SELL', rows: Sides['bids']) =>
  rows.map(([price, size]) => ({ side, price, size }));

/** Rows of changes with sizes as they are now: 0 where a level is gone. */
const rowsOf = (changes: readonly RowChange[]): Sides['bids'] =>
  changes.map(({ kind, row: [price = '0', size = '0'] }) => [price, kind === 'delete' ? '0' : size]);

function ofKind({ bids, asks }: { bids: readonly RowChange[]; asks: readonly RowChange[] }, kind: string) {
  const rows = (changes: readonly RowChange[]) =>
    changes.filter((change) => change.kind === kind).map(({ row }) => row);
  return [...levels('BUY', rows(bids)), ...levels('SELL', rows(asks))];
}

/** Paradex's JSON-RPC socket: books of 15 levels a side, whole each time or by change. */
export class ParadexSocket extends SocketSession {
  readonly #find: FindContract;
  readonly #books = new Map<string, Followed>();
  /** Frames of channels are SBE where the address asks for it, JSON elsewhere; the rest is JSON in any case. */
  readonly #isBinary: boolean;

  constructor(connection: SimConnection, world: World, find: FindContract) {
    super(connection, world);
    this.#isBinary = /[?&]sbeSchemaId=1(&|$)/.test(connection.path);
    this.#find = find;
  }

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#refuse(null, -32_700, 'Parse error', 'invalid json');
      return;
    }
    const { id = null, method, params: { channel = '' } = {} } = ask;
    if (method === 'subscribe') this.#subscribe(id, channel);
    else if (method === 'unsubscribe') {
      this.#books.delete(channel);
      this.send({ jsonrpc: '2.0', result: { channel }, id });
    } else this.#refuse(id, -32_601, 'Method not found', String(method));
  }

  onTick(now: number): void {
    this.now = now;
    for (const [channel, followed] of this.#books) this.#publish(channel, followed);
  }

  #subscribe(id: unknown, channel: string): void {
    const [, symbol = '', kind] = CHANNEL.exec(channel) ?? [];
    const c = this.#find(symbol);
    if (c === undefined) {
      this.#refuse(id, -32_600, 'invalid subscribe request', 'invalid channel');
      return;
    }
    this.send({ jsonrpc: '2.0', result: { channel }, id });
    const book = this.steppedBook(c, (t) => bookSides(c, this.world, t, LEVELS));
    const followed = { c, isWhole: kind === 'snapshot', book };
    this.#books.set(channel, followed);
    this.#sendWhole(channel, followed);
  }

  #publish(channel: string, followed: Followed): void {
    const changes = followed.book.advance(this.now);
    if (changes === undefined) return;
    if (followed.isWhole) {
      this.#sendWhole(channel, followed);
      return;
    }
    if (this.#isBinary) {
      this.#pushBinary(followed, false, { bids: rowsOf(changes.bids), asks: rowsOf(changes.asks) });
      return;
    }
    const deletes = ofKind(changes, 'delete').map((level) => ({ ...level, size: '0' }));
    const parts = { inserts: ofKind(changes, 'new'), updates: ofKind(changes, 'change'), deletes };
    this.#push(channel, followed, 'd', parts);
  }

  #sendWhole(channel: string, followed: Followed): void {
    const { bids, asks } = followed.book.sides;
    if (this.#isBinary) {
      this.#pushBinary(followed, true, { bids, asks });
      return;
    }
    const inserts = [...levels('BUY', bids), ...levels('SELL', asks)];
    this.#push(channel, followed, 's', { inserts, updates: [], deletes: [] });
  }

  #pushBinary({ c, book: { at } }: Followed, isWhole: boolean, sides: Sides): void {
    const frame = bookEvent({ market: c.symbol, seqNo: seqNoAt(at), at, isWhole, ...sides });
    this.connection.send(frame, { symbol: c.symbol, isSnapshot: isWhole });
  }

  #push(channel: string, { c, book: { at } }: Followed, update_type: 's' | 'd', parts: object): void {
    const head = { seq_no: seqNoAt(at), market: c.symbol, last_updated_at: at, update_type };
    const params = { channel, data: { ...head, ...parts } };
    const tag = { symbol: c.symbol, isSnapshot: update_type === 's' };
    this.send({ jsonrpc: '2.0', method: 'subscription', params }, tag);
  }

  #refuse(id: unknown, code: number, message: string, data: string): void {
    this.send({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
}
