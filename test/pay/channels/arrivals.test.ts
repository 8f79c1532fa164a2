import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ok } from '../../../src/domain/errors.ts';
import type { PaywallReply } from '../../../src/pay/types.ts';
import { until } from '../../until.ts';
import { type FakeClock, fakeClock, fakeFacilitator } from '../fakes.ts';
import { isMissing, ledgerPlaces } from '../ledger-stores.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { routeOf } from '../routes.ts';
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

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;
const REFUSED = { status: 402, body: { code: 'invalid_amount' } };

interface Host {
  readonly rig: ChannelRig;
  readonly server: PaidServer;
}

let folder: string;
let clock: FakeClock;
let chain: FakeChain;
let hosts: Host[];
let buyer: BuyersChannel;
let voucher: Record<string, string>;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'arrivals-'));
  clock = fakeClock();
  chain = fakeChain();
  hosts = [];
  buyer = buyersChannel();
  fund(chain, buyer, 100n * PRICE);
  voucher = await buyer.voucher(PRICE);
});
afterEach(async () => {
  for (const { server } of hosts) await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function get({ server }: Host, headers = voucher) {
  const response = await fetch(server.url + PATH, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** Loses the answer on its way. */
async function lose(host: Host): Promise<void> {
  host.server.cutPaid = true;
  await expect(get(host)).rejects.toThrow();
  host.server.cutPaid = false;
  await noted(host);
}
const noted = ({ server }: Host) => until(() => expect(server.paywall.inFlight).toBe(0));

/** The voucher is given to a facilitator to be claimed, and so much time goes by that no answer is on its way. */
async function publish({ rig }: Host): Promise<void> {
  await rig.channels.update(buyer.id, { kind: 'published', total: PRICE.toString() });
  clock.advance(90_000);
}

/** Presents the voucher without a connection: the test says what becomes of the answer. */
const present = ({ server }: Host): Promise<PaywallReply> =>
  server.paywall.pay(
    routeOf(server.routes, 'perp-basis'),
    {
      method: 'GET',
      resource: PATH,
      paymentSignature: voucher['PAYMENT-SIGNATURE'],
      address: '127.0.0.1',
    },
    {
      check: () => undefined,
      produce: () => ok({ status: 200, headers: {}, body: Buffer.from('{"product":1}') }),
    },
  );

describe.each(ledgerPlaces(() => folder))('the answer to a claimed voucher (%s)', (name, makePlace) => {
  const it = test.skipIf(isMissing(name));
  let open: () => Promise<Host>;
  let first: Host;
  beforeEach(async () => {
    if (isMissing(name)) return;
    const openStore = await makePlace();
    open = async () => {
      const store = await openStore();
      const rig = await channelRig(store, clock, chain);
      const { payTo } = SELLER;
      const facilitator = fakeFacilitator();
      const server = await startPaidServer({ facilitator, payTo, clock, store, schemes: [rig.scheme] });
      const host = { rig, server };
      hosts.push(host);
      return host;
    };
    first = await open();
  });

  it('arrived, at another host and after a restart: refused', async () => {
    const bought = await get(first);
    expect(bought.status).toBe(200);
    await noted(first);
    const second = await open();
    expect(await get(second)).toEqual(bought);
    await publish(first);
    expect(await get(second)).toMatchObject(REFUSED);
    expect(await get(first)).toMatchObject(REFUSED);
    for (const { server } of hosts.splice(0)) await server.stop();
    expect(await get(await open())).toMatchObject(REFUSED);
  });

  it('arrived, and noted in the ledger: it keeps its answer and its time', async () => {
    await get(first);
    await noted(first);
    const at = clock.now();
    const [sale] = await first.server.ledger.list({ limit: 1 });
    expect(sale).toMatchObject({ state: 'settled', deliveredAt: at, answerId: expect.any(String) });
    clock.advance(5_000);
    expect((await get(first, await buyer.voucher(2n * PRICE))).status).toBe(200);
    await noted(first);
    const [, former] = await first.server.ledger.list({ limit: 2 });
    expect(former).toMatchObject({ state: 'delivered', deliveredAt: at, answerId: undefined });
  });

  it('lost: given once', async () => {
    await lose(first);
    const second = await open();
    await publish(first);
    expect((await get(second)).status).toBe(200);
    await noted(second);
    clock.advance(90_000);
    for (const host of hosts) expect(await get(host)).toMatchObject(REFUSED);
  });

  it('lost, and then given to its buyer: refused', async () => {
    await lose(first);
    expect((await get(first)).status).toBe(200);
    await noted(first);
    await publish(first);
    expect(await get(first)).toMatchObject(REFUSED);
    expect(await get(await open())).toMatchObject(REFUSED);
  });

  it.each([true, false])('one of two ways arrived, lost first %s: refused', async (isLossFirst) => {
    const second = await open();
    const one = await present(first);
    const other = await present(second);
    expect([one.status, other.status]).toEqual([200, 200]);
    if (isLossFirst) one.sent?.(false);
    await noted(first);
    other.sent?.(true);
    await noted(second);
    if (!isLossFirst) one.sent?.(false);
    await noted(first);
    await publish(first);
    for (const host of hosts) expect(await get(host)).toMatchObject(REFUSED);
  });
});
