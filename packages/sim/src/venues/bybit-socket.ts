import type { Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { bookRows, categoryOf, listing } from './bybit-rows.ts';
import { readAsk } from './read-ask.ts';
import { SocketSession } from './socket-session.ts';
import { bookStep, type SteppedBook, stepTime, zeroed } from './stepped-book.ts';

/** Depths that are streamed; one level is sent whole each time. */
const DEPTHS = [1, 50, 200, 1000];
/** Characters that the topics of a connection may have. */
const MAX_CHARACTERS = 21_000;
/** Steps that are made up for one by one; what is further behind is passed over with a snapshot. */
const MAX_BEHIND = 10;
const TOPIC = /^orderbook\.(\d+)\.(\w+)$/;

interface Topic {
  readonly name: string;
  readonly c: SimContract;
  readonly isWhole: boolean;
  readonly book: SteppedBook;
  /** The last `u`. */
  u: number;
}

interface Ask {
  readonly op?: string;
  readonly args?: readonly string[];
  readonly req_id?: string;
}

/** Bybit's public socket of one category: books of four depths. */
export class BybitSocket extends SocketSession {
  readonly #contracts: ReadonlyMap<string, SimContract>;
  readonly #topics = new Map<string, Topic>();

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
      for (const name of args) this.#topics.delete(name);
      this.#answer(true, '', ask);
    } else this.#answer(false, `error:unknown op ${op}`, ask);
  }

  onTick(now: number): void {
    this.now = now;
    for (const topic of this.#topics.values()) this.#publish(topic);
  }

  /** One bad topic fails the request. */
  #subscribe(args: readonly string[], ask: Ask): void {
    const begun = args.map((name) => this.#topic(name));
    const bad = args.find((_, i) => begun[i] === undefined);
    const characters = [...this.#topics.keys(), ...args].reduce((sum, name) => sum + name.length, 0);
    if (bad !== undefined) this.#answer(false, `error:handler not found,topic:${bad}`, ask);
    else if (characters > MAX_CHARACTERS) this.#answer(false, 'error:args size too long', ask);
    else {
      this.#answer(true, '', ask);
      for (const topic of begun) {
        if (topic === undefined) continue;
        this.#topics.set(topic.name, topic);
        this.#sendWhole(topic);
      }
    }
  }

  #topic(name: string): Topic | undefined {
    const [, depth = '', symbol = ''] = TOPIC.exec(name) ?? [];
    const levels = Number(depth);
    const c = this.#contracts.get(symbol);
    if (c === undefined || !DEPTHS.includes(levels)) return undefined;
    const book = this.steppedBook(c, (t) => bookRows(c, this.world, t, levels));
    return { name, c, isWhole: levels === 1, book, u: 0 };
  }

  #publish(topic: Topic): void {
    const last = bookStep(this.now);
    const first = Math.max(bookStep(topic.book.at) + 1, last - MAX_BEHIND);
    for (let step = first; step <= last; step++) this.#step(topic, stepTime(step));
  }

  /** A change follows the number before; after a step that nothing was sent of comes a snapshot. */
  #step(topic: Topic, t: number): void {
    const { book, u, isWhole } = topic;
    const changes = book.advance(t);
    if (changes === undefined) return;
    if (isWhole || bookStep(book.at) !== u + 1) this.#sendWhole(topic);
    else this.#push(topic, 'delta', { bids: zeroed(changes.bids), asks: zeroed(changes.asks) });
  }

  #sendWhole(topic: Topic): void {
    this.#push(topic, 'snapshot', topic.book.sides);
  }

  #push(topic: Topic, type: 'snapshot' | 'delta', { bids, asks }: Sides): void {
    const { name, c, book } = topic;
    topic.u = bookStep(book.at);
    const data = { s: c.symbol, b: bids, a: asks, u: topic.u, seq: book.at };
    this.send(
      { topic: name, type, ts: book.at + 3, data, cts: book.at },
      { symbol: c.symbol, isSnapshot: type === 'snapshot' },
    );
  }

  #answer(success: boolean, ret_msg: string, { req_id = '', op = '' }: Ask): void {
    this.send({ success, ret_msg, conn_id: '6c5f2b9e-0a8d-4e0c-9a55-1f7d2f6b8c31', req_id, op });
  }
}
