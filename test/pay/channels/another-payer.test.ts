import { beforeEach, describe, expect, it } from 'vitest';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { fakeClock, fakeFacilitator } from '../fakes.ts';
import { createMemoryStore } from '../ledger-memory.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { newAccount } from '../wallet.ts';
import { voucherPayload } from './buyer.ts';
import { type BuyersChannel, buyersChannel, channelRig, fund, paying, SELLER } from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;
const ID = 'identifier-0123456789';

let server: PaidServer;
let buyer: BuyersChannel;
beforeEach(async () => {
  const clock = fakeClock();
  const store = createMemoryStore();
  const rig = await channelRig(store, clock);
  const facilitator = fakeFacilitator();
  const { payTo } = SELLER;
  server = await startPaidServer({ facilitator, payTo, clock, store, schemes: [rig.scheme] });
  buyer = buyersChannel();
  fund(rig.chain, buyer, 100n * PRICE);
  return () => server.stop();
});

const get = async (headers: Record<string, string>) => {
  const response = await fetch(server.url + PATH, { headers });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
};

/** A voucher of a thief, whose channel without money names the buyer as its payer. */
async function thiefs(total: bigint): Promise<Record<string, string>> {
  const thief = newAccount();
  const config = { ...buyer.config, payerAuthorizer: thief.address.toLowerCase() };
  const id = createChannelDigests(SELLER.network.chainId).channelId(config);
  return paying(await voucherPayload(thief, config, id, total));
}

describe('a channel without money, of a payer who does not know of it', () => {
  it('under the payer’s payment identifier: not its answer', async () => {
    const bought = await get({ ...(await buyer.voucher(PRICE)), 'Idempotency-Key': ID });
    expect(bought.status).toBe(200);
    const again = await get({ ...(await buyer.voucher(2n * PRICE)), 'Idempotency-Key': ID });
    expect(again).toEqual(bought);
    const stolen = await get({ ...(await thiefs(PRICE)), 'Idempotency-Key': ID });
    expect(stolen).toMatchObject({ status: 402, body: { code: 'insufficient_funds' } });
  });

  it('from many addresses: the payer need not wait for it', async () => {
    for (let i = 0; i < 70; i++) {
      const { status } = await get({ ...(await thiefs(PRICE)), 'x-test-address': `10.0.0.${i}` });
      expect(status).toBe(402);
    }
    expect((await get(await buyer.voucher(PRICE))).status).toBe(200);
  });
});
