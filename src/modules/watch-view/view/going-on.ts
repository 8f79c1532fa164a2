import { useEffect, useState } from 'preact/hooks';
import { keepBoughtWatches } from './bought-watches.ts';
import { notify } from './notices.ts';
import { type FollowedWatch, WatchFollower } from './watch-follower.ts';
import { type KeptWatch, keptWatches, onWatches } from './watch-store.ts';

/** The watches of this browser; `unkept` where it keeps nothing, undefined until they are read. */
export type MyWatches = readonly FollowedWatch[] | 'unkept' | undefined;

/** By id, in the order of the list. */
let followers: ReadonlyMap<string, WatchFollower> = new Map();
let known: 'unkept' | 'kept' | undefined;
/** Called after each change of a watch. */
const lookers = new Set<() => void>();

const tell = (): void => {
  for (const look of lookers) look();
};

function followerOf(kept: KeptWatch): WatchFollower {
  const before = followers.get(kept.id);
  if (before?.kept.secret === kept.secret) return before;
  before?.stop();
  const follower = new WatchFollower(kept, { changed: tell, fired: notify });
  void follower.run();
  return follower;
}

/** Follows the watches of the list, and no others. */
async function follow(): Promise<void> {
  const kept = await keptWatches();
  const next = new Map(kept.map((watch) => [watch.id, followerOf(watch)]));
  for (const [id, follower] of followers) if (!next.has(id)) follower.stop();
  followers = next;
  known = 'kept';
  tell();
}

async function begin(): Promise<void> {
  onWatches(() => void follow());
  try {
    await keepBoughtWatches();
    await follow();
  } catch {
    known = 'unkept';
    tell();
  }
}

let begun: Promise<void> | undefined;

/** Follows this browser's watches until the page is closed, whichever view is shown. */
export function followWatches(): Promise<void> {
  begun ??= begin();
  return begun;
}

const watchesNow = (): MyWatches =>
  known === 'kept' ? [...followers.values()].map(({ state }) => state) : known;

/** The watches of this browser as they stand. */
export function useMyWatches(): MyWatches {
  const [watches, setWatches] = useState(watchesNow);
  useEffect(() => {
    const look = (): void => setWatches(watchesNow());
    lookers.add(look);
    void followWatches();
    look();
    return () => {
      lookers.delete(look);
    };
  }, []);
  return watches;
}

/** Reads a watch now. */
export const lookAtWatch = (id: string): void => followers.get(id)?.look();
