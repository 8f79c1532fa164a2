import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { UnixMs } from '../domain/units.ts';
import type { Ledger } from '../pay/ledger.ts';
import { newestFirst } from '../pay/newest-first.ts';
import { type LedgerPlace, openLedgerAt } from '../pay/open-ledger.ts';
import { PAYMENT_STATES, type PaymentRecord } from '../pay/record.ts';
import { reasonOf } from '../runtime/reason-of.ts';

/** The payments of a data directory, or of another place where one is given. */
export interface RecordsLocation {
  readonly dataDir: string;
  readonly place: LedgerPlace | undefined;
}

/** A filter of payments; times are of claiming. */
export interface RecordFlags {
  readonly state?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Says what is wrong with the command line; the exit code of that. */
export function refuse(text: string): 2 {
  process.stderr.write(`ledger: ${text}\n`);
  return 2;
}

/** Runs a task on payments of a ledger, beside a running service; 2 where there is none, or where the flags make no sense. */
export async function withRecords(
  location: RecordsLocation,
  flags: RecordFlags,
  task: (records: AsyncIterable<PaymentRecord>) => Promise<number>,
): Promise<number> {
  const { state, since, until } = flags;
  if (state !== undefined && !PAYMENT_STATES.some((known) => known === state)) {
    return refuse(`--state must be one of ${PAYMENT_STATES.join(', ')}`);
  }
  const from = timeOf(since);
  const to = timeOf(until);
  if (Number.isNaN(from)) return refuse(`--since must be a time as 2026-11-21 or 2026-11-21T10:00:00Z`);
  if (Number.isNaN(to)) return refuse(`--until must be a time as 2026-11-21 or 2026-11-21T10:00:00Z`);
  return withLedger(location, (ledger) => task(selected(ledger, state, from, to)));
}

/** Runs a task on the ledger of a data directory, or of another place, beside a running service; 2 where there is none. */
export async function withLedger(
  { dataDir, place }: RecordsLocation,
  task: (ledger: Ledger) => Promise<number>,
): Promise<number> {
  const folder = join(dataDir, 'ledger');
  if (place === undefined && !existsSync(folder)) {
    return refuse(
      `no ledger in ${dataDir}: name the service's folder with --data-dir or DATA_DIR (the demo's is var/demo)`,
    );
  }
  const ledger = await openLedgerAt({ ledgerPath: folder, place }).catch(reasonOf);
  if (typeof ledger === 'string') return refuse(`the ledger cannot be opened: ${ledger}`);
  try {
    return await task(ledger);
  } finally {
    await ledger.close();
  }
}

/** Unix milliseconds; a date without a zone is UTC, what is no time is not a number. */
export function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const zoned = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
}

async function* selected(
  ledger: Ledger,
  state: string | undefined,
  from: number | undefined,
  to: number | undefined,
): AsyncGenerator<PaymentRecord> {
  for await (const record of newestFirst(ledger, to as UnixMs | undefined)) {
    if (from !== undefined && record.claimedAt < from) return;
    if (state === undefined || record.state === state) yield record;
  }
}
