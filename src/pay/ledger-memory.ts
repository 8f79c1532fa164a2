import { answerSize, type LedgerStore } from './ledger-store.ts';
import type { PaymentRecord } from './record.ts';
import type { HttpReply } from './types.ts';

/** Payments of one process, gone with it. For tests; changes are trivially alone. */
export function createMemoryStore(): LedgerStore {
  const records = new Map<string, PaymentRecord>();
  const answers = new Map<string, HttpReply>();
  const isStored = ({ key, version }: PaymentRecord): boolean => records.get(key)?.version === version;
  return {
    read: (key) => records.get(key),
    readAnswer: ({ key }) => answers.get(key),
    async insert(record, answer) {
      if (records.has(record.key)) return false;
      records.set(record.key, record);
      answers.set(record.key, answer);
      return true;
    },
    async replace(before, next, answer) {
      if (!isStored(before)) return false;
      records.set(next.key, next);
      if (answer === 'drop') answers.delete(next.key);
      return true;
    },
    async remove(record) {
      if (!isStored(record)) return false;
      records.delete(record.key);
      answers.delete(record.key);
      return true;
    },
    flushed: async () => {},
    due: (by, limit) =>
      [...records.values()]
        .filter(({ dueAt }) => dueAt !== undefined && dueAt <= by)
        .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
        .slice(0, limit),
    list: ({ before, limit }) =>
      [...records.values()]
        .filter(({ claimedAt }) => before === undefined || claimedAt < before)
        .sort((a, b) => b.claimedAt - a.claimedAt)
        .slice(0, limit),
    answerBytes: () => [...answers.values()].reduce((sum, answer) => sum + answerSize(answer), 0),
    close: async () => {},
  };
}
