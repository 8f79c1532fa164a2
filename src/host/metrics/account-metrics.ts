import { type AccountKind, type AccountSums, accountSums } from '../../pay/account-sums.ts';
import { accountViews } from '../../pay/account-view.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { FORMATS } from '../../pay/schemes/list.ts';
import { SECOND_MS } from '../../runtime/duration.ts';
import { type MetricSet, onceATurn } from './metric-set.ts';

const ATOMIC_PER_USD = 1_000_000;
/** All accounts are read for the sums, so that they are read again after this time only. */
const KEPT_MS = 30 * SECOND_MS;

interface SumGauge {
  readonly name: string;
  readonly help: string;
  /** Undefined: no value. Times are relative to `now`, Unix ms. */
  readonly read: (sums: AccountSums, now: number) => number | undefined;
}

const usd = (atomic: bigint): number => Number(atomic) / ATOMIC_PER_USD;

const GAUGES: readonly SumGauge[] = [
  {
    name: 'charged_usd',
    help: 'Sum of all sales on the accounts, claimed or not.',
    read: ({ charged }) => usd(charged),
  },
  {
    name: 'unclaimed_usd',
    help: 'What accounts were charged and the chain has not paid yet.',
    read: ({ unclaimed }) => usd(unclaimed),
  },
  {
    name: 'unclaimed_most_usd',
    help: 'The largest unclaimed sum of one account.',
    read: ({ mostUnclaimed }) => usd(mostUnclaimed),
  },
  {
    name: 'unclaimed_age_seconds',
    help: 'Age of the oldest sale that is not claimed, 0 without one.',
    read: ({ oldestSince }, now) =>
      oldestSince === undefined ? 0 : Math.max(0, (now - oldestSince) / SECOND_MS),
  },
  {
    name: 'overdue_seconds',
    help: 'Longest time for which a claim has been due and was not made, 0 without one.',
    read: ({ dueAt }, now) => (dueAt === undefined ? 0 : Math.max(0, (now - dueAt) / SECOND_MS)),
  },
  {
    name: 'leaving',
    help: 'Accounts whose buyers have requested their money back.',
    read: ({ leaving }) => leaving,
  },
  {
    name: 'loss_in_seconds',
    help: 'Time until a buyer can take out money that it owes; no value where none can.',
    read: ({ lossAt }, now) => (lossAt === undefined ? undefined : (lossAt - now) / SECOND_MS),
  },
];

/** The accounts that have figures in any case: of each scheme that has some, on every network on which is sold. */
function kindsOn(networks: readonly string[]): readonly AccountKind[] {
  const schemes = FORMATS.flatMap(({ name, accounts }) => (accounts === undefined ? [] : [name]));
  return schemes.flatMap((scheme) => networks.map((network) => ({ scheme, network })));
}

/**
 * The running accounts of buyers, by scheme and network; nothing where the ledger keeps none.
 *
 * @param networks on which is sold, by CAIP-2 name
 */
export function accountMetrics(
  metrics: MetricSet,
  { accounts, clock }: Ledger,
  networks: () => readonly string[],
): void {
  if (accounts === undefined) return;
  let kept: { readonly at: number; readonly sums: Promise<readonly AccountSums[]> } | undefined;
  const sums = onceATurn(() => {
    if (kept === undefined || clock.now() - kept.at >= KEPT_MS)
      kept = { at: clock.now(), sums: accountSums(accountViews(accounts, FORMATS), kindsOn(networks())) };
    const { sums: reading } = kept;
    // A reading that failed is not kept.
    return reading.catch((cause: unknown) => {
      kept = undefined;
      throw cause;
    });
  });
  metrics.gauge(
    {
      name: 'perpmeter_accounts',
      help: 'Running accounts of buyers by scheme, network and stage.',
      labels: ['scheme', 'network', 'stage'],
    },
    async (set) => {
      for (const { scheme, network = '', stages } of await sums())
        for (const [stage, count] of stages) set({ scheme, network, stage }, count);
    },
  );
  const labels = ['scheme', 'network'] as const;
  for (const { name, help, read } of GAUGES)
    metrics.gauge({ name: `perpmeter_accounts_${name}`, help, labels }, async (set) => {
      for (const sum of await sums()) {
        const value = read(sum, clock.now());
        if (value !== undefined) set({ scheme: sum.scheme, network: sum.network ?? '' }, value);
      }
    });
}
