import type { Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows, categoryOf, listing } from './bybit-rows.ts';
import { readAsk } from './read-ask.ts';
import { bookStep, type SideChanges, stepTime } from './stepped-book.ts';

/** Depths that are streamed; one level is sent whole each time. */
const DEPTHS = [1, 50, 200, 1000];
/** Characters that the topics of a connection may have. */
const MAX_CHARACTERS = 21_000;
/** Steps that are made up for one by one; what is further behind is passed over with a snapshot. */
const MAX_BEHIND = 10;
const TOPIC = /^orderbook\.(\d+)\.(\w+)$/;

/** The last `u` of a topic. */
interface Count {
  u: number;
}

interface Ask {
  readonly op?: string;
  readonly args?: readonly string[];
  readonly req_id?: string;
}

/** Bybit's public socket of one category: books of four depths. */
export class BybitSocket extends BookSession<Count> {
  readonly #contracts: ReadonlyMap<string, SimContract>;

  constructor(connection: SimConnection, world: World) {
    super(connection, world);
    const category = /^\/v5\/public\/(\w+)/.exec(connection.path)?.[1];
    const open = world.contracts(listing).filter((c) => c.status === 'live' && categoryOf(c) === category);
    this.#contracts = new Map(open.map((c) => [c.symbol, c]));
  }

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#answer(false, 'error:handler not found', {});
      return;
    }
    const { op, args = [] } = ask;
    // A public connection answers a ping under its own name.
    if (op === 'ping') this.#answer(true, 'pong', ask);
    else if (op === 'subscribe') this.#subscribe(args, ask);
    else if (op === 'unsubscribe') {
      for (const name of args) this.books.delete(name);
      this.#answer(true, '', ask);
    } else this.#answer(false, `error:unknown op ${op}`, ask);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  /** One bad topic fails the request. */
  #subscribe(args: readonly string[], ask: Ask): void {
    const wanted = args.map((name) => this.#read(name));
    const bad = args.find((_, i) => wanted[i] === undefined);
    const characters = [...this.books.keys(), ...args].reduce((sum, name) => sum + name.length, 0);
    if (bad !== undefined) this.#answer(false, `error:handler not found,topic:${bad}`, ask);
    else if (characters > MAX_CHARACTERS) this.#answer(false, 'error:args size too long', ask);
    else {
      this.#answer(true, '', ask);
      for (const topic of wanted) {
        if (topic === undefined) continue;
        const { name, c, levels } = topic;
        this.sendWhole(this.follow(name, c, levels, { u: 0 }, levels === 1));
      }
    }
  }

  #read(name: string) {
    const [, depth = '', symbol = ''] = TOPIC.exec(name) ?? [];
    const levels = Number(depth);
    const c = this.#contracts.get(symbol);
    return c === undefined || !DEPTHS.includes(levels) ? undefined : { name, c, levels };
  }

  protected override publish(followed: FollowedBook<Count>): void {
    const last = bookStep(this.now);
    const first = Math.max(bookStep(followed.book.at) + 1, last - MAX_BEHIND);
    for (let step = first; step <= last; step++) super.publish(followed, stepTime(step));
  }

  /** A change follows the number before; after a step that nothing was sent of comes a snapshot. */
  protected override sendChanges(followed: FollowedBook<Count>, changes: SideChanges, before: number): void {
    if (bookStep(followed.book.at) !== followed.more.u + 1) this.sendWhole(followed);
    else super.sendChanges(followed, changes, before);
  }

  protected sendBook(followed: FollowedBook<Count>, { bids, asks }: Sides, before?: number): void {
    const { name, c, book, more } = followed;
    more.u = bookStep(book.at);
    const type = before === undefined ? 'snapshot' : 'delta';
    const data = { s: c.symbol, b: bids, a: asks, u: more.u, seq: book.at };
    const frame = { topic: name, type, ts: book.at + 3, data, cts: book.at };
    this.push(followed, frame, before === undefined);
  }

  #answer(success: boolean, ret_msg: string, { req_id = '', op = '' }: Ask): void {
    this.send({ success, ret_msg, conn_id: '6c5f2b9e-0a8d-4e0c-9a55-1f7d2f6b8c31', req_id, op });
  }
}
