import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { asMs } from '../../../src/domain/units.ts';
import { type FakeClock, fakeClock, fakeFacilitator } from '../fakes.ts';
import { isMissing, ledgerPlaces, type OpenStore } from '../ledger-stores.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import {
  type BuyersChannel,
  buyersChannel,
  type ChannelRig,
  channelRig,
  type FakeChain,
  fakeChain,
  fund,
  SELLER,
} from './channel-rig.ts';
import { readSettled } from './settled.ts';

const ROUNDS = Number(process.env.HOSTILE_ROUNDS ?? 100);
const SEED = Number(process.env.HOSTILE_SEED ?? 20261128);
const PRICES = [
  ['/v1/perp/basis?ticker=BTC', 5_000n],
  ['/v1/perp/open-interest?ticker=BTC', 1_000n],
] as const;
const FUNDS = 400_000n;

let folder: string;
let clock: FakeClock;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  clock = fakeClock();
  chain = fakeChain();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Numbers below `most`, the same for the same seed (mulberry32). */
function numbers(seed: number): (most: number) => number {
  let state = seed;
  return (most) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % most;
  };
}

interface Host {
  readonly rig: ChannelRig;
  readonly server: PaidServer;
}

let chain: FakeChain;

async function openHost(openStore: OpenStore): Promise<Host> {
  const store = await openStore();
  const rig = await channelRig(store, clock, chain);
  const { payTo } = SELLER;
  const facilitator = fakeFacilitator();
  const server = await startPaidServer({ facilitator, payTo, clock, store, schemes: [rig.scheme] });
  return { rig, server };
}

/** A buyer with all that it has signed, and all that it got. */
interface Buyer {
  readonly channel: BuyersChannel;
  readonly sent: Record<string, string>[];
  /** The price of each sale, by its total. */
  readonly got: Map<string, bigint>;
}

describe.each(ledgerPlaces(() => folder))('two hosts on one ledger (%s)', (name, makePlace) => {
  it.skipIf(isMissing(name))('hostile vouchers: claimed <= charged <= signed', async () => {
    await attack(await makePlace());
  });
});

async function attack(openStore: OpenStore): Promise<void> {
  const next = numbers(SEED);
  const any = <T>(list: readonly T[]): T => list[next(list.length)] as T;
  const buyers: Buyer[] = Array.from({ length: 3 }, () => {
    const channel = buyersChannel();
    fund(chain, channel, FUNDS);
    return { channel, sent: [], got: new Map() };
  });
  let hosts = [await openHost(openStore), await openHost(openStore)];
  const ask = async (
    buyer: Buyer,
    headers: Record<string, string>,
    at: Host,
    route: (typeof PRICES)[number],
  ) => {
    const response = await fetch(at.server.url + route[0], { headers });
    await response.arrayBuffer();
    // A sale that is given again is one sale: its total is its own.
    if (response.status === 200) {
      const { chargedCumulativeAmount } = readSettled(response).extra.channelState;
      buyer.got.set(chargedCumulativeAmount, route[1]);
    }
    return response.status;
  };
  const rowOf = async ({ channel }: Buyer) => (await hosts[0]?.rig.channels.read(channel.id))?.channel;
  const statuses = new Map<number, number>();

  for (let round = 0; round < ROUNDS; round++) {
    clock.advance(50);
    const buyer = any(buyers);
    const { channel, sent } = buyer;
    const charged = BigInt((await rowOf(buyer))?.charged ?? '0');
    const route = any(PRICES);
    const asking: Promise<number>[] = [];
    const kind = next(10);
    const total =
      kind < 5
        ? charged + route[1]
        : any([charged, charged + route[1] + 1n, charged + 50_000n, charged / 2n + 1n, FUNDS + 5_000n]);
    const headers = total > 0n ? await channel.voucher(total) : await channel.voucher(1n);
    sent.push(headers);
    if (kind === 7) asking.push(ask(buyer, any(sent), any(hosts), route));
    else if (kind === 8)
      asking.push(ask(buyer, await any(buyers).channel.voucher(total + 1n), any(hosts), route));
    else if (kind === 9)
      asking.push(ask(buyer, await buyersChannel().voucher(total + 1n), any(hosts), route));
    for (let i = 0; i <= next(3); i++) {
      const other = any(PRICES);
      asking.push(ask(buyer, headers, any(hosts), route));
      if (next(3) === 0) {
        const rival = await channel.voucher(charged + other[1]);
        sent.push(rival);
        asking.push(ask(buyer, rival, any(hosts), other));
      }
    }
    for (const status of await Promise.all(asking)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    if (next(25) === 0) {
      for (const { server } of hosts) await server.stop();
      hosts = [await openHost(openStore), await openHost(openStore)];
    }
    if (next(15) === 0) {
      const row = await rowOf(buyer);
      const known = chain.channels.get(channel.id);
      // A claim of all that is charged.
      if (row !== undefined && known !== undefined)
        chain.channels.set(channel.id, { ...known, claimed: row.charged });
      await any(hosts).rig.channels.see(channel.id, {
        ...(chain.channels.get(channel.id) ?? {
          balance: '0',
          claimed: '0',
          withdrawAt: 0,
          refundNonce: '0',
        }),
        seenAt: asMs(clock.now()),
      });
    }
    for (const one of buyers) {
      const row = await rowOf(one);
      if (row === undefined) continue;
      expect(BigInt(row.chain.claimed)).toBeLessThanOrEqual(BigInt(row.charged));
      expect(BigInt(row.charged)).toBeLessThanOrEqual(BigInt(row.newest?.total ?? row.charged));
      expect(BigInt(row.charged)).toBeLessThanOrEqual(BigInt(row.chain.balance));
      expect(row.open).toBeUndefined();
    }
  }
  for (const { channel, got } of buyers) {
    const row = (await hosts[0]?.rig.channels.read(channel.id))?.channel;
    const sold = [...got.values()].reduce((sum, price) => sum + price, 0n);
    expect(BigInt(row?.charged ?? 0)).toBe(sold);
  }
  expect(statuses.get(200)).toBeGreaterThan(ROUNDS / 5);
  expect(statuses.get(500)).toBeUndefined();
  for (const { server } of hosts) {
    expect(server.errors).toEqual([]);
    await server.stop();
  }
}
