import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openMarketStore } from '../../market/store-lmdb.ts';
import type { IdentityRecord, StoredMarket } from '../../market/stores.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { isFolderInUse } from '../../storage/folder-use.ts';
import { StoreWriteError } from '../../storage/remote-state.ts';
import { IdentityImport } from './identities/identity-import.ts';

function refuse(reason: string): number {
  process.stderr.write(`identity move: ${reason}\n`);
  return 2;
}

/**
 * Carries the identities of a data directory, the decisions about them and the numbers of venues into PostgreSQL,
 * and compares both. It can be repeated, also after it was cut off; what the server's hosts have decided since
 * stays. The service of the data directory must be stopped.
 * @param to postgres://owner:password@host:port/database
 * @returns exit code: 0 equal, 1 different, 2 when folder or server cannot be used
 */
export async function identityMove(dataDir: string, to: string | undefined): Promise<number> {
  if (to === undefined)
    return refuse('--to (or LEDGER_URL) is needed: postgres://user:password@host:port/database');
  const folder = join(dataDir, 'market');
  if (!existsSync(folder))
    return refuse(`no identities in ${dataDir}: name the service's folder with --data-dir or DATA_DIR`);
  if (await isFolderInUse(dataDir)) return refuse(`a service works with ${dataDir}: stop it first`);
  try {
    const target = await IdentityImport.open(to);
    const from = openMarketStore(folder);
    try {
      const held = from.all();
      await target.take(held);
      return await compare(held, target);
    } finally {
      await Promise.all([from.close(), target.close()]);
    }
  } catch (cause) {
    const why = cause instanceof StoreWriteError ? `: ${reasonOf(cause.cause)}` : '';
    return refuse(reasonOf(cause) + why);
  }
}

async function compare(held: StoredMarket, target: IdentityImport): Promise<number> {
  const there = await target.all();
  const lines = [
    ...differentContracts(held.identities, there.identities),
    ...different('decision', held.decisions.map(numbered), there.decisions.map(numbered)),
    ...different('number of', held.sourceIds, there.sourceIds),
  ];
  for (const line of lines) process.stdout.write(`different: ${line}\n`);
  process.stdout.write(`data folder: ${sizeOf(held)}\n${target.place}: ${sizeOf(there)}\n`);
  process.stdout.write(lines.length === 0 ? 'equal: all of the folder is there\n' : 'different\n');
  return lines.length === 0 ? 0 : 1;
}

function sizeOf({ identities, decisions, sourceIds }: StoredMarket): string {
  const contracts = byContract(identities).size;
  return `${identities.length} identities of ${contracts} contracts, ${decisions.length} decisions, ${sourceIds.length} numbers of venues`;
}

const numbered = <T extends { readonly sequence: number }>(record: T): readonly [string, T] => [
  `${record.sequence}`,
  record,
];

function different(
  kind: string,
  held: readonly (readonly [string, unknown])[],
  there: readonly (readonly [string, unknown])[],
): string[] {
  const known = new Map(there.map(([key, value]) => [key, canonical(value)]));
  return held.flatMap(([key, value]) => (known.get(key) === canonical(value) ? [] : [`${kind} ${key}`]));
}

/** Contracts whose past is another there. A change since it was carried over is no difference. */
function differentContracts(held: readonly IdentityRecord[], there: readonly IdentityRecord[]): string[] {
  const known = byContract(there);
  return [...byContract(held)].flatMap(([contract, ranges]) => {
    const theirs = known.get(contract) ?? [];
    const isSame = ranges.every((range, i) => isContinued(range, theirs[i], i === ranges.length - 1));
    return isSame ? [] : [`contract ${contract}`];
  });
}

function isContinued(mine: IdentityRecord, their: IdentityRecord | undefined, isLast: boolean): boolean {
  if (their === undefined) return false;
  // The last range may have ended since, or rest on more than it did.
  const fixed = ({ validTo, basis, ...range }: IdentityRecord) =>
    isLast ? range : { ...range, validTo, basis };
  return canonical(fixed(mine)) === canonical(fixed(their));
}

function byContract(records: readonly IdentityRecord[]): Map<string, IdentityRecord[]> {
  const contracts = new Map<string, IdentityRecord[]>();
  for (const record of records) {
    const key = `${record.venue} ${record.symbol}`;
    contracts.set(key, [...(contracts.get(key) ?? []), record]);
  }
  return contracts;
}

/** One text for one value, whatever the order of its fields. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
