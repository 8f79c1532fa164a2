import type { AccountChange } from './account.ts';
import type { Stage } from './lifecycle.ts';
import type { PaywallParts } from './paywall-context.ts';
import type { PaymentRecord } from './record.ts';
import { type AccountStep, schemeOf } from './scheme.ts';

/** An account may change beside its payments, as where the chain is looked at. */
const TRIES = 5;

/**
 * Makes a change of a payment together with that of its account, where it stands on one: both are stored, or neither is.
 * Undefined where either has gone on without the other.
 *
 * @param to stage to which the payment is brought
 */
export async function withAccount<Stored>(
  { schemes, ledger }: Pick<PaywallParts, 'schemes' | 'ledger'>,
  record: PaymentRecord,
  to: Stage,
  write: (account: AccountChange | undefined) => Promise<Stored | undefined>,
): Promise<Stored | undefined> {
  const accounts = schemeOf(schemes, record)?.accounts;
  const step = accounts && accountStep(record, to);
  if (accounts === undefined || step === undefined) return write(undefined);
  for (let i = 0; i < TRIES; i++) {
    const account = await accounts.change(record, step);
    if (account === 'stale') return undefined;
    const stored = await write(account);
    if (stored !== undefined || !(await ledger.isUnchanged(record))) return stored;
  }
  return undefined;
}

/** The step that the account of a payment takes with it; undefined where nothing changes for it. */
function accountStep({ state }: PaymentRecord, to: Stage): AccountStep | undefined {
  if (state === 'claimed') return to === 'settling' ? 'held' : to === 'settled' ? 'sold' : undefined;
  if (state !== 'settling' && state !== 'unknown') return undefined;
  if (to === 'settled') return 'settled';
  return to === 'none' || to === 'refused' || to === 'unproven' ? 'dropped' : undefined;
}
