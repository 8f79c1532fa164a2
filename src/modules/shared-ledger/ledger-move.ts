import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../domain/clock.ts';
import { usdText } from '../../pay/amount.ts';
import { Ledger } from '../../pay/ledger.ts';
import { openLmdbStore } from '../../pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../pay/ledger-store.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import { createRecordJson } from '../../pay/record-json.ts';
import type { SaleReceipts } from '../../pay/sale.ts';
import { dayNumber, HASH_BYTES, type Leaves } from '../../pay/sale-log.ts';
import { FORMATS } from '../../pay/schemes/list.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { isFolderInUse, noteMoved } from '../../storage/folder-use.ts';
import { type AccountsCompared, carryAccounts, compareAccounts } from './account-move.ts';
import { LedgerImport } from './payments/ledger-import.ts';
import { openPostgresStore } from './payments/ledger-postgres.ts';
import { SETTING } from './places.ts';

const AT_ONCE = 200;
const MAX_DAYS = 100_000;

const JSON_ROWS = createRecordJson(FORMATS);

function refuse(reason: string): number {
  process.stderr.write(`ledger: ${reason}\n`);
  return 2;
}

/** Count, sum of what was paid, and a hash over whole payments: the same of two stores that hold the same. */
class Digest {
  readonly #hash = createHash('sha256');
  payments = 0;
  answers = 0;
  receipts = 0;
  paid = 0n;

  private add(record: PaymentRecord, answer: Buffer | undefined, receipts: SaleReceipts | undefined): void {
    this.payments++;
    if (record.state === 'settled' || record.state === 'delivered') this.paid += BigInt(record.amount);
    this.#hash.update(JSON_ROWS.write(record));
    if (receipts !== undefined) {
      this.receipts++;
      this.#hash.update(`${receipts.official}\n${receipts.answer}`);
    }
    if (answer === undefined) return;
    this.answers++;
    this.#hash.update(answer);
  }

  async read(store: LedgerStore, record: PaymentRecord): Promise<void> {
    this.add(record, (await store.readAnswer(record))?.body, await store.readReceipts(record));
  }

  text(): string {
    const sum = `${this.payments} payments, ${usdText(this.paid)} USD paid, ${this.answers} held answers`;
    return `${sum}, ${this.receipts} with receipts, sha256 ${this.#hash.copy().digest('hex').slice(0, 16)}`;
  }
}

/**
 * Carries the ledger of a data directory into PostgreSQL, and compares both. It can be repeated, also after it was cut off: what the
 * server's hosts have changed since stays. The service of the data directory must be stopped; once both are equal, none sells
 * from the folder any more.
 * @param to postgres://owner:password@host:port/database
 * @returns exit code: 0 equal, 1 different, 2 when folder or server cannot be used
 */
export async function ledgerMove(dataDir: string, to: string | undefined): Promise<number> {
  if (to === undefined)
    return refuse('--to (or LEDGER_URL) is needed: postgres://user:password@host:port/database');
  const folder = join(dataDir, 'ledger');
  if (!existsSync(folder))
    return refuse(`no ledger in ${dataDir}: name the service's folder with --data-dir or DATA_DIR`);
  if (await isFolderInUse(dataDir)) return refuse(`a service sells from ${dataDir}: stop it first`);
  try {
    const target = await LedgerImport.open(to, FORMATS);
    const from = openLmdbStore(folder, { formats: FORMATS });
    const stored = await openPostgresStore(to, { formats: FORMATS });
    try {
      await carry(from, target);
      const isEqual = await compare(from, stored, target);
      if (await isFolderInUse(dataDir))
        return refuse(`a service was started from ${dataDir}: stop it, and run this again`);
      if (isEqual) noteMoved(dataDir, target.place, SETTING);
      return isEqual ? 0 : 1;
    } finally {
      await Promise.all([from.close(), target.close(), stored.close()]);
    }
  } catch (cause) {
    return refuse(reasonOf(cause));
  }
}

async function* batches(store: LedgerStore): AsyncGenerator<readonly PaymentRecord[]> {
  const ledger = new Ledger({ store, clock: systemClock, owner: 'ledger-command' });
  let batch: PaymentRecord[] = [];
  for await (const record of newestFirst(ledger)) {
    if (batch.push(record) < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function carry(from: LedgerStore, target: LedgerImport): Promise<void> {
  for await (const batch of batches(from)) {
    const payments = batch.map(async (record) => {
      const answer = await from.readAnswer(record);
      const receipts = await from.readReceipts(record);
      return { record, answer, receipts, isPurchase: await isPurchase(from, record) };
    });
    await target.payments(await Promise.all(payments));
  }
  await carryAccounts(from, target);
  await target.dropSpentAnswers();
  const log = from.saleLog;
  if (log === undefined) return;
  for (const { day } of await log.roots({ before: Number.MAX_SAFE_INTEGER, limit: MAX_DAYS })) {
    const tree = await log.tree(day);
    if (tree !== undefined) await target.tree(tree);
  }
  const today = dayNumber(systemClock.now());
  for (let day = (await log.firstOpen()) ?? today + 1; day <= today; day++) {
    await target.leaves(day, await log.leavesOf(day));
  }
}

async function isPurchase(from: LedgerStore, { key, paymentIdHash }: PaymentRecord): Promise<boolean> {
  return paymentIdHash !== undefined && (await from.readPurchase(paymentIdHash))?.key === key;
}

async function compare(from: LedgerStore, to: LedgerStore, target: LedgerImport): Promise<boolean> {
  const here = new Digest();
  const there = new Digest();
  let later = 0;
  for await (const batch of batches(from)) {
    const stored = await target.stored(batch.map(({ key }) => key));
    for (const record of batch) {
      const found = stored.get(record.key);
      if (found !== undefined && found.version > record.version) {
        later++;
        continue;
      }
      await here.read(from, record);
      if (found !== undefined) await there.read(to, found);
    }
  }
  const days = await differentDays(from, to);
  const missing = await missingReceipts(from, to);
  const accounts = await compareAccounts(from, target);
  process.stdout.write(`data folder: ${here.text()}\n${target.place}: ${there.text()}\n`);
  if (later > 0) process.stdout.write(`${later} payments went on there since they were carried over\n`);
  if (days > 0) process.stdout.write(`${days} days of receipts have another root there\n`);
  if (missing > 0) process.stdout.write(`${missing} receipts of open days are not there\n`);
  if (accounts.count > 0) process.stdout.write(`${accountsText(accounts)}\n`);
  const isEqual = here.text() === there.text() && days === 0 && missing === 0 && accounts.different === 0;
  process.stdout.write(
    isEqual ? 'equal\n' : 'different: stop the service of this folder, and run this again\n',
  );
  return isEqual;
}

const accountsText = ({ count, later, different }: AccountsCompared): string =>
  `${count} running accounts, ${later} of them went on there, ${different} are different there`;

async function differentDays(from: LedgerStore, to: LedgerStore): Promise<number> {
  const roots = (await from.saleLog?.roots({ before: Number.MAX_SAFE_INTEGER, limit: MAX_DAYS })) ?? [];
  const same = await Promise.all(
    roots.map(async ({ day, statement }) => (await to.saleLog?.tree(day))?.statement === statement),
  );
  return same.filter((isSame) => !isSame).length;
}

/** Receipts of days without a root that the folder has and the server has not. */
async function missingReceipts(from: LedgerStore, to: LedgerStore): Promise<number> {
  const today = dayNumber(systemClock.now());
  let missing = 0;
  for (let day = (await from.saleLog?.firstOpen()) ?? today + 1; day <= today; day++) {
    const signed = await to.saleLog?.tree(day);
    const there = signed?.leaves ?? (await to.saleLog?.leavesOf(day));
    const known = new Set(there && hashesOf(there));
    const mine = await from.saleLog?.leavesOf(day);
    if (mine !== undefined) missing += hashesOf(mine).filter((hash) => !known.has(hash)).length;
  }
  return missing;
}

function hashesOf({ hashes }: Leaves): string[] {
  const count = hashes.length / HASH_BYTES;
  return Array.from({ length: count }, (_, i) =>
    hashes.toString('hex', i * HASH_BYTES, (i + 1) * HASH_BYTES),
  );
}
