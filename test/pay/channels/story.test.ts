import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { operatorStory } from '../../../src/modules/accounting/payment-story.ts';
import { keyDocument, signerOf } from '../../../src/modules/receipts/key-document.ts';
import { KeyRing } from '../../../src/modules/receipts/signing-keys.ts';
import { verifyReceipt } from '../../../src/modules/receipts/verify-receipt.ts';
import { until } from '../../until.ts';
import { type FakeClock, fakeClock, fakeFacilitator } from '../fakes.ts';
import { isMissing, ledgerPlaces } from '../ledger-stores.ts';
import { type PaidServer, startPaidServer } from '../paid-server.ts';
import { encodeHeader, newAccount, signAuthorization, v2Payload } from '../wallet.ts';
import { buyersChannel, channelRig, fund, SELLER } from './channel-rig.ts';

const PATH = '/v1/perp/basis?ticker=BTC';
const PRICE = 5_000n;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'story-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each(ledgerPlaces(() => folder))('the story of a delivered sale (%s)', (name, makePlace) => {
  const it = test.skipIf(isMissing(name));
  let clock: FakeClock;
  let keys: KeyRing;
  let server: PaidServer;
  let headersOf: Record<'exact' | 'channel', (n: bigint) => Promise<Record<string, string>>>;

  beforeEach(async () => {
    if (isMissing(name)) return;
    clock = fakeClock();
    keys = new KeyRing(join(folder, 'keys.json'), clock);
    const store = await (await makePlace())();
    const rig = await channelRig(store, clock);
    const { payTo } = SELLER;
    const { scheme } = rig;
    server = await startPaidServer({
      facilitator: fakeFacilitator(),
      payTo,
      clock,
      store,
      keys,
      schemes: [scheme],
    });
    const channel = buyersChannel();
    fund(rig.chain, channel, 100n * PRICE);
    const buyer = newAccount();
    headersOf = {
      exact: async () => {
        const validBefore = String(Math.floor(clock.now() / 1000) + 60);
        const signed = await signAuthorization(buyer, server.seller, { value: String(PRICE), validBefore });
        return { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(server.seller, signed)) };
      },
      channel: (n) => channel.voucher(n * PRICE),
    };
  });
  afterEach(() => (isMissing(name) ? undefined : server.stop()));

  it.each(['exact', 'channel'] as const)('by %s: hash of the body, and both receipts', async (way) => {
    const bodies: Buffer[] = [];
    // The answer of a channel's newest sale is held until the next one.
    for (const n of [1n, 2n]) {
      const response = await fetch(server.url + PATH, { headers: await headersOf[way](n) });
      bodies.push(Buffer.from(await response.arrayBuffer()));
      clock.advance(1000);
    }
    const { ledger, seller } = server;
    const found = await until(async () => {
      const [, sold] = await ledger.list({ limit: 2 });
      const story = await operatorStory({ payments: { ledger } as never }, sold?.key ?? '');
      if (story.found?.payment.state !== 'delivered') throw new Error('not delivered yet');
      return story.found;
    });
    const [body = Buffer.alloc(0)] = bodies;
    const hash = createHash('sha256').update(body).digest('base64url');
    expect(found).toMatchObject({ answer: null, receipts_gap: null, sold: { body_sha256: hash } });
    const document = keyDocument(signerOf(seller.baseUrl), keys.keys);
    const receipt = found.receipts?.answer ?? '';
    expect(verifyReceipt(receipt, body, document, { exact: true })).toMatchObject({ ok: true });
  });
});
