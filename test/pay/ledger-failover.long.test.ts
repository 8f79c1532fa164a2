import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import { asMs } from '../../src/domain/units.ts';
import { createWallet } from '../../src/modules/self-settle/wallet.ts';
import { openPostgresStore } from '../../src/modules/shared-ledger/payments/ledger-postgres.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { Ledger } from '../../src/pay/ledger.ts';
import type { LedgerStore } from '../../src/pay/ledger-store.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { createRpcVerifier } from '../../src/pay/schemes/exact/proof.ts';
import { FORMATS } from '../../src/pay/schemes/list.ts';
import { loadSign } from '../../src/pay/sign.ts';
import { IN_FLIGHT_MS } from '../../src/pay/transition.ts';
import { compared } from '../soak/ledger-comparison.ts';
import { until } from '../until.ts';
import { type FakeFacilitator, fakeFacilitator } from './fakes.ts';
import { claimOf, keyOf } from './ledger-claims.ts';
import { type PaidServer, type PaidServerOptions, startPaidServer } from './paid-server.ts';
import { PostgresPair } from './postgres-pair.ts';
import { type PostgresServer, postgresObstacle } from './postgres-server.ts';
import { sellerAt } from './routes.ts';
import { selfExact } from './self-rig.ts';
import { encodeHeader, newAccount, type Signer, signAuthorization, v2Payload } from './wallet.ts';

const BASIS = '/v1/perp/basis?ticker=BTC';
const PRICE = '5000';
const ANSWER = { status: 200, headers: {}, body: Buffer.from('{"a":1}') };
const obstacle = postgresObstacle();

interface Answered {
  readonly status: number;
  readonly code: unknown;
  readonly text: string;
}

describe.skipIf(obstacle !== undefined)(
  `a fail-over of the ledger (${obstacle ?? 'to a real stand-by'})`,
  () => {
    let pair: PostgresPair;
    let store: LedgerStore;
    let shop: PaidServer;
    let former: PostgresServer | undefined;
    let buyer: Signer;

    const begin = async (
      isSynchronous: boolean,
      options: Pick<PaidServerOptions, 'facilitator' | 'payTo' | 'proof' | 'clock'>,
    ): Promise<void> => {
      pair = await PostgresPair.start({ isSynchronous });
      store = await openPostgresStore(pair.url('postgres'), { formats: FORMATS });
      shop = await startPaidServer({ ...options, store });
    };
    /** The stand-by takes over as it is. */
    const failOver = async (): Promise<PostgresServer> => {
      await pair.primary.kill();
      pair.address.lead(pair.standBy.port);
      former = await pair.promote();
      return former;
    };
    const sign = async (): Promise<Readonly<Record<string, string>>> => {
      const signed = await signAuthorization(buyer, shop.seller, { value: PRICE });
      return {
        'PAYMENT-SIGNATURE': encodeHeader(v2Payload(shop.seller, signed)),
        'Idempotency-Key': `order-${signed.authorization.nonce.slice(2, 40)}`,
      };
    };
    const pay = async (headers: Readonly<Record<string, string>>): Promise<Answered> => {
      const response = await fetch(shop.url + BASIS, { headers });
      const text = await response.text();
      return { status: response.status, code: (JSON.parse(text) as { code?: unknown }).code, text };
    };
    const paymentsIn = async (server: PostgresServer): Promise<number> => {
      const [row] = await server.query('postgres', 'SELECT count(*) AS n FROM perpmeter.payments');
      return Number(row?.n);
    };
    const clientsOf = (server: PostgresServer): Promise<readonly unknown[]> =>
      server.query('postgres', "SELECT pid FROM pg_stat_activity WHERE application_name = 'perpmeter'");

    beforeEach(() => {
      former = undefined;
      buyer = newAccount();
    });
    afterEach(async () => {
      await shop.stop();
      await pair.stop();
      former?.remove();
    });

    describe('where a facilitator says what became of the money', () => {
      let facilitator: FakeFacilitator;
      const payTo = newAccount().address;
      beforeEach(() => {
        facilitator = fakeFacilitator();
      });

      it('a stand-by behind the address: nothing sold until promoted', async () => {
        await begin(true, { facilitator, payTo });
        const bought = await sign();
        const open = await sign();
        const first = await pay(bought);
        expect(first.status).toBe(200);
        await pair.primary.kill();
        pair.address.lead(pair.standBy.port);
        expect(await pay(open)).toMatchObject({ status: 503, code: 'ledger_unavailable' });
        // A stand-by would answer this.
        await expect(store.read(keyOf('x'))).rejects.toThrow('stand-by');
        expect(store.remote).toMatchObject({ ok: false });
        expect([facilitator.verified.length, facilitator.settled.length]).toEqual([1, 1]);
        const late = await openPostgresStore(pair.url('postgres'), { formats: FORMATS, mayBeAway: true });
        former = await pair.promote();
        expect(await pay(open)).toMatchObject({ status: 200 });
        expect((await pay(bought)).text).toBe(first.text);
        expect(facilitator.settled).toHaveLength(2);
        expect(await late.list({ limit: 9 })).toHaveLength(2);
        expect([store.remote, late.remote]).toMatchObject([{ ok: true }, { ok: true }]);
        await late.close();
      });

      it('a payment unknown to the stand-by: settled by nobody', async () => {
        await begin(true, { facilitator, payTo });
        expect(await pay(await sign())).toMatchObject({ status: 200 });
        pair.link.set('silent');
        const open = await sign();
        expect(await pay(open)).toMatchObject({ status: 503, code: 'settlement_unknown' });
        expect(facilitator.settled).toHaveLength(1);
        const old = await failOver();
        expect(await pay(open)).toMatchObject({ status: 200 });
        expect(facilitator.settled).toHaveLength(2);
        await old.begin();
        expect([await paymentsIn(old), await paymentsIn(pair.primary)]).toEqual([2, 2]);
        expect(await clientsOf(old)).toEqual([]);
        // A host that finds the way to it all the same is not told that anything is stored.
        const astray = await openPostgresStore(old.url('postgres'), { formats: FORMATS });
        const ledger = new Ledger({ store: astray, clock: systemClock, owner: 'astray' });
        const claim = await ledger.claim(claimOf('x'));
        if (claim.kind !== 'claimed') throw new Error(claim.kind);
        const holding = ledger.hold(claim.record, { state: 'settling' }, ANSWER);
        await expect(holding).rejects.toMatchObject({ isInDoubt: true });
        await astray.close();
      });

      it.each(['pg_cancel_backend', 'pg_terminate_backend'])(
        'seen on the primary alone, after %s of a wait: not settled',
        async (end) => {
          await begin(true, { facilitator, payTo });
          expect(await pay(await sign())).toMatchObject({ status: 200 });
          pair.link.set('silent');
          const open = await sign();
          const answer = pay(open);
          const ended = `SELECT ${end}(pid) FROM pg_stat_activity
          WHERE wait_event = 'SyncRep' AND query LIKE '%INSERT INTO perpmeter.payments%'`;
          await until(async () => expect(await pair.primary.query('postgres', ended)).not.toEqual([]));
          await until(async () => expect(await paymentsIn(pair.primary)).toBe(2));
          expect(await answer).toMatchObject({ status: 503, code: 'settlement_unknown' });
          expect(facilitator.settled).toHaveLength(1);
          await failOver();
          expect(await pay(open)).toMatchObject({ status: 200 });
          expect(facilitator.settled).toHaveLength(2);
        },
      );

      it('a former primary that still runs: its connections end', async () => {
        await begin(false, { facilitator, payTo });
        expect(await pay(await sign())).toMatchObject({ status: 200 });
        await until(async () => expect(await paymentsIn(pair.standBy)).toBe(1));
        expect((await clientsOf(pair.primary)).length).toBeGreaterThan(0);
        pair.address.lead(pair.standBy.port);
        former = await pair.promote();
        expect(await pay(await sign())).toMatchObject({ status: 200 });
        expect([await paymentsIn(former), await paymentsIn(pair.primary)]).toEqual([1, 2]);
        await until(async () => expect(await clientsOf(former ?? pair.primary)).toEqual([]));
      });
    });

    describe('that loses the last payments, since its stand-by was behind', () => {
      let chain: SandboxChain;
      let self: Facilitator;
      /** True if the facilitator looks before it settles if the authorization was used. */
      let looks: boolean;
      /** Done before it settles. */
      let before: () => Promise<void>;
      let lateMs: number;
      beforeEach(async () => {
        chain = await startSandboxChain();
        buyer = privateKeyToAccount(chain.buyer.privateKey);
        looks = true;
        before = async () => {};
        lateMs = 0;
        const seller = sellerAt('http://127.0.0.1:8402', chain.payee.address);
        const key = chain.facilitator.privateKey;
        self = await selfExact(seller, {
          rpc: chain.rpc,
          maxFeePerGas: 10n ** 11n,
          pollMs: 20,
          wallet: await createWallet(key, chain.chainId, await loadSign(key)),
        });
        const facilitator: Facilitator = {
          name: 'self',
          ok: true,
          probe: async () => {},
          verify: async (...asked) => (looks ? self.verify(...asked) : { kind: 'valid' }),
          settle: async (request) => {
            await before();
            return self.settle(request);
          },
        };
        const clock = { now: () => asMs(systemClock.now() + lateMs) };
        const proof = createRpcVerifier(chain.rpc);
        await begin(false, { facilitator, payTo: chain.payee.address, proof, clock });
      });
      afterEach(async () => {
        self.stop?.();
        await chain.stop();
      });

      it('no money twice, and lost payments are called lost', async () => {
        const kept = await sign();
        expect(await pay(kept)).toMatchObject({ status: 200 });
        await until(async () => expect(await paymentsIn(pair.standBy)).toBe(1));
        pair.link.set('silent');
        const asked = await sign();
        const silent = await sign();
        const sold = await pay(asked);
        expect([sold.status, (await pay(silent)).status]).toEqual([200, 200]);
        await failOver();
        const balance = () => compared(chain, shop.ledger, shop.seller);
        const lost = (await balance()).problems.filter((problem) => problem.includes('not_in_ledger'));
        expect(lost).toHaveLength(2);
        // The nonce is used, and nobody here knows for what.
        expect(await pay(asked)).toMatchObject({ status: 402 });
        looks = false;
        const again = await pay(asked);
        expect(again.status).toBe(200);
        expect(again.text).not.toBe(sold.text);
        const books = await balance();
        expect([books.transfers, books.paidNonces.size]).toEqual([3, 2]);
        expect(books.problems.filter((problem) => problem.includes('not_in_ledger'))).toHaveLength(1);
      });

      it('only the word of settling lost: the same answer again', async () => {
        before = async () => {
          await until(async () => expect(await paymentsIn(pair.standBy)).toBe(1));
          pair.link.set('silent');
        };
        const asked = await sign();
        const sold = await pay(asked);
        expect(sold.status).toBe(200);
        await failOver();
        const [left] = await store.list({ limit: 1 });
        expect(left?.state).toBe('settling');
        // Its lease has ended: a process that hears of the payment asks the chain.
        lateMs = IN_FLIGHT_MS;
        expect(await pay(asked)).toEqual(sold);
        const { transfers, paidNonces, problems } = await compared(chain, shop.ledger, shop.seller);
        expect([transfers, paidNonces.size, problems]).toEqual([1, 1, []]);
      });
    });
  },
);
