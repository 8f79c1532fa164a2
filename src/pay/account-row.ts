import { iso } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import { type AccountView, unclaimedOf } from './account.ts';
import { checksumAddress } from './address.ts';
import { usdText } from './amount.ts';

/** An account as commands and documents show it; amounts in US dollars. */
export interface AccountRow {
  readonly id: string;
  readonly scheme: string;
  readonly network: string | null;
  readonly payer: string;
  readonly stage: string;
  readonly balance_usd: string;
  readonly charged_usd: string;
  readonly claimed_usd: string;
  readonly unclaimed_usd: string;
  readonly unclaimed_since: string | null;
  /** From then on it is to be claimed. */
  readonly due_at: string | null;
  readonly used_at: string | null;
  readonly seen_at: string;
  /** From then on the buyer can take its money out. */
  readonly leaves_at: string | null;
}

export function accountRow(view: AccountView): AccountRow {
  return {
    id: view.id,
    scheme: view.scheme,
    network: view.network ?? null,
    payer: checksumAddress(view.payer),
    stage: view.stage,
    balance_usd: usdText(view.balance),
    charged_usd: usdText(view.charged),
    claimed_usd: usdText(view.claimed),
    unclaimed_usd: usdText(unclaimedOf(view)),
    unclaimed_since: time(view.owedSince),
    due_at: time(view.dueAt),
    used_at: time(view.usedAt),
    seen_at: iso(view.seenAt),
    leaves_at: time(view.leavesAt),
  };
}

const time = (at: UnixMs | undefined): string | null => (at === undefined ? null : iso(at));
