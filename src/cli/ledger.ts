import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { iso, systemClock } from '../domain/clock.ts';
import { Ledger } from '../pay/ledger.ts';
import { openLmdbStore } from '../pay/ledger-lmdb.ts';
import { PAYMENT_STATES, type PaymentRecord } from '../pay/record.ts';
import { tableText } from './table-text.ts';

export interface LedgerOptions {
  readonly json?: boolean;
  readonly state?: string;
  readonly limit: string;
}

/** What an operator sees of a payment; signatures and stored answers stay in the store. */
function shown(record: PaymentRecord): Record<string, string | null> {
  return {
    claimed_at: iso(record.claimedAt),
    state: record.state,
    route: record.routeId,
    path: record.path,
    payer: record.payer,
    amount: record.amount,
    usd: record.usd,
    transaction: record.transaction ?? null,
    proof: record.proof ?? null,
    reason: record.reason ?? null,
    nonce: record.nonce,
  };
}

function* newestFirst(ledger: Ledger, state: string | undefined, limit: number): Generator<PaymentRecord> {
  let before: PaymentRecord['claimedAt'] | undefined;
  let left = limit;
  for (;;) {
    const page = ledger.list({ limit: 200, ...(before === undefined ? {} : { before }) });
    for (const record of page) {
      before = record.claimedAt;
      if (state !== undefined && record.state !== state) continue;
      if (left-- <= 0) return;
      yield record;
    }
    if (page.length < 200) return;
  }
}

function refuse(text: string): number {
  process.stderr.write(`ledger: ${text}\n`);
  return 2;
}

/**
 * Lists payments, newest first. Reads beside a running service.
 * @returns exit code: 0, or 2 when the options or the folder are wrong
 */
export async function ledgerCommand(dataDir: string, options: LedgerOptions): Promise<number> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1)
    return refuse(`--limit must be a whole number, not "${options.limit}"`);
  if (options.state !== undefined && !PAYMENT_STATES.some((state) => state === options.state)) {
    return refuse(`--state must be one of ${PAYMENT_STATES.join(', ')}`);
  }
  const folder = join(dataDir, 'ledger');
  if (!existsSync(folder))
    return refuse(`no ledger in ${dataDir}; the demo keeps its own in var/demo (--data-dir)`);
  const ledger = new Ledger({ store: openLmdbStore(folder), clock: systemClock, owner: 'ledger-command' });
  try {
    const rows = [...newestFirst(ledger, options.state, limit)].map(shown);
    if (options.json === true) {
      for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
    } else {
      const header = ['claimed_at', 'state', 'route', 'usd', 'payer', 'transaction', 'reason'];
      process.stdout.write(
        tableText(
          header,
          rows.map((row) => header.map((key) => row[key] ?? '')),
        ),
      );
    }
    process.stderr.write(`${rows.length} payments\n`);
    return 0;
  } finally {
    await ledger.close();
  }
}
