import type { Account, AccountView } from './account.ts';
import type { AccountStore } from './ledger-store.ts';
import type { PaymentRecord } from './record.ts';
import type { SchemeFormat } from './scheme.ts';

const READ_AT_ONCE = 500;

/** All accounts of a ledger that these schemes can read, in the order of their ids. Other work has its turn between pages. */
export async function* accountViews(
  store: AccountStore,
  formats: readonly SchemeFormat[],
): AsyncGenerator<AccountView> {
  let after: string | undefined;
  for (;;) {
    const found = await store.list({ limit: READ_AT_ONCE, ...(after !== undefined && { after }) });
    for (const account of found) {
      const view = accountView(account, formats);
      if (view !== undefined) yield view;
    }
    after = found.at(-1)?.id;
    if (found.length < READ_AT_ONCE) return;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

/** The account on which a payment stands; undefined where it stands alone. */
export const accountIdOf = (
  { scheme, signed }: Pick<PaymentRecord, 'scheme' | 'signed'>,
  formats: readonly SchemeFormat[],
): string | undefined => formats.find(({ name }) => name === scheme)?.accounts?.idOf(signed);

/** An account as the first of these schemes reads it which can. */
export function accountView(account: Account, formats: readonly SchemeFormat[]): AccountView | undefined {
  for (const { accounts } of formats) {
    const view = accounts?.view(account);
    if (view !== undefined) return view;
  }
  return undefined;
}
