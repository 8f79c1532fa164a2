import { asMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { unclaimedOf } from './account.ts';
import { accountViews } from './account-view.ts';
import { usdText } from './amount.ts';
import type { Ledger } from './ledger.ts';
import { OPEN_STATES } from './record.ts';
import type { SchemeEntry } from './schemes/entry.ts';

/** Payments and accounts that are counted at most, and for how long ahead. */
const COUNTED = { most: 1_000, aheadMs: 30 * DAY_MS } as const;

/** A sentence about each scheme that is not offered any more, and under which something is open that nobody looks after. */
export async function unattended(ledger: Ledger, closed: readonly SchemeEntry[]): Promise<readonly string[]> {
  const until = asMs(ledger.clock.now() + COUNTED.aheadMs);
  const open = closed.length === 0 ? [] : await ledger.due(until, COUNTED.most, OPEN_STATES);
  const sentences: string[] = [];
  for (const { format, setting } of closed) {
    const payments = open.filter(({ scheme }) => scheme === format.name).length;
    const owed = await owedUnder(ledger, format);
    if (payments === 0 && owed === 0n) continue;
    sentences.push(
      `${format.name} is not offered any more: ${payments} payments of it are open, and ${usdText(owed)} USD are not claimed, ` +
        `which its buyers can take back; set ${setting ?? 'it'} again as it was`,
    );
  }
  return sentences;
}

/** Charged and not claimed on the accounts of a scheme, atomic units. */
async function owedUnder({ accounts }: Ledger, format: SchemeEntry['format']): Promise<bigint> {
  let owed = 0n;
  if (accounts === undefined || format.accounts === undefined) return owed;
  for await (const view of accountViews(accounts, [format])) owed += unclaimedOf(view);
  return owed;
}
