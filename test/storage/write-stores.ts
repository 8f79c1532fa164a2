/**
 * Writes a ledger, identities and back-fill notes as the build at hand does, and prints their entries as JSON lines,
 * then what that build reads of them. `test/storage/stores/` holds what builds printed: run this file in a checkout of
 * one (`git worktree add`), copied to the same place there.
 *
 *   node --import tsx test/storage/write-stores.ts <empty folder> > test/storage/stores/<name>.jsonl
 */
import { join } from 'node:path';
import { open } from 'lmdb';
import { asMs } from '../../src/domain/units.ts';
import { IDENTITY_FORMAT, openMarketStore } from '../../src/market/store-lmdb.ts';
import type { IdentityRecord } from '../../src/market/stores.ts';
import { BACKFILL_FORMAT, openProgress } from '../../src/modules/backfill/progress.ts';
import { ReceiptIssuer } from '../../src/modules/receipts/sale-receipts.ts';
import { KeyRing } from '../../src/modules/receipts/signing-keys.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { LEDGER_FORMAT } from '../../src/pay/ledger-tables.ts';
import { resourceHash } from '../../src/pay/payment.ts';
import type { PaymentRecord } from '../../src/pay/record.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { fakeClock, TRANSACTION } from '../pay/fakes.ts';
import { claimOf } from '../pay/ledger-claims.ts';
import { dumpOf, readings } from './dumped-stores.ts';

const T0 = asMs(Date.UTC(2026, 10, 20, 12));
const ANSWER = { status: 200, headers: { 'content-type': 'application/json' }, body: Buffer.from('{"a":1}') };

async function writeLedger(path: string): Promise<void> {
  const clock = fakeClock();
  const ledger = new Ledger({
    store: openLmdbStore(path, { formats: FORMATS, clock }),
    clock,
    owner: 'fixture',
  });
  const held = async (name: string): Promise<PaymentRecord> => {
    const claim = await ledger.claim(claimOf(name));
    if (claim.kind !== 'claimed') throw new Error(claim.kind);
    const record = await ledger.hold(claim.record, { state: 'settling', facilitator: 'f' }, ANSWER);
    if (record === undefined || record === 'full') throw new Error(`not held: ${record}`);
    clock.advance(1_000);
    return record;
  };
  await held('settling');
  await ledger.change(await held('unknown'), { state: 'unknown', reason: 'timeout' });
  const refused = { state: 'refused', closedAt: clock.now(), reason: 'insufficient_funds' } as const;
  await ledger.change(await held('refused'), { ...refused, dueAt: undefined }, { drop: true });
  const settled = { state: 'settled', settledAt: clock.now(), transaction: TRANSACTION } as const;
  await ledger.change(await held('settled'), { ...settled, proof: 'rpc' });
  const arrived = await ledger.change(await held('delivered'), { ...settled, leaseUntil: undefined });
  if (arrived === undefined || !(await ledger.arrived(arrived))) throw new Error('not delivered');
  const keys = new KeyRing(`${path}-keys.json`, { now: () => asMs(0) });
  const issuer = new ReceiptIssuer({ keys, baseUrl: 'https://api.example', routeTable: 'table' });
  for (const name of ['signed', 'signed-and-delivered']) {
    const before = await held(name);
    const after = { ...before, ...settled, resourceHash: resourceHash('GET', before.resource) };
    const receipts = issuer.issue(after, ANSWER) ?? { official: 'o', answer: name };
    const sold = await ledger.change(before, { ...settled, proof: 'rpc' }, { receipts });
    if (name !== 'signed' && !(sold && (await ledger.arrived(sold)))) throw new Error('not delivered');
  }
  await ledger.close();
}

async function writeIdentities(path: string): Promise<void> {
  const store = openMarketStore(path);
  const record: IdentityRecord = {
    venue: 'binance',
    symbol: 'NEIROUSDT',
    canonicalId: 'crypto:NEIROETH',
    ticker: 'NEIROETH',
    assetClass: 'crypto',
    basis: 'price',
    validFrom: T0,
  };
  const save = (after: readonly IdentityRecord[], { venue, symbol } = after[0] ?? record): void =>
    store.identities.save([{ venue, symbol, count: 0, before: undefined, after }]);
  save([
    { ...record, canonicalId: 'crypto:NEIRO', basis: 'default', validTo: T0, validFrom: asMs(T0 - 5) },
    record,
  ]);
  save([
    { ...record, venue: 'hyperliquid-xyz', symbol: 'xyz:TSLA', canonicalId: 'equity:TSLA', ticker: 'TSLA' },
  ]);
  store.sourceIds.idOf('hyperliquid-xyz');
  store.sourceIds.idOf('hyperliquid-flx');
  await store.decisions.append({
    sequence: 1,
    at: T0,
    action: 'pin',
    reason: 'the venue says so',
    to: { canonicalId: 'crypto:NEIROETH', ticker: 'NEIROETH', assetClass: 'crypto' },
    contracts: [{ venue: 'binance', symbol: 'NEIROUSDT', before: 'crypto:NEIRO' }],
  });
  await store.close();
}

async function writeNotes(path: string): Promise<void> {
  const notes = openProgress(path);
  await notes.fill('binance', 'BTCUSDT', asMs(0), T0);
  await notes.fill('okx', 'ETH-USDT-SWAP', asMs(T0 - 86_400_000), asMs(T0 + 3_600_000));
  await notes.close();
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('name an empty folder');
await writeLedger(join(folder, 'ledger'));
await writeIdentities(join(folder, 'market'));
await writeNotes(join(folder, 'backfill'));
const tables = {
  ledger: [...LEDGER_FORMAT.tables, 'format'],
  market: [...IDENTITY_FORMAT.tables, 'format'],
  backfill: [...BACKFILL_FORMAT.tables, 'format'],
};
for (const [store, names] of Object.entries(tables)) {
  const root = open<Buffer, Buffer>({
    path: join(folder, store),
    maxDbs: 16,
    encoding: 'binary',
    keyEncoding: 'binary',
  });
  for (const line of dumpOf(root, store, names)) process.stdout.write(`${JSON.stringify(line)}\n`);
  await root.close();
}
process.stdout.write(`${JSON.stringify({ readings: await readings(folder) })}\n`);
