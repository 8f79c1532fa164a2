import type { Database } from 'lmdb';
import type { UnixMs } from '../domain/units.ts';
import { versionOf } from './ledger-tables.ts';
import { mayHoldIdentifier, type PaymentRecord } from './record.ts';

/** Entries that are looked at in one sweep; the next goes on behind them. */
const A_SWEEP = 1_000;

/** The hash of a payment identifier, and the id of its payment. */
interface Entry {
  readonly key: Buffer;
  readonly value: Buffer;
}

/** Payment identifiers of an LMDB ledger. */
export class PurchaseTable {
  readonly #table: Database<Buffer, Buffer>;
  readonly #recordOf: (id: Buffer) => PaymentRecord | undefined;
  /** The last that was swept; undefined: the next sweep begins anew. */
  #swept: Buffer | undefined;

  constructor(table: Database<Buffer, Buffer>, recordOf: (id: Buffer) => PaymentRecord | undefined) {
    this.#table = table;
    this.#recordOf = recordOf;
  }

  /** The payment that has the identifier, or had it last. */
  read(paymentIdHash: string): PaymentRecord | undefined {
    const id = this.#table.get(Buffer.from(paymentIdHash, 'hex'));
    return id === undefined ? undefined : this.#recordOf(id);
  }

  /** Some of the entries that stand for nothing any more. */
  free(now: UnixMs): readonly Entry[] {
    const behind = this.#swept === undefined ? {} : { start: this.#swept, exclusiveStart: true };
    const entries: readonly Entry[] = [...this.#table.getRange({ ...behind, limit: A_SWEEP })];
    this.#swept = entries.length < A_SWEEP ? undefined : entries.at(-1)?.key;
    return entries.filter(({ value }) => {
      const record = this.#recordOf(value);
      return record === undefined || !mayHoldIdentifier(record, now);
    });
  }

  /** Removes an entry, where it is still that of the same payment. */
  remove({ key, value }: Entry): Promise<boolean> {
    return this.#table.remove(key, versionOf(value));
  }
}
