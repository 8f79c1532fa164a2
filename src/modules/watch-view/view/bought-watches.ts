import type { WatchDayAnswer } from '../../../../packages/client/src/routes.ts';
import { onBought } from '../../../../web/pay/purchase.ts';
import { type KeptPurchase, keptPurchases } from '../../../../web/pay/purchase-store.ts';
import { type KeptWatch, keepNewWatches } from './watch-store.ts';

/** Paths that sell watches. */
export const SOLD = { day: '/v1/watch/day', month: '/v1/watch/month' } as const;

const isSale = (path: string): boolean => Object.values(SOLD).some((sold) => path.startsWith(`${sold}?`));

/** The watch that an answer has sold, as this browser keeps it; undefined of a renewal, whose secret stays. */
export function soldWatch({ id, secret, condition }: WatchDayAnswer): KeptWatch | undefined {
  if (secret === null || condition === null) return undefined;
  return { id, secret, addedAt: Date.now(), condition };
}

const watchesIn = (purchases: readonly KeptPurchase[]): readonly KeptWatch[] =>
  purchases
    .filter(({ path }) => isSale(path))
    .flatMap(({ bytes }) => soldWatch(JSON.parse(new TextDecoder().decode(bytes)) as WatchDayAnswer) ?? []);

/** Keeps the watches of purchases, those of the last day among them, wherever on the page they were made. */
export async function keepBoughtWatches(): Promise<void> {
  onBought((kept) => {
    const found = watchesIn([kept]);
    if (found.length > 0) void keepNewWatches(found);
  });
  const found = watchesIn(await keptPurchases(Date.now()));
  if (found.length > 0) await keepNewWatches(found);
}
