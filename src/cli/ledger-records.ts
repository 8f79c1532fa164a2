import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../domain/clock.ts';
import type { UnixMs } from '../domain/units.ts';
import { Ledger } from '../pay/ledger.ts';
import { openLmdbStore } from '../pay/ledger-lmdb.ts';
import { PAYMENT_STATES, type PaymentRecord } from '../pay/record.ts';

/** Which payments a command is about; times are of claiming. */
export interface RecordFlags {
  readonly state?: string;
  readonly since?: string;
  readonly until?: string;
}

/** Reads beside a running service. */
const PAGE = 500;

/** Says what is wrong with the command line; the exit code of that. */
export function refuse(text: string): 2 {
  process.stderr.write(`ledger: ${text}\n`);
  return 2;
}

/** Runs a task on the ledger of a data directory; 2 where there is none, or where the flags make no sense. */
export async function withRecords(
  dataDir: string,
  flags: RecordFlags,
  task: (records: Iterable<PaymentRecord>) => number | Promise<number>,
): Promise<number> {
  const { state, since, until } = flags;
  if (state !== undefined && !PAYMENT_STATES.some((known) => known === state)) {
    return refuse(`--state must be one of ${PAYMENT_STATES.join(', ')}`);
  }
  const [from, to] = [timeOf(since), timeOf(until)];
  if (Number.isNaN(from)) return refuse(`--since must be a time as 2026-11-21 or 2026-11-21T10:00:00Z`);
  if (Number.isNaN(to)) return refuse(`--until must be a time as 2026-11-21 or 2026-11-21T10:00:00Z`);
  const folder = join(dataDir, 'ledger');
  if (!existsSync(folder)) {
    return refuse(`no ledger in ${dataDir}; the demo keeps its own in var/demo (--data-dir)`);
  }
  const ledger = new Ledger({ store: openLmdbStore(folder), clock: systemClock, owner: 'ledger-command' });
  try {
    return await task(selected(ledger, state, from, to));
  } finally {
    await ledger.close();
  }
}

/** A date without a zone is UTC. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const zoned = /(?:[zZ]|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`;
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(zoned) : Number.NaN;
}

function* selected(
  ledger: Ledger,
  state: string | undefined,
  from: number | undefined,
  to: number | undefined,
): Generator<PaymentRecord> {
  for (const record of newestFirst(ledger, to)) {
    if (from !== undefined && record.claimedAt < from) return;
    if (state === undefined || record.state === state) yield record;
  }
}

/** Pages overlap by the last millisecond: several payments may have been claimed in it. */
function* newestFirst(ledger: Ledger, to: number | undefined): Generator<PaymentRecord> {
  let before = to as UnixMs | undefined;
  let seen = new Set<string>();
  for (let limit = PAGE; ; ) {
    const page = ledger.list({ limit, ...(before === undefined ? {} : { before }) });
    const fresh = page.filter(({ key }) => !seen.has(key));
    yield* fresh;
    const last = page.at(-1);
    if (page.length < limit || last === undefined) return;
    // A whole page of one millisecond: the next one must reach further.
    limit = fresh.length === 0 ? limit * 2 : PAGE;
    before = (last.claimedAt + 1) as UnixMs;
    seen = new Set(page.filter(({ claimedAt }) => claimedAt === last.claimedAt).map(({ key }) => key));
  }
}
