import { type Clock, systemClock } from '../../../domain/clock.ts';
import type { OpenModule } from '../../../host/module.ts';
import { fill } from '../../../runtime/port.ts';
import { StoreUnreachable } from '../../../storage/remote-state.ts';
import type { StoreFormat } from '../../../storage/store-folder.ts';
import { TABLES_PLACE } from '../../tables/port.ts';
import type { Tables, TablesPlace } from '../../tables/tables.ts';
import { Connection } from '../server/connection.ts';
import { Listener } from '../server/listener.ts';
import { ServerClock } from '../server/server-clock.ts';
import { TABLES_SERVER } from './schema.ts';
import { SharedRows } from './shared-rows.ts';
import { SharedTables } from './shared-tables.ts';
import { CHANNEL } from './statements.ts';

/** Tables that hosts share on a server: over few connections, whatever their number. */
export class SharedPlace implements TablesPlace {
  readonly #connection: Connection;
  readonly #listener: Listener;
  readonly #clock: ServerClock;
  readonly #open = new Set<SharedTables>();

  /**
   * @param url postgres://user:password@host:port/database
   * @param clock of this host: it counts until the server has told its time
   */
  constructor(url: string, clock: Clock = systemClock) {
    this.#clock = new ServerClock(clock);
    this.#connection = new Connection(url, TABLES_SERVER);
    this.#listener = new Listener(url, CHANNEL, () => {
      for (const tables of this.#open) tables.look();
    });
  }

  /** A server that does not answer is asked again by the first transaction: until then the copy is as it was. */
  async open(space: string, folder: string, format: StoreFormat): Promise<Tables> {
    const rows = new SharedRows(this.#connection, space, this.#clock);
    const tables = new SharedTables({ rows, clock: this.#clock, folder, format });
    this.#open.add(tables);
    try {
      await tables.follow();
    } catch (cause) {
      if (cause instanceof StoreUnreachable) return tables;
      await tables.close();
      throw cause;
    }
    return tables;
  }

  /** Ends the connections; what it has opened is closed before. */
  async close(): Promise<void> {
    this.#listener.close();
    await this.#connection.close();
  }
}

/** Fills the port of tables: modules that end before this one close what they have opened. */
export function openTables(url: string, clock: Clock): OpenModule {
  const place = new SharedPlace(url, clock);
  return { ports: [fill(TABLES_PLACE, place)], stop: () => place.close() };
}
