import type { Account, AccountChange } from '../../src/pay/account.ts';
import { type AccountStore, answerSize, type LedgerStore } from '../../src/pay/ledger-store.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import type { SaleReceipts } from '../../src/pay/sale.ts';
import { arrivedRecord } from '../../src/pay/transition.ts';
import type { HttpReply } from '../../src/pay/types.ts';

interface Tables {
  readonly records: Map<string, PaymentRecord>;
  readonly answers: Map<string, HttpReply>;
  readonly receiptsOf: Map<string, SaleReceipts>;
  /** Keys of payments by their identifiers. */
  readonly purchases: Map<string, string>;
  readonly running: Map<string, Account>;
}

/** Payments of one process, gone with it. For tests; changes are trivially alone. */
export function createMemoryStore(): LedgerStore {
  const tables: Tables = {
    records: new Map(),
    answers: new Map(),
    receiptsOf: new Map(),
    purchases: new Map(),
    running: new Map(),
  };
  const { records, answers, receiptsOf, purchases } = tables;
  return {
    read: (key) => records.get(key),
    readPurchase: (hash) => records.get(purchases.get(hash) ?? ''),
    readAnswer: ({ answerId }) => answers.get(answerId ?? ''),
    readReceipts: ({ key }) => receiptsOf.get(key),
    ...changesOf(tables),
    ...listsOf(tables),
    async sweep() {
      const held = new Set([...records.values()].map(({ answerId }) => answerId));
      const left = [...answers.keys()].filter((id) => !held.has(id));
      for (const id of left) answers.delete(id);
      return left.length;
    },
    flushed: async () => {},
    accounts: accountsOf(tables),
    hasRoom: () => true,
    answerBytes: () => [...answers.values()].reduce((sum, answer) => sum + answerSize(answer), 0),
    close: async () => {},
  };
}

type Changes = Pick<LedgerStore, 'insert' | 'replace' | 'arrive' | 'remove'>;

const isCurrent = ({ running }: Tables, change: AccountChange | undefined): boolean =>
  change === undefined || (running.get(change.id)?.version ?? 0) === change.version;

function putAccount({ running }: Tables, change: AccountChange | undefined): void {
  if (change !== undefined) running.set(change.id, { ...change, version: change.version + 1 });
}

const accountsOf = (tables: Tables): AccountStore => ({
  read: (id) => tables.running.get(id),
  list: ({ after = '', limit }) =>
    [...tables.running.values()]
      .filter(({ id }) => id > after)
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, limit),
  async write(change) {
    if (!isCurrent(tables, change)) return false;
    putAccount(tables, change);
    return true;
  },
});

function changesOf(tables: Tables): Changes {
  const { records, answers, receiptsOf, purchases } = tables;
  let named = 0;
  const isStored = ({ key, version, state }: PaymentRecord): boolean => {
    const stored = records.get(key);
    return stored?.version === version && stored.state === state;
  };
  return {
    async insert(unanswered, answer, { former, receipts, account } = {}) {
      const { key, paymentIdHash } = unanswered;
      if (records.has(key) || !isCurrent(tables, account)) return undefined;
      if (paymentIdHash !== undefined) {
        if (purchases.get(paymentIdHash) !== former?.key) return undefined;
        purchases.set(paymentIdHash, key);
      }
      putAccount(tables, account);
      const record = { ...unanswered, answerId: String(++named) };
      records.set(record.key, record);
      if (receipts !== undefined) receiptsOf.set(record.key, receipts);
      answers.set(record.answerId, answer);
      return record;
    },
    async replace(before, next, { receipts, account } = {}) {
      if (!isStored(before) || !isCurrent(tables, account)) return false;
      putAccount(tables, account);
      if (receipts !== undefined) receiptsOf.set(next.key, receipts);
      records.set(next.key, next);
      if (next.answerId === undefined) answers.delete(before.answerId ?? '');
      return true;
    },
    async arrive(record, at) {
      if (!isStored(record)) return false;
      records.set(record.key, arrivedRecord(record, at));
      answers.delete(record.answerId ?? '');
      return true;
    },
    async remove(record, account) {
      if (!isStored(record) || !isCurrent(tables, account)) return false;
      putAccount(tables, account);
      records.delete(record.key);
      if (purchases.get(record.paymentIdHash ?? '') === record.key)
        purchases.delete(record.paymentIdHash ?? '');
      answers.delete(record.answerId ?? '');
      return true;
    },
  };
}

const listsOf = ({ records }: Tables): Pick<LedgerStore, 'due' | 'list'> => ({
  due: (by, limit, states) =>
    [...records.values()]
      .filter(({ dueAt, state }) => dueAt !== undefined && dueAt <= by && states.has(state))
      .sort((a, b) => (a.dueAt ?? 0) - (b.dueAt ?? 0))
      .slice(0, limit),
  list: ({ before, limit }) =>
    [...records.values()]
      .filter(({ claimedAt }) => before === undefined || claimedAt < before)
      .sort((a, b) => b.claimedAt - a.claimedAt || (a.key < b.key ? 1 : -1))
      .slice(0, limit),
});
