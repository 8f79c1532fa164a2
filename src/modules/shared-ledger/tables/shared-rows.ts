import { type Connection, REPEATABLE } from '../server/connection.ts';
import type { ServerClock } from '../server/server-clock.ts';
import { BEGIN, CHANGE, FOLLOW, PAGE, TRIM } from './statements.ts';

/** A row as it was last changed; without a value it was removed. */
export interface SharedRow {
  readonly name: string;
  /** JSON of the key. */
  readonly key: string;
  readonly row: unknown;
}

/** A point up to which a space was read. */
export interface Position {
  /** Of the space, and of the server since its last promotion. */
  readonly run: string;
  readonly revision: number;
}

/** Changes of a space behind a position. */
export interface News {
  readonly rows: readonly SharedRow[];
  readonly to: Position;
  /** True where there are more behind these. */
  readonly hasMore: boolean;
  /** True where these are all rows, since the position is of no use: of another server, of before a promotion, or too old. */
  readonly isWhole: boolean;
}

const START = 0;

/** The columns of `FOLLOW`. */
interface Head {
  readonly run: string;
  readonly last: number;
  readonly trimmed: number;
  /** Time of the server, Unix ms. */
  readonly now: number;
}

interface ChangedRow extends SharedRow {
  readonly revision: number;
}

/** The rows of one space on a server. */
export class SharedRows {
  readonly #connection: Connection;
  readonly #space: string;
  readonly #clock: ServerClock;
  #isBegun = false;

  /** @param clock is set by each answer */
  constructor(connection: Connection, space: string, clock: ServerClock) {
    this.#connection = connection;
    this.#space = space;
    this.#clock = clock;
  }

  /**
   * Reads the whole revisions behind a position: a page of them, or where the position is of no use all rows. Rejects with
   * `StoreUnreachable`, or as the server's check does.
   */
  async news(from: Position | undefined): Promise<News> {
    await this.#begin();
    const { head, rows } = await this.#page(from?.revision ?? START);
    const isUsable =
      from !== undefined &&
      from.run === head.run &&
      from.revision <= head.last &&
      from.revision >= head.trimmed;
    if (from === undefined) return this.#whole(head, rows);
    if (!isUsable) return this.news(undefined);
    const hasMore = rows.length >= PAGE;
    const revision = hasMore ? (rows.at(-1)?.revision ?? head.last) : head.last;
    return { rows, to: { run: head.run, revision }, hasMore, isWhole: false };
  }

  async #whole(head: Head, rows: readonly ChangedRow[]): Promise<News> {
    const found = [...rows];
    let { last } = head;
    for (let page = rows; page.length >= PAGE; ) {
      const next = await this.#page(page.at(-1)?.revision ?? last);
      if (next.head.run !== head.run) return this.news(undefined);
      page = next.rows;
      last = next.head.last;
      found.push(...page);
    }
    return { rows: found, to: { run: head.run, revision: last }, hasMore: false, isWhole: true };
  }

  async #page(revision: number): Promise<{ readonly head: Head; readonly rows: readonly ChangedRow[] }> {
    const askedAt = performance.now();
    const found = await this.#connection.read(FOLLOW, [this.#space, revision]);
    const [head] = found as unknown as readonly Head[];
    if (head === undefined) throw new Error(`the space ${this.#space} is gone`);
    this.#clock.set(head.now, askedAt);
    const rows = found.filter(({ name }) => name !== null) as unknown as readonly ChangedRow[];
    return { head, rows };
  }

  async #begin(): Promise<void> {
    if (this.#isBegun) return;
    await this.#connection.write({ sql: BEGIN, values: [this.#space], isMade: REPEATABLE });
    this.#isBegun = true;
  }

  /**
   * Resolves with false where the space has changed since the position. Rejects with `StoreUnreachable` where the rows may have been
   * written, and with `StoreWriteError` where they certainly were not.
   */
  change(from: Position, rows: readonly SharedRow[]): Promise<boolean> {
    const values = [this.#space, from.run, from.revision, JSON.stringify(rows)];
    // Made again after an answer that was lost it finds the space changed, by itself or by another: its author reads and tries again.
    return this.#connection.write({ sql: CHANGE, values, isMade: NEVER });
  }

  async trim(): Promise<void> {
    await this.#connection.write({ sql: TRIM, values: [this.#space], isMade: REPEATABLE });
  }
}

const NEVER = { sql: 'SELECT WHERE false', values: [] } as const;
