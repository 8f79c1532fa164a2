import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbStore } from '../../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import { FORMATS } from '../../../src/pay/schemes/list.ts';
import { StoreUnreachable, StoreWriteError } from '../../../src/storage/remote-state.ts';
import { type FakeClock, fakeClock, fakeFacilitator } from '../fakes.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { type BuyersChannel, buyersChannel, channelRig, fakeChain, fund, SELLER } from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;

let folder: string;
let clock: FakeClock;
let servers: PaidServer[];
let buyer: BuyersChannel;
const chain = fakeChain();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'failed-write-'));
  clock = fakeClock();
  servers = [];
  buyer = buyersChannel();
  fund(chain, buyer, 100n * PRICE);
});
afterEach(async () => {
  for (const server of servers) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

const openStore = (): LedgerStore => openLmdbStore(folder, { formats: FORMATS, clock });

async function open(store: LedgerStore): Promise<PaidServer> {
  const { scheme } = await channelRig(store, clock, chain);
  const { payTo } = SELLER;
  const facilitator = fakeFacilitator();
  const server = await startPaidServer({ facilitator, payTo, clock, store, schemes: [scheme] });
  servers.push(server);
  return server;
}

async function get({ url }: PaidServer, headers: Record<string, string>) {
  const response = await fetch(url + PATH, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a write that fails', () => {
  it('after another process has sold the same: its sale stays', async () => {
    const other = await open(openStore());
    const voucher = await buyer.voucher(PRICE);
    const store = openStore();
    store.insert = async () => {
      // In the same millisecond: the clock of the test stands still.
      expect((await get(other, voucher)).status).toBe(200);
      throw new StoreWriteError('the ledger', 'full');
    };
    const server = await open(store);
    expect((await get(server, voucher)).status).toBe(503);
    const sales = await other.ledger.list({ limit: 9 });
    expect(sales).toMatchObject([{ state: 'settled', owner: other.ledger.owner }]);
    expect((await get(other, voucher)).status).toBe(200);
    expect(other.produced).toBe(1);
  });

  it('a ledger that does not answer about a channel: 503, not charged', async () => {
    const store = openStore();
    const { accounts } = store;
    if (accounts === undefined) throw new Error('a store without accounts');
    const server = await open(store);
    const voucher = await buyer.voucher(PRICE);
    const read = accounts.read.bind(accounts);
    for (const calls of [0, 1, 2, 3, 4]) {
      let left = calls;
      accounts.read = (id) => {
        if (left-- <= 0) throw new StoreUnreachable('the ledger', 'away', false);
        return read(id);
      };
      const refused = await get(server, voucher);
      expect(refused).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } });
    }
    accounts.read = read;
    expect((await get(server, voucher)).status).toBe(200);
    expect(server.produced).toBeLessThanOrEqual(2);
  });
});
