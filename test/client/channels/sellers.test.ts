import { createClient, memoryChannels, memoryStore, type WalletOptions } from '@perpmeter/client';
import { keySigner } from '@perpmeter/client/key-signer';
import fc from 'fast-check';
import { generatePrivateKey } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { voucherData } from '../../../packages/client/src/channels/digests.ts';
import { atomicOf, most } from '../../../packages/client/src/usd.ts';
import { terms } from '../seller.ts';
import { payloadOf } from './rig.ts';

const PATH = '/v1/perp/basis';
const PRICE = 5000n;
const MISMATCH = 'invalid_batch_settlement_evm_cumulative_amount_mismatch';
const AUTHORIZER = `0x${'c'.repeat(40)}`;

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64');
const entry = (extra: object = {}, change: object = {}) => {
  const { extra: token, ...rest } = terms({ scheme: 'batch-settlement', ...change });
  return { ...rest, extra: { ...token, receiverAuthorizer: AUTHORIZER, withdrawDelay: 86_400, ...extra } };
};
const challenge = (batch: object, error = 'payment_required'): Response =>
  new Response(JSON.stringify({ error }), {
    status: 402,
    headers: { 'payment-required': encoded({ x402Version: 2, error, accepts: [terms(), batch] }) },
  });
const sold = (): Response => new Response('{}', { headers: { 'content-type': 'application/json' } });

type Payload = ReturnType<typeof payloadOf> & {
  readonly channelConfig?: { readonly receiverAuthorizer: string };
};
type Reply = (payload: Payload, id: string) => Response | Promise<Response>;

/** A client at a seller who says to each payment what the test has it say; the last answer is repeated. */
function at(
  replies: Reply[],
  wallet: Partial<WalletOptions> = {},
  offers: (() => object)[] = [() => entry()],
) {
  const presented: Payload[] = [];
  const totals: bigint[] = [];
  /** The highest total that was signed for each channel. */
  const highest = new Map<unknown, bigint>();
  const signer = keySigner(generatePrivateKey());
  const client = createClient({
    baseUrl: 'http://seller.example',
    wait: async () => {},
    fetch: async (_, { headers }) => {
      const header = headers['PAYMENT-SIGNATURE'];
      if (header === undefined) {
        const offer = offers.length > 1 ? offers.shift() : offers[0];
        return challenge(offer?.() ?? entry());
      }
      const payload = payloadOf(header) as Payload & { voucher?: { channelId: string } };
      presented.push(payload);
      const reply = replies.length > 1 ? replies.shift() : replies[0];
      return reply?.(payload, payload.voucher?.channelId ?? '') ?? sold();
    },
    wallet: {
      caps: { perCall: '0.01', total: '0.2' },
      checkCatalog: false,
      channels: { fromCall: 1 },
      signer: {
        address: signer.address,
        signTypedData: async (data) => {
          if (data.primaryType === 'Voucher') {
            const { channelId, maxClaimableAmount } = data.message;
            const total = BigInt(String(maxClaimableAmount));
            totals.push(total);
            highest.set(channelId, most(total, highest.get(channelId) ?? 0n));
          }
          return signer.signTypedData(data);
        },
      },
      ...wallet,
    },
  });
  return { client, presented, totals, highest, signer, ask: () => client.request(PATH) };
}

const state = (id: string, charged: bigint, more: object = {}) => ({
  channelState: {
    channelId: id,
    balance: '100000',
    totalClaimed: '0',
    withdrawRequestedAt: 0,
    refundNonce: '0',
    chargedCumulativeAmount: charged.toString(),
    ...more,
  },
});

/** Sum of the amounts of different ones, atomic units. */
const sumOf = (amounts: readonly (readonly [name: string, amount: string])[]): bigint =>
  [...new Map(amounts).values()].reduce((sum, amount) => sum + BigInt(amount), 0n);
const exactOf = (all: readonly Payload[]): bigint =>
  sumOf(
    all.flatMap(({ authorization }) => (authorization ? [[authorization.nonce, authorization.value]] : [])),
  );
const depositsOf = (all: readonly Payload[]): bigint =>
  sumOf(all.flatMap(({ deposit }) => (deposit ? [[JSON.stringify(deposit), deposit.amount]] : [])));

const corrective = (extra: object): Response => challenge(entry(extra), MISMATCH);

describe('a seller who overstates what it has charged', () => {
  it.each([
    ['without a proof', async () => ({})],
    [
      'by a voucher of somebody else',
      async (id: string) => {
        const { signTypedData } = keySigner(generatePrivateKey());
        const signature = await signTypedData(voucherData(id, 50_000n, 8453));
        return { voucherState: { signedMaxClaimable: '50000', signature } };
      },
    ],
    [
      'by a signature that is none',
      async () => ({ voucherState: { signedMaxClaimable: '50000', signature: '0x11' } }),
    ],
  ])('%s: nothing above the price is signed', async (_, proof) => {
    const buyer = at([
      () => sold(),
      async (_payload, id) => corrective({ ...state(id, 50_000n), ...(await proof(id)) }),
      () => sold(),
    ]);
    for (let i = 0; i < 3; i++) expect(await buyer.ask()).toMatchObject({ ok: true });
    expect(buyer.totals).toEqual([PRICE, 2n * PRICE, PRICE]);
    // Exact pays this call. The channel is left alone, and the next call opens another one.
    const types = buyer.presented.map(({ type }) => type);
    expect(types).toEqual(['deposit', 'voucher', undefined, 'deposit']);
    const states = (await buyer.client.channels()).map(({ state }) => state);
    expect(states).toEqual(['disputed', 'open']);
  });

  it('by an older voucher of ours for less: nothing above is signed', async () => {
    const buyer = at([
      () => sold(),
      ({ voucher }, id) =>
        corrective({
          ...state(id, 60_000n),
          voucherState: { signedMaxClaimable: voucher?.maxClaimableAmount, signature: '0x' },
        }),
    ]);
    await buyer.ask();
    await buyer.ask();
    expect(buyer.totals).toEqual([PRICE, 2n * PRICE]);
  });

  it.each([
    ['0.02', 4],
    ['0.01', 2],
    ['0.005', 1],
  ])('by our own voucher, again and again: %s a call is %i prices', async (maxUsd, prices) => {
    const caps = { perCall: '0.05', total: '0.2' };
    const buyer = at([({ voucher }, id) => corrective(state(id, BigInt(voucher?.maxClaimableAmount ?? 0)))], {
      caps,
    });
    const result = await buyer.client.request(PATH, { maxUsd });
    expect(result.ok).toBe(false);
    expect([...buyer.highest.values()]).toEqual([BigInt(prices) * PRICE]);
    expect(exactOf(buyer.presented)).toBe(0n);
  });

  it('in any way, in any order: what it can claim stays within the caps', async () => {
    const lie = fc.record({
      kind: fc.constantFrom('sold', 'lost', 'correct', 'refuse', 'none'),
      charged: fc.bigInt({ min: 0n, max: 60_000n }),
      balance: fc.bigInt({ min: 0n, max: 500_000n }),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(lie, { minLength: 1, maxLength: 15 }),
        fc.boolean(),
        fc.constantFrom('0.005', '0.01', '0.012'),
        async (lies, isTrusted, perCall) => {
          let step = 0;
          const reply: Reply = (_, id) => {
            const { kind, charged, balance } = lies[step++ % lies.length] ?? { kind: 'sold', charged: 0n };
            if (kind === 'sold') return sold();
            if (kind === 'lost') throw new TypeError('connection broken');
            if (kind === 'correct') return corrective(state(id, charged, { balance: String(balance) }));
            if (kind === 'refuse') return challenge(entry(), 'payment_refused');
            return new Response('{"code":"no_data"}', { status: 404 });
          };
          const caps = { perCall, total: '0.06' };
          const buyer = at([reply], { caps, attempts: 2, trustRefusals: isTrusted });
          const claimable = (): bigint =>
            [...buyer.highest.values()].reduce((sum, total) => sum + total, exactOf(buyer.presented));
          for (let call = 0; call < 12; call++) {
            const before = claimable();
            await buyer.client.request(`${PATH}?call=${call % 5}`);
            if (!isTrusted) expect(claimable() - before).toBeLessThanOrEqual(atomicOf(perCall));
          }
          if (isTrusted) return;
          expect(claimable()).toBeLessThanOrEqual(60_000n);
          expect(depositsOf(buyer.presented)).toBeLessThanOrEqual(60_000n);
        },
      ),
      { numRuns: 60, seed: 7 },
    );
  });
});

describe('terms of a channel', () => {
  it.each([
    ['another price', entry({}, { amount: '5001' })],
    ['another receiver', entry({}, { payTo: `0x${'d'.repeat(40)}` })],
    ['another token', entry({}, { asset: `0x${'e'.repeat(40)}` })],
    ['another network', entry({}, { network: 'eip155:84532' })],
    ['another token domain', entry({ name: 'Other Coin' })],
    ['an authorizer of nobody', entry({ receiverAuthorizer: `0x${'0'.repeat(40)}` })],
    ['no authorizer', entry({ receiverAuthorizer: undefined })],
    ['a delay of a month', entry({ withdrawDelay: 2_592_000 })],
    ['a delay below the contract’s', entry({ withdrawDelay: 60 })],
    ['a delay that is no number', entry({ withdrawDelay: '86400' })],
    ['deposits by Permit2', entry({ assetTransferMethod: 'permit2' })],
    ['another scheme', entry({}, { scheme: 'upto' })],
  ])('%s: paid by exact', async (_, offer) => {
    const buyer = at([() => sold()], {}, [() => offer]);
    expect(await buyer.ask()).toMatchObject({ ok: true });
    expect(buyer.presented.map(({ type }) => type)).toEqual([undefined]);
    expect(buyer.totals).toEqual([]);
  });

  it('a new authorizer with each call: all deposits within what is allowed', async () => {
    const offers = Array.from(
      { length: 9 },
      (_, i) => () => entry({ receiverAuthorizer: `0x${String(i + 1).repeat(40)}` }),
    );
    const channels = { fromCall: 1, maxDepositUsd: '0.05' };
    const buyer = at([() => sold()], { channels }, offers);
    for (let i = 0; i < 9; i++) await buyer.ask();
    const left = (await buyer.client.channels()).reduce((sum, { leftUsd }) => sum + Number(leftUsd), 0);
    expect(left).toBeLessThanOrEqual(0.05);
    expect(buyer.presented.some(({ type }) => type === undefined)).toBe(true);
  });

  it('after a call above a cap: the next one opens the channel', async () => {
    let perCall = '0.001';
    const caps = {
      get perCall() {
        return perCall;
      },
      total: '0.2',
    };
    const { presented, ask } = at([sold], { caps, channels: { fromCall: 1, maxDepositUsd: '0.1' } });
    expect(await ask()).toMatchObject({ problem: { code: 'over_budget' } });
    perCall = '0.01';
    expect(await ask()).toMatchObject({ ok: true });
    expect(presented).toMatchObject([{ type: 'deposit', deposit: { amount: '100000' } }]);
  });

  it('a deposit that the seller proposes: taken up to what is allowed', async () => {
    const buyer = at([() => sold()], { channels: { fromCall: 1, maxDepositUsd: '0.1' } }, [
      () => entry({ minDeposit: '250000' }),
    ]);
    await buyer.ask();
    expect(buyer.presented[0]?.deposit?.amount).toBe('100000');
  });
});

describe('a deposit without an outcome', () => {
  it('the next call on another path: the same deposit again', async () => {
    const lost: Reply = () => {
      throw new TypeError('connection broken');
    };
    const buyer = at([lost, () => sold()], { attempts: 1 });
    expect(await buyer.ask()).toMatchObject({ problem: { charged: null } });
    expect(await buyer.client.request('/v1/other')).toMatchObject({ ok: true });
    const [first, second] = buyer.presented;
    expect(second?.deposit).toEqual(first?.deposit);
    expect(buyer.totals).toEqual([PRICE, PRICE]);
  });

  it('refused for ever: exact pays, and no second deposit is signed', async () => {
    const store = memoryStore();
    const refuse: Reply = ({ type }) =>
      type === 'deposit' ? challenge(entry(), 'payment_would_fail') : sold();
    const buyer = at([refuse], { store });
    for (let i = 0; i < 4; i++) expect(await buyer.ask()).toMatchObject({ ok: true });
    expect(buyer.presented.filter(({ type }) => type === 'deposit')).toHaveLength(1);
  });
});

describe('a wallet that does not sign', () => {
  it('the deposit: nothing is spent, and nothing is in a channel', async () => {
    const signer = { address: `0x${'a'.repeat(40)}`, signTypedData: () => Promise.reject(new Error('no')) };
    const buyer = at([() => sold()], { signer });
    expect(await buyer.ask()).toMatchObject({ problem: { code: 'not_signed', detail: 'Not signed: no' } });
    expect(buyer.client.spentUsd()).toBe('0');
    expect(await buyer.client.channels()).toMatchObject([{ depositedUsd: '0', leftUsd: '0' }]);
  });
});

/** A store that saves so many records of channels, and rejects all later ones until it has room again. */
function fullAfter(saves: number) {
  const channels = memoryChannels();
  let left = saves;
  const save: typeof channels.save = async (record) => {
    if (left === 0) throw new Error('disk is full');
    left -= 1;
    return channels.save(record);
  };
  const store = { ...memoryStore(), channels: { ...channels, save } };
  return {
    store,
    empty: () => {
      left = Number.POSITIVE_INFINITY;
    },
  };
}

describe('a change that cannot be stored', () => {
  const refused = () => new Response('{"code":"no_data","charged":false}', { status: 404 });
  const failingOnce = () => {
    let calls = 0;
    return {
      address: `0x${'a'.repeat(40)}`,
      signTypedData: async () => {
        calls += 1;
        if (calls === 1) throw new Error('no');
        return `0x${'11'.repeat(65)}`;
      },
    };
  };

  it.each([
    ['a refusal that is trusted', () => ({ trustRefusals: true }), [refused, sold]],
    ['a voucher that is not signed', () => ({ signer: failingOnce() }), [sold]],
  ] as const)('%s: its amount stays counted, once', async (_, wallet, replies) => {
    const { store, empty } = fullAfter(1);
    const buyer = at([...replies], { store, ...wallet() });
    expect(await buyer.ask()).toMatchObject({ ok: false });
    expect(buyer.client.spentUsd()).toBe('0.005');
    empty();
    expect(await buyer.ask()).toMatchObject({ ok: true });
    expect(buyer.presented.at(-1)?.voucher?.maxClaimableAmount).toBe('5000');
    expect(buyer.client.spentUsd()).toBe('0.005');
  });

  it('a refund above what is claimed: not signed, and the way out is said', async () => {
    const { store } = fullAfter(2);
    const reply: Reply = ({ type }, id) => (type === 'refund' ? corrective(state(id, 50_000n)) : sold());
    const buyer = at([reply], { store });
    expect(await buyer.ask()).toMatchObject({ ok: true });
    const [channel] = await buyer.client.channels();
    const closed = await buyer.client.closeChannel(channel?.id ?? '');
    expect(closed).toMatchObject({ kind: 'withdraw', reason: 'not stored: Error: disk is full' });
    expect(buyer.totals).toEqual([PRICE, PRICE]);
  });

  it('a refund that came: its amount and transaction', async () => {
    const { store } = fullAfter(2);
    const said = { success: true, transaction: '0x07', amount: '95000' };
    const refund = new Response('{}', { headers: { 'payment-response': encoded(said) } });
    const buyer = at([({ type }) => (type === 'refund' ? refund : sold())], { store });
    expect(await buyer.ask()).toMatchObject({ ok: true });
    const [channel] = await buyer.client.channels();
    const closed = await buyer.client.closeChannel(channel?.id ?? '');
    expect(closed).toMatchObject({ kind: 'refunded', refundedUsd: '0.095', transaction: '0x07' });
  });
});
