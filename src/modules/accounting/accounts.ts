import { iso } from '../../domain/clock.ts';
import type { Service } from '../../host/options.ts';
import { type AccountView, unclaimedOf } from '../../pay/account.ts';
import { accountRow } from '../../pay/account-row.ts';
import { type AccountSums, accountSums } from '../../pay/account-sums.ts';
import { accountViews } from '../../pay/account-view.ts';
import { usdText } from '../../pay/amount.ts';
import { FORMATS } from '../../pay/schemes/list.ts';
import type { AccountFigures, OperatorAccounts } from './schemas/accounts.ts';

/** Accounts that are read and listed at most: the ledger's commands have all. */
const MAX_READ = 20_000;
const MAX_LISTED = 200;

/** The running accounts of a service's buyers; none where its ledger keeps none. */
export async function operatorAccounts({
  payments,
}: {
  readonly payments: Pick<Service['payments'], 'ledger'>;
}): Promise<OperatorAccounts> {
  const store = payments.ledger?.accounts;
  const views: AccountView[] = [];
  let isComplete = true;
  if (store !== undefined)
    for await (const view of accountViews(store, FORMATS)) {
      isComplete = views.length < MAX_READ;
      if (!isComplete) break;
      views.push(view);
    }
  const sums = await accountSums(views, []);
  return {
    schemes: sums.map(figuresOf),
    accounts: views.sort(byNeed).slice(0, MAX_LISTED).map(accountRow),
    total: views.length,
    complete: isComplete,
  };
}

function figuresOf(sums: AccountSums): AccountFigures {
  const { scheme, network = null, stages, charged, unclaimed, oldestSince, leaving } = sums;
  return {
    scheme,
    network,
    stages: Object.fromEntries(stages),
    charged_usd: usdText(charged),
    claimed_usd: usdText(charged - unclaimed),
    unclaimed_usd: usdText(unclaimed),
    oldest_unclaimed: oldestSince === undefined ? null : iso(oldestSince),
    leaving,
  };
}

/** Those whose money leaves first, then those that owe most, then those that were used last. */
function byNeed(a: AccountView, b: AccountView): number {
  const never = Number.POSITIVE_INFINITY;
  const leaving = (a.leavesAt ?? never) - (b.leavesAt ?? never);
  if (leaving < 0 || leaving > 0) return leaving;
  return Number(unclaimedOf(b) - unclaimedOf(a)) || (b.usedAt ?? 0) - (a.usedAt ?? 0);
}
