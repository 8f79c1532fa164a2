import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { LedgerImport } from '../../src/modules/shared-ledger/payments/ledger-import.ts';
import { openPostgresStore } from '../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { dayNumber } from '../../src/pay/sale-log.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { DAY_MS } from '../../src/runtime/duration.ts';
import { markFolderInUse } from '../../src/storage/folder-use.ts';
import { runCli, scratchFolder, startCli } from '../cli/run-cli.ts';
import { until } from '../until.ts';
import { fakeClock, TRANSACTION } from './fakes.ts';
import { claimOf, keyOf } from './ledger-claims.ts';
import { emptyLedger, postgresObstacle, sharedServer } from './postgres-server.ts';

/** More than are written at once. */
const MANY = 500;
const ANSWER = { status: 200, headers: {}, body: Buffer.from('{"a":1}') };
const obstacle = postgresObstacle();

describe.skipIf(obstacle !== undefined)(`ledger move (${obstacle ?? 'to a real PostgreSQL'})`, () => {
  let dataDir: string;
  let url: string;
  const clock = fakeClock();
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'ledger-move-'));
    url = await emptyLedger();
    await inFolder(async (ledger) => {
      await hold(ledger, 'settling');
      const receipts = { official: 'o', answer: 'yesterday' };
      const settled = { state: 'settled', transaction: TRANSACTION, proof: 'rpc' } as const;
      const before = asMs(clock.now() - DAY_MS);
      await ledger.change(await hold(ledger, 'sold'), { ...settled, settledAt: before }, { receipts });
      const arrived = await ledger.change(
        await hold(ledger, 'delivered'),
        { ...settled, settledAt: clock.now() },
        { receipts: { official: 'o', answer: 'today' } },
      );
      if (arrived !== undefined) await ledger.arrived(arrived);
      const log = ledger.saleLog;
      const day = dayNumber(before);
      const leaves = await log?.leavesOf(day);
      await log?.close(day);
      if (leaves !== undefined) await log?.seal({ day, statement: 'root' }, leaves);
    });
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function inFolder(work: (ledger: Ledger) => Promise<void>): Promise<void> {
    const store = openLmdbStore(join(dataDir, 'ledger'), { formats: FORMATS, clock });
    const ledger = new Ledger({ store, clock, owner: 'me' });
    await work(ledger);
    await ledger.close();
  }
  async function hold(ledger: Ledger, name: string): Promise<PaymentRecord> {
    const claim = await ledger.claim(claimOf(name));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const record = await ledger.hold(claim.record, { state: 'settling' }, ANSWER);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    return record;
  }
  const move = () => runCli(['ledger', 'move', '--data-dir', dataDir], { env: { LEDGER_URL: url } });

  it('carries payment identifiers over: they stay those of their payments', async () => {
    const paymentIdHash = 'ab'.repeat(32);
    const held: Partial<PaymentRecord>[] = [];
    await inFolder(async (ledger) => {
      for (const name of ['first', 'second']) {
        const claim = await ledger.claim({ ...claimOf(name), paymentIdHash });
        if (claim.kind !== 'claimed') throw new Error(claim.kind);
        const record = await ledger.hold(claim.record, { state: 'settling' }, ANSWER);
        if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
        held.push(record);
        if (name === 'first')
          await ledger.change(record, { state: 'refused', dueAt: undefined }, { drop: true });
      }
    });
    expect(held).toHaveLength(2);
    expect(await move()).toMatchObject({ code: 0 });
    const store = await openPostgresStore(url, { formats: FORMATS });
    expect(await store.readPurchase(paymentIdHash)).toMatchObject({ key: keyOf('second') });
    await store.close();
  });

  it('repeated after more sales: an identifier is its later payment', async () => {
    const paymentIdHash = 'cd'.repeat(32);
    const buy = async (ledger: Ledger, name: string): Promise<PaymentRecord> => {
      const claim = await ledger.claim({ ...claimOf(name), paymentIdHash });
      if (claim.kind !== 'claimed') throw new Error(claim.kind);
      const record = await ledger.hold(claim.record, { state: 'settling' }, ANSWER);
      if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
      return record;
    };
    let first: PaymentRecord | undefined;
    await inFolder(async (ledger) => {
      first = await buy(ledger, 'first');
    });
    // As a move leaves it that was cut off: the folder may still be sold from.
    const carried = await LedgerImport.open(url, FORMATS);
    if (first !== undefined) {
      const beside = { answer: undefined, receipts: undefined };
      await carried.payments([{ record: first, isPurchase: true, ...beside }]);
    }
    await carried.close();
    await inFolder(async (ledger) => {
      if (first !== undefined)
        await ledger.change(first, { state: 'refused', dueAt: undefined }, { drop: true });
      clock.advance(1);
      await buy(ledger, 'second');
    });
    expect(await move()).toMatchObject({ code: 0 });
    const store = await openPostgresStore(url, { formats: FORMATS });
    expect(await store.readPurchase(paymentIdHash)).toMatchObject({ key: keyOf('second') });
    await store.close();
  });

  it('payments, answers, receipts: carried over, equal, repeatable', async () => {
    const first = await move();
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('equal') });
    expect(first.stdout).toContain('3 payments, 0.01 USD paid, 2 held answers, 2 with receipts');
    expect(first.stdout + first.stderr).not.toContain('secret');
    const listed = await runCli(['ledger', 'list', '--json'], { env: { LEDGER_URL: url } });
    const states = listed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).state);
    expect(states.sort()).toEqual(['delivered', 'settled', 'settling']);

    const store = await openPostgresStore(url, { formats: FORMATS });
    const sold = await store.read(keyOf('sold'));
    const settling = await store.read(keyOf('settling'));
    if (sold === undefined || settling === undefined) throw new Error('not carried over');
    expect((await store.readAnswer(sold))?.body).toEqual(ANSWER.body);
    expect(await store.readReceipts(sold)).toEqual({ official: 'o', answer: 'yesterday' });
    const today = dayNumber(clock.now());
    expect(await store.saleLog?.tree(today - 1)).toMatchObject({ statement: 'root' });
    expect(await store.saleLog?.firstOpen()).toBe(today);

    // A host goes on with one, and the folder, which nobody should have used, with another.
    const ledger = new Ledger({ store, clock, owner: 'host' });
    await ledger.change(settling, { reason: 'theirs' });
    await inFolder(async (folder) => {
      const mine = await folder.get(keyOf('sold'));
      if (mine !== undefined) await folder.arrived(mine);
    });
    const again = await move();
    expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('1 payments went on there') });
    expect(await store.read(keyOf('settling'))).toMatchObject({ reason: 'theirs' });
    expect(await store.read(keyOf('sold'))).toMatchObject({ state: 'delivered' });
    expect(await store.readAnswer(sold)).toBeUndefined();
    await store.close();
  });

  it('running accounts: carried over; those that went on there stay', async () => {
    await inFolder(async ({ accounts }) => {
      for (const id of ['a', 'b']) await accounts?.write({ id, version: 0, row: 'first' });
      await accounts?.write({ id: 'b', version: 1, row: 'second' });
    });
    const text = '2 running accounts, 0 of them went on there, 0 are different there';
    expect(await move()).toMatchObject({ code: 0, stdout: expect.stringContaining(text) });
    const store = await openPostgresStore(url, { formats: FORMATS });
    expect(await store.accounts?.list({ limit: 9 })).toEqual([
      { id: 'a', version: 1, row: 'first' },
      { id: 'b', version: 2, row: 'second' },
    ]);
    await store.accounts?.write({ id: 'a', version: 1, row: 'theirs' });
    const later = '2 running accounts, 1 of them went on there, 0 are different there';
    expect(await move()).toMatchObject({ code: 0, stdout: expect.stringContaining(later) });
    expect(await store.accounts?.read('a')).toMatchObject({ version: 2, row: 'theirs' });
    await store.close();
  });

  it('killed midway: the rest carried later, the folder sells on', async () => {
    await inFolder(async (ledger) => {
      await Promise.all(Array.from({ length: MANY }, (_, i) => hold(ledger, `many ${i}`)));
    });
    const server = await sharedServer();
    // The answer after so many waits for the holder of this lock.
    await server.query(
      'postgres',
      `CREATE FUNCTION perpmeter.hold_up() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
         IF (SELECT count(*) FROM perpmeter.held_answers) >= ${MANY / 2} THEN PERFORM pg_advisory_xact_lock(1); END IF;
         RETURN NEW; END $$;
       CREATE TRIGGER hold_up BEFORE INSERT ON perpmeter.held_answers FOR EACH ROW EXECUTE FUNCTION perpmeter.hold_up()`,
    );
    const keeper = new pg.Client(server.url('postgres'));
    await keeper.connect();
    await keeper.query('SELECT pg_advisory_lock(1)');
    const args = ['ledger', 'move', '--data-dir', dataDir];
    const cutOff = startCli(args, scratchFolder(), { LEDGER_URL: url });
    const waiting = "SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
    await until(async () => expect(await server.query('postgres', waiting)).not.toEqual([]));
    const gone = once(cutOff, 'exit');
    cutOff.kill('SIGKILL');
    expect(await gone).toEqual([null, 'SIGKILL']);
    await keeper.end();
    const there = Number(await recordsThere());
    expect(there).toBeGreaterThan(0);
    expect(there).toBeLessThan(MANY);
    expect(existsSync(join(dataDir, 'moved.json'))).toBe(false);

    const rest = await move();
    expect(rest).toMatchObject({ code: 0, stdout: expect.stringMatching(/\nequal\n$/) });
    expect(rest.stdout).toContain(`${MANY + 3} payments, 0.01 USD paid, ${MANY + 2} held answers`);
    const list = ['ledger', 'list', '--json', '--limit', '1000'];
    const here = await runCli([...list, '--data-dir', dataDir]);
    expect(here.stdout.trim().split('\n')).toHaveLength(MANY + 3);
    expect((await runCli(list, { env: { LEDGER_URL: url } })).stdout).toBe(here.stdout);
    expect(existsSync(join(dataDir, 'moved.json'))).toBe(true);
  });

  it('a service sells from the folder: refused, and none after it', async () => {
    const leave = markFolderInUse(dataDir);
    expect(await move()).toMatchObject({ code: 2, stderr: expect.stringContaining('stop it first') });
    expect(await recordsThere()).toBe('0');
    leave();
    const serve = ['serve', '--port', '0', '--data-dir', dataDir, '--history', 'off', '--venues', 'binance'];
    expect(await move()).toMatchObject({ code: 0 });
    expect(await runCli(serve)).toMatchObject({ code: 2, stderr: expect.stringContaining('set LEDGER_URL') });
  });

  it.each([
    ['an account', "UPDATE perpmeter.accounts SET row = 'another'"],
    [
      'receipts of a sale',
      'UPDATE perpmeter.receipts SET bytes = set_byte(bytes, octet_length(bytes) - 1, 0)',
    ],
    ['the hash of a receipt of today', 'DELETE FROM perpmeter.receipt_leaves'],
    ['a signed root', "UPDATE perpmeter.receipt_trees SET statement = 'another'"],
    ['an answer', 'UPDATE perpmeter.held_answers SET bytes = set_byte(bytes, octet_length(bytes) - 1, 0)'],
    ['a payment', "UPDATE perpmeter.payments SET record = replace(record::text, '5000', '6000')::json"],
  ])('says that both differ where %s does', async (_, change) => {
    await inFolder(
      async ({ accounts }) => void (await accounts?.write({ id: 'a', version: 0, row: 'first' })),
    );
    const server = await sharedServer();
    // As if the server had lost or changed it between the writing and the comparison.
    const when = change.startsWith('DELETE') ? 'receipt_leaves' : change.split(' ')[1]?.split('.')[1];
    await server.query(
      'postgres',
      `CREATE FUNCTION perpmeter.spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
         IF pg_trigger_depth() = 1 THEN ${change}; END IF; RETURN NULL; END $$;
       ALTER FUNCTION perpmeter.spoil() SECURITY DEFINER;
       CREATE TRIGGER spoil AFTER INSERT OR UPDATE ON perpmeter.${when} EXECUTE FUNCTION perpmeter.spoil()`,
    );
    expect(await move()).toMatchObject({ code: 1, stdout: expect.stringContaining('different') });
  });

  async function recordsThere(): Promise<unknown> {
    const [row] = await (await sharedServer()).query('postgres', 'SELECT count(*) FROM perpmeter.payments');
    return row?.count;
  }
});
