import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../src/domain/units.ts';
import { changeIdentity } from '../../src/market/change-identity.ts';
import { createInstrumentIdentities } from '../../src/market/identity.ts';
import { makeInstrument } from '../../src/market/market-fixture.ts';
import { openMarketStore } from '../../src/market/store-lmdb.ts';
import { openIdentities } from '../../src/modules/shared-ledger/identities/open-identities.ts';
import { markFolderInUse } from '../../src/storage/folder-use.ts';
import { emptyLedger, postgresObstacle, sharedServer } from '../pay/postgres-server.ts';
import { runCli } from './run-cli.ts';

const T0 = asMs(1_790_000_000_000);
const obstacle = postgresObstacle();

describe.skipIf(obstacle !== undefined)(`identity move (${obstacle ?? 'to a real PostgreSQL'})`, () => {
  let dataDir: string;
  let url: string;
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'identity-move-'));
    url = await emptyLedger();
    await inFolder((book) => {
      // Enough contracts that they do not go in one statement, some of two ranges.
      for (let i = 0; i < 700; i++) book.assign(makeInstrument({ base: `C${i}` }), T0);
      for (let i = 0; i < 40; i++)
        book.assign(makeInstrument({ base: `C${i}`, assetClass: 'equity' }), asMs(T0 + 5));
      book.keepOnly('binance', new Set(['C1USDT']), asMs(T0 + 9.237));
    });
    const store = openMarketStore(join(dataDir, 'market'));
    for (const venue of ['hyperliquid-a', 'hyperliquid-b']) store.sourceIds.idOf(venue);
    const services = { identity: createInstrumentIdentities(store.identities), decisions: store.decisions };
    const pin = { action: 'pin', venue: 'binance', symbol: 'C1USDT', to: 'crypto:BTC' } as const;
    expect(await changeIdentity(services, pin, 'why', asMs(T0 + 20))).toMatchObject({ ok: true });
    await store.close();
  });
  afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

  async function inFolder(
    work: (book: ReturnType<typeof createInstrumentIdentities>) => void,
  ): Promise<void> {
    const store = openMarketStore(join(dataDir, 'market'));
    const book = createInstrumentIdentities(store.identities);
    work(book);
    book.commit();
    await store.close();
  }
  const move = async () => {
    const owner = (await sharedServer()).url('postgres');
    return runCli(['identity', 'move', '--data-dir', dataDir, '--to', owner], { env: {} });
  };
  const shared = () => openIdentities(url, { folder: join(dataDir, 'market'), ends: true });

  it('identities, decisions, numbers: carried, equal, repeatable', async () => {
    const first = await move();
    expect(first).toMatchObject({ code: 0, stdout: expect.stringContaining('equal') });
    expect(first.stdout).toContain('741 identities of 700 contracts, 1 decisions, 2 numbers of venues');
    expect(first.stdout + first.stderr).not.toContain('secret');
    const store = await shared();
    const own = openMarketStore(join(dataDir, 'market'));
    const there = createInstrumentIdentities(store.identities);
    const here = createInstrumentIdentities(own.identities);
    for (let i = 0; i < 700; i++)
      expect(there.recordsOf('binance', `C${i}USDT`)).toEqual(here.recordsOf('binance', `C${i}USDT`));
    expect(store.decisions.since(0)).toEqual(own.decisions.since(0));
    expect(store.sourceIds.idOf('hyperliquid-b')).toBe(1001);
    store.sourceIds.idOf('hyperliquid-c');
    // A host goes on with a contract, and begins another.
    there.assign(makeInstrument({ base: 'C3', assetClass: 'equity' }), asMs(T0 + 30));
    there.assign(makeInstrument({ base: 'NEW' }), asMs(T0 + 30));
    there.commit();
    await store.settled();
    expect(store.sourceIds.idOf('hyperliquid-c')).toBe(1002);
    await Promise.all([store.close(), own.close()]);
    expect(await move()).toMatchObject({ code: 0, stdout: expect.stringContaining('701 contracts') });

    const listed = await runCli(['identity', 'list', '--id', 'crypto:NEW'], { env: { LEDGER_URL: url } });
    expect(listed.stdout).toContain('NEWUSDT');
    const pin = ['identity', 'pin', 'binance', 'NEWUSDT', 'crypto:OTHER', '--reason', 'why'];
    const pinned = await runCli(pin, { env: { LEDGER_URL: url } });
    expect(pinned).toMatchObject({ code: 0, stderr: expect.stringContaining('decision 2') });
    const log = await runCli(['identity', 'log', '--json'], { env: { LEDGER_URL: url } });
    expect(log.stdout.trim().split('\n')).toHaveLength(2);
  });

  it('a move cut off: goes on, and nobody begins with a part', async () => {
    const server = await sharedServer();
    await move();
    await server.query(
      'postgres',
      `DELETE FROM perpmeter.identity_ranges WHERE length(symbol) = 8;
       UPDATE perpmeter.identity_head SET is_moving = true`,
    );
    await expect(shared()).rejects.toThrow('has not ended');
    expect(await move()).toMatchObject({ code: 0, stdout: expect.stringContaining('equal') });
    await (await shared()).close();
  });

  it('says what is another there, and leaves it', async () => {
    const store = await openIdentities(url, { folder: join(dataDir, 'none'), ends: true });
    const book = createInstrumentIdentities(store.identities);
    book.assign(makeInstrument({ base: 'C7', assetClass: 'commodity' }), T0);
    book.commit();
    store.sourceIds.idOf('hyperliquid-z');
    await store.settled();
    await store.close();
    const moved = await move();
    expect(moved.code).toBe(1);
    const said = moved.stdout.split('\n').filter((line) => line.startsWith('different: '));
    expect(said).toEqual(['different: contract binance C7USDT', 'different: number of hyperliquid-a']);
  });

  it('refuses while a service works with the folder', async () => {
    const leave = markFolderInUse(dataDir);
    expect(await move()).toMatchObject({ code: 2, stderr: expect.stringContaining('stop it first') });
    leave();
    expect(await move()).toMatchObject({ code: 0 });
  });
});
