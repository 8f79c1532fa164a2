import { answered, done, opener } from '../../../../web/pay/database.ts';
import type { Condition } from './condition-words.ts';

/** A watch that this browser can read. */
export interface KeptWatch {
  readonly id: string;
  /** It is sent in a header alone, and never part of an address. */
  readonly secret: string;
  /** When it was added, ms by this machine's clock. */
  readonly addedAt: number;
  /** The condition as it was last read; undefined before that. */
  readonly condition?: Condition;
  /** Set where its secret is a token by a wallet's signature: until when it reads, ms by the service's clock. */
  readonly readsUntil?: number;
}

/** A watch that was taken from the list: a purchase that is still kept does not bring it back. */
interface Removed {
  readonly id: string;
  readonly removedAt: number;
}

const WATCHES = 'watches';
const database = opener('perpmeter-watches', WATCHES, 'id');
/** Noted so that the next load of the page goes on with them. */
const MARK = 'perpmeter-watches';

/** Called after each change of the list. */
const watchers = new Set<() => void>();

/** Calls back after each change of the list in this tab. @returns stops that */
export function onWatches(changed: () => void): () => void {
  watchers.add(changed);
  return () => watchers.delete(changed);
}

const isKept = (entry: KeptWatch | Removed): entry is KeptWatch => 'secret' in entry;

async function write(
  change: (entries: IDBObjectStore, before: (KeptWatch | Removed)[]) => void,
): Promise<void> {
  const transaction = (await database()).transaction(WATCHES, 'readwrite', { durability: 'strict' });
  const end = done(transaction);
  const entries = transaction.objectStore(WATCHES);
  change(entries, await answered<(KeptWatch | Removed)[]>(entries.getAll()));
  await end;
  localStorage.setItem(MARK, '1');
  for (const changed of watchers) changed();
}

/** The watches of this browser, the latest first. Rejects where it keeps nothing. */
export async function keptWatches(): Promise<readonly KeptWatch[]> {
  const transaction = (await database()).transaction(WATCHES, 'readonly');
  const all = await answered<(KeptWatch | Removed)[]>(transaction.objectStore(WATCHES).getAll());
  return all.filter(isKept).sort((a, b) => b.addedAt - a.addedAt);
}

/** Keeps watches, in the place of those of the same id. Rejects where the browser keeps nothing. */
export const keepWatches = (watches: readonly KeptWatch[]): Promise<void> =>
  write((entries) => {
    for (const watch of watches) entries.put(watch);
  });

/** Keeps watches that the list does not have, nor had. */
export const keepNewWatches = (watches: readonly KeptWatch[]): Promise<void> =>
  write((entries, before) => {
    const known = new Set(before.map(({ id }) => id));
    for (const watch of watches) if (!known.has(watch.id)) entries.put(watch);
  });

/** Keeps watches that a wallet may read, but for those whose secret is here. */
export const keepReadable = (watches: readonly KeptWatch[]): Promise<void> =>
  write((entries, before) => {
    const secret = new Set(
      before.filter(isKept).flatMap(({ id, readsUntil }) => (readsUntil === undefined ? id : [])),
    );
    for (const watch of watches) if (!secret.has(watch.id)) entries.put(watch);
  });

/** Takes a watch from the list; the service goes on watching. */
export const removeWatch = (id: string): Promise<void> =>
  write((entries) => {
    const removed: Removed = { id, removedAt: Date.now() };
    entries.put(removed);
  });
