import type { OperatorDecision, StoredMarket } from '../../../market/stores.ts';
import { Connection, REPEATABLE } from '../server/connection.ts';
import { columnsOf, rangeRows, recordOf, type StoredRange } from './columns.ts';
import { IDENTITY_SERVER } from './schema.ts';
import { FOLLOW, MOVING, TAKE_DECISIONS, TAKE_NUMBERS, TAKE_RANGES } from './statements.ts';

const AT_ONCE = 500;

/**
 * Writes what another store holds, where nothing stands yet; whatever was written before may be written again. No host begins
 * to work with a part of it.
 */
export class IdentityImport {
  readonly #connection: Connection;

  private constructor(url: string) {
    this.#connection = new Connection(url, IDENTITY_SERVER);
  }

  /** @throws StoreOpenError where the tables cannot be used */
  static async open(url: string): Promise<IdentityImport> {
    const target = new IdentityImport(url);
    try {
      await target.#connection.ready();
    } catch (cause) {
      await target.close();
      throw cause;
    }
    return target;
  }

  get place(): string {
    return this.#connection.place;
  }

  /** A contract, a decision or a number that is there already stays as it is. */
  async take({ identities, decisions, sourceIds }: StoredMarket): Promise<void> {
    await this.#write(MOVING, [true]);
    const sequences = decisions.map(({ sequence }) => sequence);
    await this.#write(TAKE_DECISIONS, [sequences, decisions.map((decision) => JSON.stringify(decision))]);
    await this.#write(TAKE_NUMBERS, [sourceIds.map(([venue]) => venue), sourceIds.map(([, id]) => id)]);
    const rows = rangeRows(identities);
    for (let from = 0, to = 0; from < rows.length; from = to) {
      // All ranges of a contract go together.
      to = rows.findIndex(([, , generation], i) => i >= from + AT_ONCE && generation === 0);
      if (to < 0) to = rows.length;
      await this.#write(TAKE_RANGES, columnsOf(rows.slice(from, to)));
    }
    await this.#write(MOVING, [false]);
  }

  /** Made any number of times. */
  async #write(sql: string, values: readonly unknown[]): Promise<void> {
    await this.#connection.write({ sql, values, isMade: REPEATABLE });
  }

  async all(): Promise<StoredMarket> {
    const [row] = await this.#connection.read(FOLLOW, [0]);
    const numbers = (row?.source_ids ?? []) as readonly { venue: string; id: number }[];
    return {
      identities: ((row?.ranges ?? []) as readonly StoredRange[]).map(recordOf),
      decisions: (row?.decisions ?? []) as readonly OperatorDecision[],
      sourceIds: numbers.map(({ venue, id }) => [venue, id] as const),
    };
  }

  close(): Promise<void> {
    return this.#connection.close();
  }
}
