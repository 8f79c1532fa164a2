import { Compile } from 'typebox/compile';
import { beforeEach, describe, expect, it } from 'vitest';
import { iso } from '../../../src/domain/clock.ts';
import { asMs } from '../../../src/domain/units.ts';
import { accountMetrics } from '../../../src/host/metrics/account-metrics.ts';
import { MetricSet } from '../../../src/host/metrics/metric-set.ts';
import { operatorAccounts } from '../../../src/modules/accounting/accounts.ts';
import { accountsSchema } from '../../../src/modules/accounting/schemas/accounts.ts';
import type { AccountView } from '../../../src/pay/account.ts';
import { accountRow } from '../../../src/pay/account-row.ts';
import { accountViews } from '../../../src/pay/account-view.ts';
import { checksumAddress } from '../../../src/pay/address.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import { FORMATS } from '../../../src/pay/schemes/list.ts';
import { type FakeClock, fakeClock, fakeFacilitator } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import {
  type BuyersChannel,
  buyersChannel,
  type ChannelRig,
  channelRig,
  fund,
  SELLER,
  TERMS,
} from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;
const HOUR_MS = 3_600_000;

let clock: FakeClock;
let store: LedgerStore;
let rig: ChannelRig;
let server: PaidServer;

beforeEach(async () => {
  clock = fakeClock();
  store = createMemoryStore();
  rig = await channelRig(store, clock);
  const { payTo } = SELLER;
  const schemes = [rig.scheme];
  server = await startPaidServer({ facilitator: fakeFacilitator(), payTo, clock, store, schemes });
  return () => server.stop();
});

const buy = async (channel: BuyersChannel, total: bigint): Promise<number> => {
  const response = await fetch(server.url + PATH, { headers: await channel.voucher(total) });
  await response.arrayBuffer();
  return response.status;
};

async function soldTo(calls: bigint): Promise<BuyersChannel> {
  const channel = buyersChannel();
  fund(rig.chain, channel, 100n * PRICE);
  for (let i = 1n; i <= calls; i++) expect(await buy(channel, i * PRICE)).toBe(200);
  return channel;
}

async function views(): Promise<readonly AccountView[]> {
  if (store.accounts === undefined) throw new Error('no accounts');
  const found: AccountView[] = [];
  for await (const view of accountViews(store.accounts, FORMATS)) found.push(view);
  return found;
}

/** The buyer has requested its money back at this time, Unix seconds, and the seller has seen it. */
async function leave({ id }: BuyersChannel, at: number): Promise<void> {
  const known = rig.chain.channels.get(id);
  if (known === undefined) throw new Error('no channel');
  rig.chain.channels.set(id, { ...known, withdrawAt: at });
  await rig.channels.see(id, { ...known, withdrawAt: at, seenAt: clock.now() });
}

describe('channels as accounts of a ledger', () => {
  it('sold by a channel: its account says what is charged and unclaimed', async () => {
    const { id, config, account } = await soldTo(3n);
    const at = clock.now();
    const [view, ...others] = await views();
    expect(others).toEqual([]);
    expect(view).toEqual({
      id,
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      payer: config.payer,
      stage: 'ready',
      balance: 100n * PRICE,
      charged: 3n * PRICE,
      claimed: 0n,
      owedSince: at,
      dueAt: asMs(at + HOUR_MS),
      usedAt: at,
      seenAt: at,
      leavesAt: undefined,
    });
    expect(view && accountRow(view)).toMatchObject({
      payer: checksumAddress(account.address),
      balance_usd: '0.5',
      unclaimed_usd: '0.015',
      leaves_at: null,
    });
  });

  it('a single sale: due after 30 days, since a refund needs its voucher', async () => {
    await soldTo(1n);
    expect(await views()).toMatchObject([{ dueAt: clock.now() + 30 * 24 * HOUR_MS }]);
  });

  it('more than is worth a transaction: due at once', async () => {
    const channel = buyersChannel();
    fund(rig.chain, channel, 1_000n * PRICE);
    for (let i = 1n; i <= 2n; i++) await buy(channel, i * PRICE);
    const { id } = channel;
    const stored = await rig.channels.read(id);
    const former = { total: '2000000', signature: '0x' };
    const row = JSON.stringify({ ...stored?.channel, former, charged: '2005000' });
    await store.accounts?.write({ id, version: stored?.version ?? 0, row });
    expect(await views()).toMatchObject([{ dueAt: clock.now() }]);
  });

  it('its buyer withdraws: it leaves when the delay is over', async () => {
    const channel = await soldTo(1n);
    await leave(channel, 1_800_000_000);
    const leavesAt = asMs((1_800_000_000 + TERMS.withdrawDelay) * 1000);
    expect(await views()).toMatchObject([{ stage: 'leaving', leavesAt, dueAt: 1_800_000_000_000 }]);
  });

  it('the lease of claims: no account of a buyer', async () => {
    await rig.channels.leads('a', 1_000);
    expect(await views()).toEqual([]);
  });

  it('more than one page of them: each once, in the order of their ids', async () => {
    const { id } = await soldTo(1n);
    const row = (await store.accounts?.read(id))?.row ?? '';
    const ids = Array.from({ length: 1_100 }, (_, i) => `0x${String(i).padStart(64, '0')}`);
    for (const other of ids) await store.accounts?.write({ id: other, version: 0, row });
    const found = (await views()).map((view) => view.id);
    expect(found).toEqual([...ids, id].sort());
  });
});

describe('metrics of accounts', () => {
  const metricsOf = async (): Promise<readonly string[]> => {
    const metrics = new MetricSet();
    accountMetrics(metrics, server.ledger, () => [SELLER.network.id]);
    return (await metrics.text()).split('\n').filter((line) => line.startsWith('perpmeter_'));
  };
  const OF = '{scheme="batch-settlement",network="eip155:8453"}';

  it('no channel yet: sums of zero, and no loss is near', async () => {
    const lines = await metricsOf();
    expect(lines).toContain(`perpmeter_accounts_unclaimed_usd${OF} 0`);
    expect(lines).toContain(`perpmeter_accounts_unclaimed_age_seconds${OF} 0`);
    expect(lines.join('\n')).not.toContain('loss_in_seconds');
  });

  it('two channels, one leaves: all, the most, the age and the time left', async () => {
    await soldTo(1n);
    clock.advance(60_000);
    const leaving = await soldTo(3n);
    await leave(leaving, Math.floor(clock.now() / 1000));
    clock.advance(40_000);
    const lines = await metricsOf();
    expect(lines).toContain(
      'perpmeter_accounts{scheme="batch-settlement",network="eip155:8453",stage="ready"} 1',
    );
    expect(lines).toContain(
      'perpmeter_accounts{scheme="batch-settlement",network="eip155:8453",stage="leaving"} 1',
    );
    expect(lines).toContain(`perpmeter_accounts_charged_usd${OF} 0.02`);
    expect(lines).toContain(`perpmeter_accounts_unclaimed_usd${OF} 0.02`);
    expect(lines).toContain(`perpmeter_accounts_unclaimed_most_usd${OF} 0.015`);
    expect(lines).toContain(`perpmeter_accounts_unclaimed_age_seconds${OF} 100`);
    expect(lines).toContain(`perpmeter_accounts_leaving${OF} 1`);
    const secondsOf = (name: string) =>
      Number(lines.find((line) => line.startsWith(`perpmeter_accounts_${name}${OF}`))?.split(' ')[1]);
    expect(secondsOf('overdue_seconds')).toBeCloseTo(40, -1);
    expect(secondsOf('loss_in_seconds')).toBeCloseTo(TERMS.withdrawDelay - 40, -1);
  });
});

describe('the document of the operator', () => {
  it('channels: in sums, those that leave first, then those that owe most', async () => {
    const little = await soldTo(1n);
    const much = await soldTo(3n);
    const leaving = await soldTo(2n);
    await leave(leaving, 1_800_000_000);
    const { schemes, accounts, ...rest } = await operatorAccounts({ payments: server });
    expect(schemes).toEqual([
      {
        scheme: 'batch-settlement',
        network: 'eip155:8453',
        stages: { ready: 2, leaving: 1 },
        charged_usd: '0.03',
        claimed_usd: '0',
        unclaimed_usd: '0.03',
        oldest_unclaimed: iso(clock.now()),
        leaving: 1,
      },
    ]);
    expect(accounts.map(({ id }) => id)).toEqual([leaving.id, much.id, little.id]);
    expect(rest).toEqual({ total: 3, complete: true });
    expect([...Compile(accountsSchema).Errors({ schemes, accounts, ...rest })]).toEqual([]);
  });

  it('no ledger: nothing to show', async () => {
    const document = await operatorAccounts({ payments: { ledger: undefined } });
    expect(document).toEqual({ schemes: [], accounts: [], total: 0, complete: true });
  });
});

describe('counts of the scheme', () => {
  const countsOf = (name: string) =>
    Object.fromEntries(rig.scheme.counters?.find((counter) => counter.name === name)?.counts ?? []);

  it('a total that jumps: counted as corrected with a voucher', async () => {
    const channel = await soldTo(1n);
    expect(await buy(channel, 9n * PRICE)).toBe(402);
    expect(countsOf('channel_corrections_total')).toEqual({ voucher: 1, none: 0 });
  });
});
