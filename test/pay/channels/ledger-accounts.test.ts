import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLmdbStore } from '../../../src/pay/ledger-lmdb.ts';
import { FORMATS } from '../../../src/pay/schemes/list.ts';
import { type CliRun, runCli, scratchFolder } from '../../cli/run-cli.ts';
import { fakeClock, fakeFacilitator } from '../fakes.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
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

const dataDir = scratchFolder();
const clock = fakeClock();
let rig: ChannelRig;
let server: PaidServer;
let two: BuyersChannel;
let one: BuyersChannel;

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

beforeAll(async () => {
  const path = join(dataDir, 'ledger');
  mkdirSync(path, { recursive: true });
  const store = openLmdbStore(path, { formats: FORMATS });
  rig = await channelRig(store, clock);
  const { payTo } = SELLER;
  const schemes = [rig.scheme];
  server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, clock, store, schemes });
  two = await soldTo(2n);
  one = await soldTo(1n);
  const claimed = { balance: '500000', claimed: '5000', withdrawAt: 0, refundNonce: '0' };
  await rig.channels.see(one.id, { ...claimed, seenAt: clock.now() });
});
afterAll(async () => {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

const accounts = (...args: string[]): Promise<CliRun> =>
  runCli(['ledger', 'accounts', ...args, '--data-dir', dataDir]);
const rowsOf = ({ stdout }: CliRun): Record<string, unknown>[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('ledger accounts', () => {
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
    const { stdout } = await runCli(['ledger', 'channels', '--unclaimed', '--data-dir', dataDir]);
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
      stderr: expect.stringContaining('"ledger accounts" lists all'),
    });
    const wrong = await accounts('--limit', 'many');
    expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining('--limit') });
  });
});
