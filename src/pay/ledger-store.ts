import type { UnixMs } from '../domain/units.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply } from './types.ts';

/** What happens inside one transaction; seen by others all at once or not at all. */
export interface LedgerTransaction {
  get(key: string): PaymentRecord | undefined;
  /** Writes the record and keeps the indexes (due time, claim time) in step. */
  put(record: PaymentRecord): void;
  remove(key: string): void;
  putAnswer(key: string, answer: HttpReply): void;
  removeAnswer(key: string): void;
  /** Bytes counted against the answer store, over all processes. */
  usedBytes(): number;
  addBytes(delta: number): void;
}

export interface LedgerQuery {
  /** Claimed before this time; newest first. */
  readonly before?: UnixMs;
  readonly limit: number;
}

/** Where payments are kept. Several processes may share one store: transactions are their only agreement. */
export interface LedgerStore {
  read(key: string): PaymentRecord | undefined;
  readAnswer(key: string): HttpReply | undefined;
  /** Runs alone against all other transactions of all processes; resolved when it is visible to them. */
  transact<T>(work: (tx: LedgerTransaction) => T): Promise<T>;
  /** Resolved when everything committed so far would survive a loss of power. */
  flushed(): Promise<void>;
  /** Keys whose due time has come, earliest first. */
  due(now: UnixMs, limit: number): readonly string[];
  list(query: LedgerQuery): readonly PaymentRecord[];
  close(): Promise<void>;
}
