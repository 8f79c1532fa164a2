import type { Sides } from '../book-distortion.ts';
import { baseText, priceText } from '../format.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookEvent } from './paradex-sbe.ts';
import { readAsk } from './read-ask.ts';
import { sidesOf } from './sides.ts';
import type { RowChange, SideChanges } from './stepped-book.ts';

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

function ofKind({ bids, asks }: SideChanges, kind: string) {
  const rows = (changes: readonly RowChange[]) =>
    changes.filter((change) => change.kind === kind).map(({ row }) => row);
  return [...levels('BUY', rows(bids)), ...levels('SELL', rows(asks))];
}

/** Paradex's JSON-RPC socket: books of 15 levels a side, whole each time or by change. */
export class ParadexSocket extends BookSession {
  readonly #find: FindContract;
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
      this.books.delete(channel);
      this.send({ jsonrpc: '2.0', result: { channel }, id });
    } else this.#refuse(id, -32_601, 'Method not found', String(method));
  }

  #subscribe(id: unknown, channel: string): void {
    const [, symbol = '', kind] = CHANNEL.exec(channel) ?? [];
    const c = this.#find(symbol);
    if (c === undefined) {
      this.#refuse(id, -32_600, 'invalid subscribe request', 'invalid channel');
      return;
    }
    this.send({ jsonrpc: '2.0', result: { channel }, id });
    this.sendWhole(this.follow(channel, c, LEVELS, undefined, kind === 'snapshot'));
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookSides(c, this.world, t, levels);
  }

  /** JSON tells levels that are new from those that changed. */
  protected override sendChanges(followed: FollowedBook, changes: SideChanges, before: number): void {
    if (this.#isBinary) {
      super.sendChanges(followed, changes, before);
      return;
    }
    const deletes = ofKind(changes, 'delete').map((level) => ({ ...level, size: '0' }));
    const parts = { inserts: ofKind(changes, 'new'), updates: ofKind(changes, 'change'), deletes };
    this.#pushText(followed, 'd', parts);
  }

  protected sendBook(followed: FollowedBook, { bids, asks }: Sides, before?: number): void {
    if (this.#isBinary) {
      this.#pushBinary(followed, before === undefined, { bids, asks });
      return;
    }
    const inserts = [...levels('BUY', bids), ...levels('SELL', asks)];
    this.#pushText(followed, 's', { inserts, updates: [], deletes: [] });
  }

  #pushBinary({ c, book: { at } }: FollowedBook, isWhole: boolean, sides: Sides): void {
    const frame = bookEvent({ market: c.symbol, seqNo: seqNoAt(at), at, isWhole, ...sides });
    this.connection.send(frame, { symbol: c.symbol, isSnapshot: isWhole });
  }

  #pushText(followed: FollowedBook, update_type: 's' | 'd', parts: object): void {
    const { name: channel, c, book } = followed;
    const { at } = book;
    const head = { seq_no: seqNoAt(at), market: c.symbol, last_updated_at: at, update_type };
    const params = { channel, data: { ...head, ...parts } };
    this.push(followed, { jsonrpc: '2.0', method: 'subscription', params }, update_type === 's');
  }

  #refuse(id: unknown, code: number, message: string, data: string): void {
    this.send({ jsonrpc: '2.0', id, error: { code, message, data } });
  }
}
