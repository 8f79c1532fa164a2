import { type RecordFlags, type RecordsLocation, refuse, withRecords } from '../host/ledger-records.ts';
import { tableText } from '../host/process/table-text.ts';
import { usdText } from '../pay/amount.ts';
import { type LedgerRow, ledgerRow } from '../pay/ledger-row.ts';
import { isPaid } from '../pay/record.ts';

export interface LedgerOptions extends RecordFlags {
  readonly json?: boolean;
  readonly limit: string;
}

const LISTED = ['claimed_at', 'state', 'route_id', 'usd', 'payer', 'transaction', 'reason'] as const;

/**
 * Lists payments, newest first. Signatures and stored answers stay in the store.
 * @returns exit code: 0, or 2 when the options or the folder are wrong
 */
export async function ledgerList(place: RecordsLocation, options: LedgerOptions): Promise<number> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    return refuse(`--limit must be a whole number, not "${options.limit}"`);
  return withRecords(place, options, async (records) => {
    const rows: LedgerRow[] = [];
    for await (const record of records) {
      if (rows.length >= limit) break;
      rows.push(ledgerRow(record));
    }
    if (options.json === true) {
      for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
    } else {
      const cells = rows.map((row) => LISTED.map((name) => row[name] ?? ''));
      process.stdout.write(tableText(LISTED, cells));
    }
    process.stderr.write(`${rows.length} payments\n`);
    return 0;
  });
}

export const SUM_KEYS = ['route', 'day', 'payer'] as const;
type SumKey = (typeof SUM_KEYS)[number];

export interface SumsOptions extends RecordFlags {
  readonly by: string;
  readonly json?: boolean;
}

/** The key under which a payment is summed; a day is of UTC, that of the settlement. */
const GROUPS: Readonly<Record<SumKey, (row: LedgerRow) => string>> = {
  route: ({ route_id }) => route_id,
  day: ({ settled_at, claimed_at }) => (settled_at ?? claimed_at).slice(0, 10),
  payer: ({ payer }) => payer,
};

/**
 * Sums of what was paid (settled and delivered payments) by route, day or payer, and in all.
 * @returns exit code: 0, or 2 when the options or the folder are wrong
 */
export async function ledgerSums(place: RecordsLocation, options: SumsOptions): Promise<number> {
  const by = SUM_KEYS.find((known) => known === options.by);
  if (by === undefined) return refuse(`--by must be one of ${SUM_KEYS.join(', ')}`);
  return withRecords(place, options, async (records) => {
    const sums = new Map<string, { payments: number; amount: bigint }>();
    let payments = 0;
    let amount = 0n;
    for await (const record of records) {
      if (!isPaid(record)) continue;
      const group = GROUPS[by](ledgerRow(record));
      const sum = sums.get(group) ?? { payments: 0, amount: 0n };
      const value = BigInt(record.amount);
      sums.set(group, { payments: sum.payments + 1, amount: sum.amount + value });
      payments++;
      amount += value;
    }
    const rows = [...sums]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([group, sum]) => [group, String(sum.payments), String(sum.amount), usdText(sum.amount)] as const);
    if (options.json === true) {
      for (const [group, count, atomic, usd] of rows) {
        process.stdout.write(
          `${JSON.stringify({ [by]: group, payments: Number(count), amount: atomic, usd })}\n`,
        );
      }
    } else process.stdout.write(tableText([by, 'payments', 'amount', 'usd'], rows));
    process.stderr.write(`${payments} payments, ${usdText(amount)} USD\n`);
    return 0;
  });
}

const COLUMNS = [
  'claimed_at',
  'state',
  'route_id',
  'path',
  'usd',
  'amount',
  'network',
  'asset',
  'pay_to',
  'payer',
  'nonce',
  'transaction',
  'proof',
  'reason',
  'settled_at',
  'delivered_at',
  'closed_at',
] as const satisfies readonly (keyof LedgerRow)[];

/**
 * Writes payments as CSV (RFC 4180), newest first.
 * @returns exit code: 0, or 2 when the options or the folder are wrong
 */
export async function ledgerExport(place: RecordsLocation, flags: RecordFlags): Promise<number> {
  return withRecords(place, flags, async (records) => {
    process.stdout.write(`${COLUMNS.join(',')}\r\n`);
    let count = 0;
    for await (const record of records) {
      const row = ledgerRow(record);
      process.stdout.write(`${COLUMNS.map((name) => csvCell(row[name])).join(',')}\r\n`);
      count++;
    }
    process.stderr.write(`${count} payments\n`);
    return 0;
  });
}

/** A leading sign would be a formula to a spreadsheet. */
function csvCell(value: string | null): string {
  const text = value ?? '';
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
