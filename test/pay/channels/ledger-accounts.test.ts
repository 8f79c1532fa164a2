import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPostgresStore } from '../../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import { accountSums } from '../../../src/pay/account-sums.ts';
import { accountViews } from '../../../src/pay/account-view.ts';
import { openLmdbStore } from '../../../src/pay/ledger-lmdb.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import { FORMATS } from '../../../src/pay/schemes/list.ts';
import { type CliRun, runCli, scratchFolder } from '../../cli/run-cli.ts';
import { fakeClock, fakeFacilitator } from '../fakes.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { emptyLedger, postgresObstacle } from '../postgres-server.ts';
import {
  type BuyersChannel,
  buyersChannel,
  type ChannelRig,
  channelRig,
  fund,
  SELLER,
} from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;

const clock = fakeClock();
let dataDir: string;
/** Of the commands: names the ledger where it is not in the folder. */
let env: Readonly<Record<string, string>>;
let store: LedgerStore;
let rig: ChannelRig;
let server: PaidServer;
let two: BuyersChannel;
let one: BuyersChannel;

type Place = readonly [name: string, open: () => Promise<LedgerStore>];
const obstacle = postgresObstacle();
const PLACES: readonly Place[] = [
  [
    'LMDB',
    async () => {
      const path = join(dataDir, 'ledger');
      mkdirSync(path, { recursive: true });
      return openLmdbStore(path, { formats: FORMATS });
    },
  ],
  [
    'PostgreSQL',
    async () => {
      env = { LEDGER_URL: await emptyLedger() };
      return openPostgresStore(env.LEDGER_URL ?? '', { formats: FORMATS });
    },
  ],
];
const isMissing = (name: string): boolean => name === 'PostgreSQL' && obstacle !== undefined;

async function soldTo(calls: bigint): Promise<BuyersChannel> {
  const channel = buyersChannel();
  fund(rig.chain, channel, 100n * PRICE);
  for (let i = 1n; i <= calls; i++) {
    const response = await fetch(server.url + PATH, { headers: await channel.voucher(i * PRICE) });
    await response.arrayBuffer();
    expect(response.status).toBe(200);
    clock.advance(1);
  }
  return channel;
}

async function open([, openStore]: Place): Promise<void> {
  dataDir = scratchFolder();
  env = {};
  store = await openStore();
  rig = await channelRig(store, clock);
  const { payTo } = SELLER;
  const schemes = [rig.scheme];
  server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, clock, store, schemes });
  two = await soldTo(2n);
  one = await soldTo(1n);
  const claimed = { balance: '500000', claimed: '5000', withdrawAt: 0, refundNonce: '0' };
  await rig.channels.see(one.id, { ...claimed, seenAt: clock.now() });
}

async function close(): Promise<void> {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

const accounts = (...args: string[]): Promise<CliRun> =>
  runCli(['ledger', 'accounts', ...args, '--data-dir', dataDir], { env });
const rowsOf = ({ stdout }: CliRun): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.each(PLACES)('ledger accounts (%s)', (...place) => {
  const it = test.skipIf(isMissing(place[0]));
  beforeAll(async () => {
    if (!isMissing(place[0])) await open(place);
  });
  afterAll(async () => {
    if (!isMissing(place[0])) await close();
  });

  it('metrics: the sums of all channels', async () => {
    const { accounts: kept } = store;
    if (kept === undefined) throw new Error('a store without accounts');
    const [sums] = await accountSums(accountViews(kept, FORMATS), []);
    expect(sums).toMatchObject({ charged: 15_000n, unclaimed: 10_000n, leaving: 0 });
    expect(sums?.stages).toEqual(new Map([['ready', 2]]));
  });

  it('beside a running service: every channel, with what it owes', async () => {
    const run = await accounts('--json');
    expect(run).toMatchObject({ code: 0, stderr: '2 accounts, 0.01 USD not claimed\n' });
    const byId = new Map(rowsOf(run).map((row) => [row.id, row]));
    expect(byId.get(two.id)).toMatchObject({
      scheme: 'batch-settlement',
      stage: 'ready',
      payer: two.account.address,
      charged_usd: '0.01',
      claimed_usd: '0',
      unclaimed_usd: '0.01',
      leaves_at: null,
    });
    expect(byId.get(one.id)).toMatchObject({
      charged_usd: '0.005',
      claimed_usd: '0.005',
      unclaimed_usd: '0',
    });
    expect(run.stdout).not.toContain('signature');
  });

  it('--unclaimed, as a table: the one that owes alone', async () => {
    const { stdout } = await runCli(['ledger', 'channels', '--unclaimed', '--data-dir', dataDir], { env });
    const [header, row, ...others] = stdout.trim().split('\n');
    expect(header).toMatch(/^id +network +stage +payer +balance_usd +charged_usd/);
    expect(row).toContain(two.id);
    expect(others).toEqual([]);
  });

  it('one channel: its account, then its own sales', async () => {
    const run = await accounts(two.id, '--json');
    expect(run).toMatchObject({ code: 0, stderr: '2 sales\n' });
    const [account, ...sales] = rowsOf(run);
    expect(account).toMatchObject({ id: two.id });
    expect(sales).toMatchObject([
      { route_id: 'perp-basis', usd: '0.005', nonce: `${two.id}:10000` },
      { route_id: 'perp-basis', usd: '0.005', nonce: `${two.id}:5000` },
    ]);
    expect(rowsOf(await accounts(two.id, '--json', '--limit', '1'))).toHaveLength(2);
  });

  it('an id that there is not, or no limit: refused with what to do', async () => {
    const missing = await accounts(`0x${'00'.repeat(32)}`);
    expect(missing).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"ledger channels" lists all'),
    });
    const wrong = await accounts('--limit', 'many');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
  });
});
