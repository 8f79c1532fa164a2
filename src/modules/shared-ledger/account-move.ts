import type { Account } from '../../pay/account.ts';
import type { LedgerStore } from '../../pay/ledger-store.ts';
import type { LedgerImport } from './payments/ledger-import.ts';

const AT_ONCE = 500;

/** The running accounts of a store, in parts. */
async function* parts({ accounts }: LedgerStore): AsyncGenerator<readonly Account[]> {
  let after: string | undefined;
  for (;;) {
    const query = after === undefined ? { limit: AT_ONCE } : { limit: AT_ONCE, after };
    const found = (await accounts?.list(query)) ?? [];
    if (found.length > 0) yield found;
    if (found.length < AT_ONCE) return;
    after = found.at(-1)?.id;
  }
}

/** Carries all accounts over. */
export async function carryAccounts(from: LedgerStore, target: LedgerImport): Promise<void> {
  for await (const part of parts(from)) await target.accounts(part);
}

/** Accounts of a store beside those of the server. */
export interface AccountsCompared {
  readonly count: number;
  /** They have been changed by the server's hosts since. */
  readonly later: number;
  /** They are not there, or not the same. */
  readonly different: number;
}

/** Compares the accounts of a store with those of the server. */
export async function compareAccounts(from: LedgerStore, target: LedgerImport): Promise<AccountsCompared> {
  const compared = { count: 0, later: 0, different: 0 };
  for await (const part of parts(from)) {
    const stored = await target.storedAccounts(part.map(({ id }) => id));
    for (const { id, version, row } of part) {
      const there = stored.get(id);
      compared.count++;
      if (there !== undefined && there.version > version) compared.later++;
      else if (there?.version !== version || there.row !== row) compared.different++;
    }
  }
  return compared;
}
