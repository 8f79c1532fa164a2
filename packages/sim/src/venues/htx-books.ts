import { gzipSync } from 'node:zlib';
import type { BookTag, Sides } from '../book-distortion.ts';
import type { SimConnection } from '../venue.ts';
import type { SimContract, World } from '../world.ts';
import { BookSession, type FollowedBook } from './book-session.ts';
import { bookRows } from './htx-rows.ts';
import { readAsk } from './read-ask.ts';

const PING_MS = 5000;
/** A client that has not answered a ping for this long is left. */
const SILENCE_MS = 20_000;
const TOPIC = /^market\.([^.]+)\.depth\.size_(20|150)\.high_freq$/;

interface Ask {
  readonly sub?: string;
  readonly unsub?: string;
  readonly id?: string;
  readonly data_type?: string;
  readonly ping?: unknown;
  readonly pong?: unknown;
}

interface Count {
  version: number;
}

/** The market socket: books by change. Every frame is gzip, the pings too. */
export class HtxBooksSocket extends BookSession<Count> {
  protected override readonly gone = [0];
  readonly #contracts: readonly SimContract[];
  #pingedAt: number | undefined;
  #heardAt = 0;

  constructor(connection: SimConnection, contracts: readonly SimContract[], world: World) {
    super(connection, world);
    this.#contracts = contracts;
  }

  onMessage(text: string): void {
    const ask = readAsk<Ask>(text);
    if (ask === undefined) {
      this.#refuse('', 'not json, is not json string');
      return;
    }
    const { sub, unsub, id = '' } = ask;
    if (ask.pong !== undefined) this.#heardAt = this.now;
    else if (sub !== undefined) this.#subscribe(sub, id, ask.data_type === 'incremental');
    else if (unsub !== undefined) {
      this.books.delete(unsub);
      this.send({ id, status: 'ok', unsubbed: unsub, ts: this.now });
    } else if (ask.ping === undefined) this.#refuse(id, 'invalid command');
  }

  protected override tick(): void {
    const { now } = this;
    if (this.#pingedAt === undefined) this.#pingedAt = this.#heardAt = now;
    if (now - this.#heardAt > SILENCE_MS) {
      this.connection.close(1003);
      return;
    }
    super.tick();
    if (now - this.#pingedAt < PING_MS) return;
    this.#pingedAt = now;
    this.send({ ping: now });
  }

  #subscribe(ch: string, id: string, isIncremental: boolean): void {
    const [, symbol, size = ''] = TOPIC.exec(ch) ?? [];
    const c = this.#contracts.find((contract) => contract.symbol === symbol && contract.kind === 'perp');
    if (c === undefined) {
      this.#refuse(id, `invalid topic ${ch}`);
      return;
    }
    this.send({ id, status: 'ok', subbed: ch, ts: this.now });
    // A suspended contract is acknowledged and silent.
    if (c.status !== 'live') return;
    // Those who did not ask for changes get snapshots each time.
    const followed = this.follow(ch, c, Number(size), { version: 0 }, !isIncremental);
    // Versions begin somewhere, differently on each connection, and never fall.
    followed.more.version = followed.book.at;
    this.sendWhole(followed);
  }

  protected sidesAt(c: SimContract, t: number, levels: number): Sides {
    return bookRows(c, this.world, t, levels);
  }

  protected sendBook(followed: FollowedBook<Count>, { bids, asks }: Sides, before?: number): void {
    const { name: ch, book, more } = followed;
    const event = before === undefined ? 'snapshot' : 'update';
    const id = 100_129_125_000_000 + (book.at % 1e9);
    const tick = { asks, bids, ch, event, id, mrid: id, ts: book.at, version: more.version++ };
    this.push(followed, { ch, ts: book.at + 4, tick }, before === undefined);
  }

  #refuse(id: string, message: string): void {
    const error = { 'err-code': 'bad-request', 'err-msg': message };
    this.send({ status: 'error', ts: this.now, id, ...error });
  }

  protected override send(frame: object, about?: BookTag): void {
    this.connection.send(gzipSync(JSON.stringify(frame)), about);
  }
}
