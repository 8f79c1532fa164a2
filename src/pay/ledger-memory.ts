import type { LedgerStore, LedgerTransaction } from './ledger-store.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply } from './types.ts';

/** Payments of one process, gone with it. For tests; transactions are trivially alone. */
export function createMemoryStore(): LedgerStore {
  const records = new Map<string, PaymentRecord>();
  const answers = new Map<string, HttpReply>();
  let bytes = 0;
  const tx: LedgerTransaction = {
    get: (key) => records.get(key),
    put: (record) => void records.set(record.key, record),
    remove: (key) => void records.delete(key),
    putAnswer: (key, answer) => void answers.set(key, answer),
    removeAnswer: (key) => void answers.delete(key),
    usedBytes: () => bytes,
    addBytes: (delta) => {
      bytes += delta;
    },
  };
  return {
    read: (key) => records.get(key),
    readAnswer: (key) => answers.get(key),
    transact: async (work) => work(tx),
    flushed: async () => {},
    due: (now, limit) =>
      [...records.values()]
        .filter(({ dueAt }) => dueAt !== undefined && dueAt <= now)
        .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(0, limit)
        .map(({ key }) => key),
    list: ({ before, limit }) =>
      [...records.values()]
        .filter(({ claimedAt }) => before === undefined || claimedAt < before)
        .sort((a, b) => b.claimedAt - a.claimedAt)
        .slice(0, limit),
    close: async () => {},
  };
}
