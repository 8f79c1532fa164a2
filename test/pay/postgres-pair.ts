import { wait } from '../../src/runtime/timer.ts';
import { PostgresServer } from './postgres-server.ts';
import { Relay } from './relay.ts';

export interface PairOptions {
  /** True if a write is confirmed only when the stand-by has it. */
  readonly isSynchronous?: boolean;
}

/** A primary, a stand-by that follows it, and one address that leads to either of them on command. */
export class PostgresPair {
  readonly address: Relay;
  readonly #isSynchronous: boolean;
  primary: PostgresServer;
  #standBy: PostgresServer | undefined;
  #link: Relay | undefined;

  private constructor(primary: PostgresServer, address: Relay, isSynchronous: boolean) {
    this.primary = primary;
    this.address = address;
    this.#isSynchronous = isSynchronous;
  }

  static async start({ isSynchronous = true }: PairOptions = {}): Promise<PostgresPair> {
    const primary = await PostgresServer.start();
    const pair = new PostgresPair(primary, await Relay.start(primary.port), isSynchronous);
    await pair.join();
    return pair;
  }

  get standBy(): PostgresServer {
    if (this.#standBy === undefined) throw new Error('there is no stand-by');
    return this.#standBy;
  }

  /** The network between the two. */
  get link(): Relay {
    if (this.#link === undefined) throw new Error('there is no stand-by');
    return this.#link;
  }

  url(database: string): string {
    return this.primary.url(database, 'owner', this.address.port);
  }

  /**
   * Gives the primary a new stand-by. Confirmed writes are synchronous from then on: not before there is one.
   */
  async join(): Promise<void> {
    const { primary } = this;
    this.#link = await Relay.start(primary.port);
    this.#standBy = await PostgresServer.standBy(this.#link.port);
    if (!this.#isSynchronous) return;
    await primary.query('postgres', "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await primary.query('postgres', 'SELECT pg_reload_conf()');
    const follows = "SELECT FROM pg_stat_replication WHERE sync_state = 'sync'";
    while ((await primary.query('postgres', follows)).length === 0) await wait(20);
  }

  /** The stand-by becomes the primary, and has none itself. The former one, which is returned, is left as it is. */
  async promote(): Promise<PostgresServer> {
    const { primary, standBy, link } = this;
    await standBy.query('postgres', 'SELECT pg_promote()');
    this.primary = standBy;
    this.#standBy = undefined;
    this.#link = undefined;
    await link.stop();
    return primary;
  }

  /** The primary dies; the address leads to the stand-by, for a while before that takes writes. */
  async failOver(whileMs: number): Promise<void> {
    await this.primary.kill();
    await wait(whileMs);
    this.address.lead(this.standBy.port);
    await wait(whileMs);
    (await this.promote()).remove();
  }

  async stop(): Promise<void> {
    await this.address.stop();
    await this.#link?.stop();
    await this.#standBy?.stop();
    await this.primary.stop();
  }
}
