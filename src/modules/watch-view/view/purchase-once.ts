import { useEffect, useState } from 'preact/hooks';
import type { WatchDayAnswer } from '../../../../packages/client/src/routes.ts';
import type { Answer } from '../../../../web/data/answer.ts';
import { ask, dropBought, isBought } from '../../../../web/data/answers.ts';
import { LOADING } from '../../../../web/data/reads.ts';
import { onBought } from '../../../../web/pay/purchase.ts';
import { soldWatch } from './bought-watches.ts';
import { keepWatches } from './watch-store.ts';

/** A purchase that was asked for. */
export interface Wanted {
  readonly path: string;
  readonly answer: Answer<WatchDayAnswer>;
  /** True if this browser could not keep the watch that was sold. */
  readonly isLost: boolean;
}

/** Asks once; where nothing is charged the answer is the watch itself, which is kept here. */
async function askOnce(path: string): Promise<Omit<Wanted, 'path'>> {
  const answer = await ask<WatchDayAnswer>(path);
  const sold = answer.state === 'ready' ? soldWatch(answer.body) : undefined;
  if (sold === undefined) return { answer, isLost: false };
  return keepWatches([sold]).then(
    () => ({ answer, isLost: false }),
    () => ({ answer, isLost: true }),
  );
}

/**
 * A purchase of a watch. It is asked for by a click, and once: where nothing is charged, each answer is another watch, so that no
 * read that repeats itself may ask.
 *
 * @param paths of which one may have been bought before the page was loaded again
 */
export function usePurchaseOnce(paths: readonly string[]): {
  readonly wanted: Wanted | undefined;
  /** Asks for a path anew, also where it was bought before. */
  readonly want: (path: string) => void;
} {
  const [wanted, setWanted] = useState<Wanted>();
  const look = (path: string): void => {
    setWanted({ path, answer: LOADING, isLost: false });
    void askOnce(path).then((made) =>
      setWanted((before) => (before?.path === path ? { path, ...made } : before)),
    );
  };
  const key = paths.join(' ');
  useEffect(() => {
    const before = paths.find(isBought);
    setWanted(undefined);
    if (before !== undefined) look(before);
    return onBought(({ path }) => {
      if (paths.includes(path)) look(path);
    });
  }, [key]);
  const want = (path: string): void => {
    dropBought([path]);
    look(path);
  };
  return { wanted: wanted !== undefined && paths.includes(wanted.path) ? wanted : undefined, want };
}
