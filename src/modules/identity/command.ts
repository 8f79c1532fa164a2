import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { iso, systemClock } from '../../domain/clock.ts';
import { tableText } from '../../host/process/table-text.ts';
import { changeIdentity, type IdentityRequest } from '../../market/change-identity.ts';
import { createInstrumentIdentities } from '../../market/identity.ts';
import { type IdentityPlace, openIdentityStore } from '../../market/open-store.ts';
import { applyDecision } from '../../market/operator-decisions.ts';
import type { IdentityRecord, MarketStore, OperatorDecision } from '../../market/stores.ts';
import { reasonOf } from '../../runtime/reason-of.ts';

export interface IdentityListOptions {
  readonly id?: string;
  readonly venue?: string;
  readonly ticker?: string;
  readonly all?: boolean;
  readonly json?: boolean;
}

type Line = Readonly<Record<string, string | number | null>>;

function print(rows: readonly Line[], columns: readonly string[], json: boolean | undefined): void {
  if (json === true) for (const row of rows) process.stdout.write(`${JSON.stringify(row)}\n`);
  else {
    process.stdout.write(
      tableText(
        [...columns],
        rows.map((row) => columns.map((key) => String(row[key] ?? ''))),
      ),
    );
  }
}

/** The place of identities: the one that hosts share if there is one, else the data folder. */
export interface IdentityLocation {
  readonly dataDir: string;
  readonly place: IdentityPlace | undefined;
}

/** Runs with the stored identities of services that may be running. Exit code 2 where there are none. */
async function withStore(
  { dataDir, place }: IdentityLocation,
  run: (store: MarketStore) => number | Promise<number>,
): Promise<number> {
  const folder = join(dataDir, 'market');
  if (place === undefined && !existsSync(folder)) {
    return refuse(
      `no identities in ${dataDir}: name the service's folder with --data-dir or DATA_DIR (the demo's is var/demo)`,
    );
  }
  const store = await openIdentityStore({ folder, place, ends: false }).catch(reasonOf);
  if (typeof store === 'string') return refuse(store);
  try {
    return await run(store);
  } finally {
    await store.close();
  }
}

function refuse(reason: string): number {
  process.stderr.write(`identity: ${reason}\n`);
  return 2;
}

function recordLine(record: IdentityRecord): Line {
  return {
    canonical_id: record.canonicalId,
    ticker: record.ticker,
    venue: record.venue,
    symbol: record.symbol,
    basis: record.basis,
    valid_from: iso(record.validFrom),
    valid_to: record.validTo === undefined ? null : iso(record.validTo),
  };
}

/**
 * Lists who each contract is; with `all` also who it was. Reads beside a running service.
 * @returns exit code: 0, or 2 where nothing is stored
 */
export function identityList(location: IdentityLocation, options: IdentityListOptions): Promise<number> {
  return withStore(location, ({ identities, decisions }) => {
    const book = createInstrumentIdentities(identities);
    for (const decision of decisions.since(0)) applyDecision(book, decision);
    const records =
      options.all === true ? identities.load() : book.latest().filter((it) => it.validTo === undefined);
    const wanted = records
      .filter((it) => options.id === undefined || it.canonicalId === options.id)
      .filter((it) => options.venue === undefined || it.venue === options.venue.toLowerCase())
      .filter((it) => options.ticker === undefined || it.ticker === options.ticker.toUpperCase())
      .sort(
        (a, b) =>
          compare(a.canonicalId, b.canonicalId) || compare(a.venue, b.venue) || a.validFrom - b.validFrom,
      );
    const columns = ['canonical_id', 'ticker', 'venue', 'symbol', 'basis', 'valid_from'];
    print(wanted.map(recordLine), options.all === true ? [...columns, 'valid_to'] : columns, options.json);
    const assets = new Set(wanted.map(({ canonicalId }) => canonicalId)).size;
    process.stderr.write(`${wanted.length} contracts of ${assets} assets\n`);
    return 0;
  });
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/**
 * Pins, merges or splits, and records when and why. Running services take it over.
 * @returns exit code: 0, or 2 when nothing was changed
 */
export function identityChange(
  location: IdentityLocation,
  request: IdentityRequest,
  reason: string,
): Promise<number> {
  return withStore(location, async (store) => {
    const identity = createInstrumentIdentities(store.identities);
    const catchUp = async (): Promise<void> => {
      await store.settled();
      identity.follow();
    };
    const services = { identity, decisions: store.decisions, catchUp };
    const result = await changeIdentity(services, request, reason, systemClock.now());
    if (!result.ok) return refuse(result.error);
    const { contracts, to, sequence } = result.decision;
    for (const it of contracts) {
      process.stdout.write(`${it.venue} ${it.symbol}: ${it.before} -> ${to.canonicalId}\n`);
    }
    const when =
      location.place === undefined
        ? 'a running service takes it over within a minute'
        : 'all running services take it over';
    process.stderr.write(`decision ${sequence}: ${contracts.length} contracts; ${when}\n`);
    return 0;
  });
}

function decisionLine({ sequence, at, action, reason, from, to, contracts }: OperatorDecision): Line {
  return {
    sequence,
    at: iso(at),
    action,
    from: from ?? ([...new Set(contracts.map(({ before }) => before))].join(' ') || null),
    to: to.canonicalId,
    contracts: contracts.map(({ venue, symbol }) => `${venue}/${symbol}`).join(' '),
    reason,
  };
}

/**
 * Lists every decision of operators, oldest first.
 * @returns exit code: 0, or 2 where nothing is stored
 */
export function identityLog(
  location: IdentityLocation,
  options: { readonly json?: boolean },
): Promise<number> {
  return withStore(location, ({ decisions }) => {
    const rows = decisions.since(0).map(decisionLine);
    print(rows, ['sequence', 'at', 'action', 'from', 'to', 'contracts', 'reason'], options.json);
    process.stderr.write(`${rows.length} decisions\n`);
    return 0;
  });
}
