import { asMs } from '../domain/units.ts';
import { DAY_MS } from '../runtime/duration.ts';
import { type AccountKind, accountSums } from './account-sums.ts';
import { accountViews } from './account-view.ts';
import { usdText } from './amount.ts';
import type { Ledger } from './ledger.ts';
import { OPEN_STATES } from './record.ts';
import type { SchemeOffer } from './scheme.ts';
import type { SchemeEntry } from './schemes/entry.ts';

/** Payments and accounts that are counted at most, and for how long ahead. */
const COUNTED = { most: 1_000, aheadMs: 30 * DAY_MS } as const;

/** All that is not over of a scheme on a network. */
interface Open extends AccountKind {
  readonly payments: number;
  /** Charged and not claimed on its accounts, atomic units. */
  readonly owed: bigint;
}

/**
 * A sentence about each scheme on each network where it is not offered any more, and where something is open that nobody looks
 * after.
 *
 * @param entries all schemes
 * @param offered all that is offered
 */
export async function unattended(
  ledger: Ledger,
  entries: readonly SchemeEntry[],
  offered: readonly Pick<SchemeOffer, 'name' | 'seller'>[],
): Promise<readonly string[]> {
  const isOffered = ({ scheme, network }: Open): boolean =>
    offered.some(({ name, seller }) => name === scheme && seller.network.id === network);
  const left = (await openIn(ledger, entries)).filter((open) => !isOffered(open));
  return left.map(({ scheme, network = 'an unknown network', payments, owed }) => {
    const isElsewhere = offered.some(({ name }) => name === scheme);
    const setting = entries.find(({ format }) => format.name === scheme)?.setting;
    const settings = isElsewhere || setting === undefined ? ['PAYMENT_NETWORK'] : [];
    if (setting !== undefined) settings.push(setting);
    const what = [`${payments} payments of it are open`];
    if (owed > 0n) what.push(`and ${usdText(owed)} USD are not claimed, which its buyers can take back`);
    return `${scheme} on ${network} is not offered any more: ${what.join(', ')}; set ${settings.join(' and ')} again as before`;
  });
}

async function openIn(ledger: Ledger, entries: readonly SchemeEntry[]): Promise<readonly Open[]> {
  const { clock, accounts } = ledger;
  const payments = await ledger.due(asMs(clock.now() + COUNTED.aheadMs), COUNTED.most, OPEN_STATES);
  const formats = entries.map(({ format }) => format);
  const sums = await accountSums(accounts === undefined ? [] : accountViews(accounts, formats), payments);
  const all = sums.map(({ scheme, network, unclaimed }) => ({
    scheme,
    network,
    payments: payments.filter((record) => record.scheme === scheme && record.network === network).length,
    owed: unclaimed,
  }));
  return all.filter((open) => open.payments > 0 || open.owed > 0n);
}
