import type { AccountStore, LedgerStore } from '../../src/pay/ledger-store.ts';
import { StoreUnreachable } from '../../src/storage/remote-state.ts';
import type { Steps } from './model-steps.ts';
import type { Way } from './model-way.ts';

/** `cut`: nothing passes; `deaf`: no answer comes back; `lost once`: the next answer does not. */
export type NetworkFault = 'cut' | 'deaf' | 'lost once';

interface Watching {
  readonly steps: Steps;
  /** The way of paying, which is made with the store. */
  wayOf(): Way;
}

/** The parts of a run that a process's view of the store is built on. */
interface Shared {
  readonly store: LedgerStore;
  readonly steps: Steps;
  readonly way: Way;
  readonly networks: Map<string, NetworkFault>;
}

/** The store, with the way of paying told of what becomes of it. */
export function watchedStore(store: LedgerStore, { steps, wayOf }: Watching): LedgerStore {
  const accounts = accountsOf(store);
  const note = <T>(name: string, stored: unknown, done: T): T => {
    if (done !== undefined && done !== false) steps.histories.note('store', name, stored);
    return done;
  };
  const then = async <T>(name: string, stored: unknown, written: Promise<T>): Promise<T> => {
    const done = await written;
    note(name, stored, done);
    wayOf().stored?.();
    return done;
  };
  return {
    ...store,
    insert: (...stored) => then('insert', stored, store.insert(...stored)),
    replace: (...stored) => then('replace', stored, store.replace(...stored)),
    arrive: async (...stored) => note('arrive', stored, await store.arrive(...stored)),
    remove: (...stored) => then('remove', stored, store.remove(...stored)),
    accounts: { ...accounts, write: (change) => then('write', change, accounts.write(change)) },
    flushed: async () => wayOf().flushed?.(),
  };
}

/** All that a process reads at once becomes part of its history. */
function readStore(actor: string, { store, steps }: Shared): LedgerStore {
  const { histories } = steps;
  const accounts = accountsOf(store);
  const noted = <T>(name: string, value: T): T => {
    histories.note(actor, name, value);
    return value;
  };
  return {
    ...store,
    read: (key) => noted('read', store.read(key)),
    readPurchase: (hash) => noted('read purchase', store.readPurchase(hash)),
    readAnswer: (record) => noted('read answer', store.readAnswer(record)),
    readReceipts: (record) => noted('read receipts', store.readReceipts(record)),
    due: (...query) => noted('due', store.due(...query)),
    list: (query) => noted('list', store.list(query)),
    answerBytes: () => noted('answer bytes', store.answerBytes()),
    accounts: {
      ...accounts,
      read: (id) => noted('read account', accounts.read(id)),
      list: (query) => noted('list accounts', accounts.list(query)),
    },
  };
}

/** Reading is at once, as it is from a mapped file; writing takes a step, and so does a flush where it matters. */
export function steppedStore(actor: string, shared: Shared): LedgerStore {
  const { steps, way } = shared;
  const store = readStore(actor, shared);
  const accounts = accountsOf(store);
  const flush = (): Promise<void> => steps.wait(actor, 'flush', () => store.flushed());
  return {
    ...store,
    insert: (...stored) => steps.wait(actor, 'insert', () => store.insert(...stored)),
    replace: (...stored) =>
      steps.wait(actor, `replace by ${stored[1].state}`, () => store.replace(...stored)),
    arrive: (...stored) => steps.wait(actor, 'arrive', () => store.arrive(...stored)),
    remove: (...stored) => steps.wait(actor, 'remove', () => store.remove(...stored)),
    accounts: {
      ...accounts,
      write: (change) => steps.wait(actor, 'write account', () => accounts.write(change)),
    },
    flushed: way.flushed === undefined ? store.flushed : flush,
  };
}

/** Asking and its answer are two steps, and between them the network may fail. */
export function remoteStore(actor: string, shared: Shared): LedgerStore {
  const { steps, networks } = shared;
  const store = readStore(actor, shared);
  const call = async <T>(name: string, isWrite: boolean, effect: () => T | Promise<T>): Promise<T> => {
    const done = await steps.wait(actor, name, () => {
      if (networks.get(actor) === 'cut') throw new StoreUnreachable('the ledger', undefined, false);
      return effect();
    });
    return steps.wait(actor, `${name} answered`, () => {
      const fault = networks.get(actor);
      if (fault === 'lost once') networks.delete(actor);
      if (fault === undefined) return done;
      throw new StoreUnreachable('the ledger', undefined, isWrite);
    });
  };
  const accounts = accountsOf(store);
  return {
    ...store,
    read: (key) => call('read', false, () => store.read(key)),
    readPurchase: (hash) => call('read purchase', false, () => store.readPurchase(hash)),
    readAnswer: (record) => call('read answer', false, () => store.readAnswer(record)),
    insert: (...stored) => call('insert', true, () => store.insert(...stored)),
    replace: (...stored) => call('replace', true, () => store.replace(...stored)),
    arrive: (...stored) => call('arrive', true, () => store.arrive(...stored)),
    remove: (...stored) => call('remove', true, () => store.remove(...stored)),
    accounts: {
      read: (id) => call('read account', false, () => accounts.read(id)),
      list: (query) => call('list accounts', false, () => accounts.list(query)),
      write: (change) => call('write account', true, () => accounts.write(change)),
    },
  };
}

function accountsOf({ accounts }: LedgerStore): AccountStore {
  if (accounts === undefined) throw new Error('a store without accounts');
  return accounts;
}
