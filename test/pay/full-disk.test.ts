import { join } from 'node:path';
import { open } from 'lmdb';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openLmdbStore } from '../../src/pay/ledger-lmdb.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { diskObstacle, mountSmallDisk, type SmallDisk } from '../small-disk.ts';
import { until } from '../until.ts';
import { type FakeFacilitator, fakeClock, fakeFacilitator, TRANSACTION } from './fakes.ts';
import { type PaidServer, startPaidServer } from './paid-server.ts';
import {
  encodeHeader,
  newAccount,
  type SignedAuthorization,
  signAuthorization,
  v2Payload,
} from './wallet.ts';

const BASIS = '/v1/perp/basis?ticker=BTC';
const obstacle = diskObstacle();

/** A commit that fails where nobody listens ends the process: the runner counts it as an error of the run. */
describe.skipIf(obstacle !== undefined)(`a full disk under the ledger (${obstacle ?? 'on tmpfs'})`, () => {
  const clock = fakeClock();
  const buyer = newAccount();
  let disk: SmallDisk;
  let beside: ReturnType<typeof open>;
  /** Held on to: one that nobody knows any more ends when it is collected. */
  let reading: ReturnType<typeof beside.useReadTransaction>;
  let paidServer: PaidServer;
  let facilitator: FakeFacilitator;

  beforeAll(async () => {
    disk = await mountSmallDisk(8);
    facilitator = fakeFacilitator();
    const folder = join(disk.path, 'ledger');
    const store = openLmdbStore(folder, { formats: FORMATS });
    beside = open({ path: folder, maxDbs: 8 });
    // A reader of the beginning, such as a long listing: no page is used twice while it reads, so every commit grows.
    reading = beside.useReadTransaction();
    beside.get('anything', { transaction: reading });
    paidServer = await startPaidServer({ facilitator, payTo: newAccount().address, store, clock });
  });
  afterAll(async () => {
    reading.done();
    await beside.close();
    await paidServer.stop();
    await disk.remove();
  });
  beforeEach(() => {
    facilitator.settled.length = 0;
    facilitator.settleWith = [{ kind: 'settled', transaction: TRANSACTION }];
  });

  /** Full also where the file already has pages that are not in use. */
  const fill = (): void => {
    disk.fill();
    expect(() => {
      for (let i = 0; ; i++) beside.putSync(`filler ${i}`, i);
    }).toThrow('No space left');
  };
  const sign = (): Promise<SignedAuthorization> =>
    signAuthorization(buyer, paidServer.seller, { value: '5000' });
  const pay = async (signed: SignedAuthorization) => {
    const headers = { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) };
    const response = await fetch(paidServer.url + BASIS, { headers });
    return {
      status: response.status,
      retryAfter: Number(response.headers.get('retry-after')),
      body: (await response.json()) as Record<string, unknown>,
    };
  };
  const delivered = (count: number) =>
    until(async () =>
      expect(
        (await paidServer.ledger.list({ limit: 100 })).filter(({ state }) => state === 'delivered'),
      ).toHaveLength(count),
    );

  it('no space: refused before money moves, and accepted later', async () => {
    expect((await pay(await sign())).status).toBe(200);
    await delivered(1);
    const signed = await Promise.all(Array.from({ length: 12 }, sign));
    facilitator.settled.length = 0;
    fill();
    for (const { status, retryAfter, body } of await Promise.all(signed.map(pay))) {
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'answer_store_full' });
      expect(body.detail).toContain('nothing was charged');
      expect(retryAfter).toBeGreaterThan(0);
    }
    expect(facilitator.settled).toEqual([]);
    expect(await paidServer.ledger.list({ limit: 100 })).toHaveLength(1);
    disk.clear();
    const again = await Promise.all(signed.map(pay));
    expect(again.map(({ status }) => status)).toEqual(signed.map(() => 200));
    expect(facilitator.settled).toHaveLength(signed.length);
    await delivered(1 + signed.length);
  });

  it('starts no payment while the space suffices only for those in flight', async () => {
    disk.fill(1024 * 1024);
    // Space that was just found counts as there for a moment.
    await until(async () => expect((await pay(await sign())).status).toBe(503));
    const signed = await sign();
    facilitator.verified.length = 0;
    const refused = await pay(signed);
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 503,
      code: 'answer_store_full',
    });
    expect(facilitator.verified).toEqual([]);
    disk.clear();
    expect((await pay(signed)).status).toBe(200);
    expect(facilitator.verified).toHaveLength(1);
  });

  it('settles nothing where the disk fills up while the answer is made', async () => {
    const signed = await sign();
    paidServer.produce = () => {
      fill();
      return { ok: true, value: { status: 200, headers: {}, body: Buffer.alloc(100_000, 32) } };
    };
    const refused = await pay(signed);
    expect({ status: refused.status, code: refused.body.code }).toEqual({
      status: 503,
      code: 'answer_store_full',
    });
    expect(facilitator.settled).toEqual([]);
    paidServer.produce = undefined;
    disk.clear();
    // The lock could not be given back: it ends with its lease.
    clock.advance(31_000);
    expect((await pay(signed)).status).toBe(200);
    expect(facilitator.settled).toHaveLength(1);
  });

  it('a moved payment: never called uncharged, delivered later', async () => {
    const signed = await sign();
    facilitator.settleWith = [
      new Promise((resolve) => {
        const filled = () => {
          fill();
          resolve({ kind: 'settled', transaction: TRANSACTION });
        };
        void until(() => expect(facilitator.settled).toHaveLength(1)).then(filled);
      }),
    ];
    const unknown = await pay(signed);
    expect({ status: unknown.status, code: unknown.body.code }).toEqual({
      status: 503,
      code: 'settlement_unknown',
    });
    clock.advance(130_000);
    const still = await pay(signed);
    expect({ status: still.status, code: still.body.code }).toEqual({
      status: 503,
      code: 'settlement_unknown',
    });
    disk.clear();
    const answered = await pay(signed);
    expect(answered.status).toBe(200);
    expect(answered.body).toHaveProperty('product');
    const bought = (await paidServer.ledger.list({ limit: 100 })).filter(
      ({ nonce }) => nonce === signed.authorization.nonce,
    );
    expect(bought).toMatchObject([{ transaction: TRANSACTION }]);
  });
});
