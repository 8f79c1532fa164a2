import { chmodSync, mkdirSync } from 'node:fs';
import { type Database, open } from 'lmdb';
import { type Clock, systemClock } from '../domain/clock.ts';
import { Ledger } from './ledger.ts';
import type { LedgerStore, LedgerTransaction } from './ledger-store.ts';
import { createOwner } from './owner.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply } from './types.ts';

const BYTES = 'answer-bytes';

interface Tables {
  readonly root: ReturnType<typeof open>;
  readonly payments: Database<PaymentRecord, string>;
  readonly answers: Database<HttpReply, string>;
  /** [due time, key] of everything the reconciler has to look at. */
  readonly due: Database<true, [number, string]>;
  /** [claim time, key], for listings. */
  readonly byTime: Database<true, [number, string]>;
  readonly meta: Database<number, string>;
}

/**
 * Payments in an LMDB folder, shared by all processes of one host. The folder is readable by its owner only: it
 * holds signatures that may not have been used yet.
 */
export function openLmdbStore(folder: string): LedgerStore {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  chmodSync(folder, 0o700);
  const tables = openTables(folder);
  const tx = transactionOn(tables);
  return {
    read: (key) => tables.payments.get(key),
    readAnswer: (key) => tables.answers.get(key),
    transact: (work) => tables.root.transaction(() => work(tx)),
    flushed: async () => {
      await tables.root.flushed;
    },
    due: (now, limit) => [...tables.due.getKeys({ end: [now + 1, ''], limit }).map(([, key]) => key)],
    list: ({ before, limit }) =>
      [...tables.byTime.getKeys({ start: [before ?? Number.MAX_SAFE_INTEGER, ''], reverse: true, limit })]
        .map(([, key]) => tables.payments.get(key))
        .filter((record) => record !== undefined),
    close: () => tables.root.close(),
  };
}

/** The ledger in a folder: for the service, and for listings beside it. */
export function openLedger(folder: string, clock: Clock = systemClock): Ledger {
  return new Ledger({ store: openLmdbStore(folder), clock, owner: createOwner() });
}

function openTables(folder: string): Tables {
  const root = open({ path: folder, maxDbs: 8, encoding: 'msgpack' });
  return {
    root,
    payments: root.openDB({ name: 'payments' }),
    answers: root.openDB({ name: 'answers' }),
    due: root.openDB({ name: 'due' }),
    byTime: root.openDB({ name: 'by-time' }),
    meta: root.openDB({ name: 'meta' }),
  };
}

/** The writes are awaited as a whole by the transaction that runs them. */
function transactionOn({ payments, answers, due, byTime, meta }: Tables): LedgerTransaction {
  const unindex = (record: PaymentRecord | undefined): void => {
    if (record?.dueAt !== undefined) void due.remove([record.dueAt, record.key]);
  };
  return {
    get: (key) => payments.get(key),
    put(record) {
      const before = payments.get(record.key);
      if (before?.dueAt !== record.dueAt) {
        unindex(before);
        if (record.dueAt !== undefined) void due.put([record.dueAt, record.key], true);
      }
      if (before === undefined) void byTime.put([record.claimedAt, record.key], true);
      void payments.put(record.key, record);
    },
    remove(key) {
      const before = payments.get(key);
      if (before === undefined) return;
      unindex(before);
      void byTime.remove([before.claimedAt, key]);
      void payments.remove(key);
    },
    putAnswer: (key, answer) => void answers.put(key, answer),
    removeAnswer: (key) => void answers.remove(key),
    usedBytes: () => meta.get(BYTES) ?? 0,
    addBytes: (delta) => void meta.put(BYTES, (meta.get(BYTES) ?? 0) + delta),
  };
}
