import { type RecordsLocation, refuse, withLedger } from '../host/ledger-records.ts';
import { tableText } from '../host/process/table-text.ts';
import { unclaimedOf } from '../pay/account.ts';
import { type AccountRow, accountRow } from '../pay/account-row.ts';
import { accountIdOf, accountView, accountViews } from '../pay/account-view.ts';
import { usdText } from '../pay/amount.ts';
import type { Ledger } from '../pay/ledger.ts';
import { type LedgerRow, ledgerRow } from '../pay/ledger-row.ts';
import type { AccountStore } from '../pay/ledger-store.ts';
import { newestFirst } from '../pay/newest-first.ts';
import { FORMATS } from '../pay/schemes/list.ts';

export interface AccountsOptions {
  readonly json?: boolean;
  /** Only those with something charged and not claimed. */
  readonly unclaimed?: boolean;
  /** Most sales of the one account that is named. */
  readonly limit: string;
}

const LISTED = [
  'id',
  'network',
  'stage',
  'payer',
  'balance_usd',
  'charged_usd',
  'claimed_usd',
  'unclaimed_usd',
  'due_at',
  'used_at',
  'leaves_at',
] as const satisfies readonly (keyof AccountRow)[];
const SALES = [
  'claimed_at',
  'state',
  'route_id',
  'usd',
  'transaction',
  'reason',
] as const satisfies readonly (keyof LedgerRow)[];

const NO_ACCOUNTS = 'this ledger keeps no accounts of buyers';

/** Writes rows as a table, or as one JSON object a line. */
function write<Row extends object, Name extends keyof Row & string>(
  rows: readonly Row[],
  columns: readonly Name[],
  isJson: boolean,
): void {
  if (isJson) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else
    process.stdout.write(
      tableText(
        columns,
        rows.map((row) => columns.map((name) => String(row[name] ?? ''))),
      ),
    );
}

/**
 * Lists the running accounts of buyers in the order of their ids, or shows one of them with its sales, newest first.
 * @returns exit code: 0, or 2 when the options, the folder or the id are wrong
 */
export async function ledgerAccounts(
  place: RecordsLocation,
  id: string | undefined,
  options: AccountsOptions,
): Promise<number> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    return refuse(`--limit must be a whole number, not "${options.limit}"`);
  return withLedger(place, async (ledger) => {
    const { accounts } = ledger;
    if (accounts === undefined) return refuse(NO_ACCOUNTS);
    if (id === undefined) return list(accounts, options);
    return one(ledger, accounts, { ...options, id: id.toLowerCase(), limit });
  });
}

async function list(accounts: AccountStore, { unclaimed, json }: AccountsOptions): Promise<number> {
  const rows: AccountRow[] = [];
  let owed = 0n;
  for await (const view of accountViews(accounts, FORMATS)) {
    if (unclaimed === true && unclaimedOf(view) === 0n) continue;
    rows.push(accountRow(view));
    owed += unclaimedOf(view);
  }
  write(rows, LISTED, json === true);
  process.stderr.write(`${rows.length} accounts, ${usdText(owed)} USD not claimed\n`);
  return 0;
}

interface OneAsked {
  readonly id: string;
  readonly json?: boolean;
  readonly limit: number;
}

async function one(ledger: Ledger, accounts: AccountStore, { id, json, limit }: OneAsked): Promise<number> {
  const account = await accounts.read(id);
  const view = account && accountView(account, FORMATS);
  if (view === undefined) return refuse(`no channel ${id}: "ledger channels" lists all`);
  const sales: LedgerRow[] = [];
  for await (const record of newestFirst(ledger)) {
    if (sales.length >= limit) break;
    if (accountIdOf(record, FORMATS) === id) sales.push(ledgerRow(record));
  }
  write([accountRow(view)], LISTED, json === true);
  if (json !== true) process.stdout.write('\n');
  write(sales, SALES, json === true);
  process.stderr.write(`${sales.length} sales\n`);
  return 0;
}
