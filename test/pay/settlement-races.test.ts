import { describe, expect, it } from 'vitest';
import { until } from '../until.ts';
import {
  beforeSettle,
  buyer,
  chain,
  earned,
  get,
  paidServer,
  pay,
  receipt,
  settleCalls,
  sign,
  unpaid,
  useChain,
} from './settlement-rig.ts';
import { encodeHeader, newAccount, type SignedAuthorization, v1Payload, v2Payload } from './wallet.ts';

useChain();

describe('a used authorization', () => {
  it('buys nothing a second time, through either header and version', async () => {
    const signed = await sign();
    await (await pay(signed)).arrayBuffer();
    await until(async () => expect((await paidServer.ledger.list({ limit: 1 }))[0]?.state).toBe('delivered'));
    for (const headers of [
      { 'PAYMENT-SIGNATURE': encodeHeader(v2Payload(paidServer.seller, signed)) },
      { 'X-PAYMENT': encodeHeader(v2Payload(paidServer.seller, signed)) },
      { 'X-PAYMENT': encodeHeader(v1Payload(signed)) },
    ]) {
      const { status, body } = await unpaid(() => get(headers));
      expect([status, body.error]).toEqual([402, 'authorization_used']);
    }
    const other = await unpaid(() => pay(signed, {}, '/v1/perp/carry?ticker=BTC'));
    expect([other.status, other.body.error]).toEqual([402, 'authorization_used']);
  });

  it('that the ledger does not know is refused by the facilitator', async () => {
    const signed = await sign();
    await submitAsThirdParty(signed);
    const { status, body } = await unpaid(() => pay(signed));
    expect([status, body.error]).toEqual([402, 'authorization_used']);
  });

  it('ten at once: one is paid and served', async () => {
    const before = await earned();
    const produced = paidServer.produced;
    const signed = await sign();
    let refused = 0;
    // One that came after the sale would be told that the authorization is used.
    beforeSettle(() => until(() => expect(refused).toBe(9)));
    const payOnce = async () => {
      const response = await pay(signed);
      if (response.status !== 200) refused++;
      return response;
    };
    const responses = await Promise.all(Array.from({ length: 10 }, payOnce));
    const statuses = responses.map(({ status }) => status).sort();
    expect(statuses[0]).toBe(200);
    expect(statuses.slice(1).every((status) => status === 409)).toBe(true);
    for (const response of responses) {
      if (response.status === 409) {
        expect(response.headers.get('payment-required')).toBeNull();
        expect(response.headers.get('retry-after')).toBe('2');
      }
      await response.arrayBuffer();
    }
    expect(await earned()).toBe(before + 5000n);
    expect(paidServer.produced).toBe(produced + 1);
    expect(settleCalls).toBe(1);
  });

  it('ten at once with the identifier: one paid, all alike', async () => {
    const before = await earned();
    const signed = await sign();
    const headers = { 'Idempotency-Key': 'order-0123456789abcdef' };
    const bodies = await Promise.all(
      Array.from({ length: 10 }, async () => (await pay(signed, headers)).text()),
    );
    expect(new Set(bodies).size).toBe(1);
    expect(bodies[0]).toContain('product');
    expect(await earned()).toBe(before + 5000n);
    expect(settleCalls).toBe(1);
  });
});

describe('between verify and settle', () => {
  it('a drained balance delivers no byte and moves no money', async () => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    beforeSettle(() => drain(account.address));
    const { status, body, response } = await unpaid(async () => pay(await sign({}, account)));
    expect([status, body.error]).toEqual([402, 'insufficient_funds']);
    expect(receipt(response)).toMatchObject({
      success: false,
      errorReason: 'invalid_exact_evm_insufficient_balance',
    });
    expect(receipt(response, 'x-payment-response')).toMatchObject({ success: false, network: 'base' });
  });

  it('a cancelled authorization delivers no byte and moves no money', async () => {
    const signed = await sign();
    beforeSettle(() => cancel(signed));
    const { status, body } = await unpaid(() => pay(signed));
    expect([status, body.error]).toEqual([402, 'authorization_cancelled']);
    const again = await unpaid(() => pay(signed));
    expect([again.status, again.body.error]).toEqual([402, 'authorization_cancelled']);
  });

  // The facilitator names no transaction, and does not say whether one was sent.
  it('a blacklisted payer gets no byte and no fresh challenge', async () => {
    const account = newAccount();
    await chain.mint(account.address, 5000n);
    beforeSettle(() =>
      chain.send(
        chain.token,
        selectorOf('setBlacklisted(address,bool)') + word(account.address) + '1'.padStart(64, '0'),
      ),
    );
    const { status, body } = await unpaid(async () => pay(await sign({}, account)));
    expect([status, body.code]).toEqual([503, 'settlement_unknown']);
  });

  it('submitted by a third party: paid once, delivered once', async () => {
    const before = await earned();
    const signed = await sign();
    beforeSettle(() => submitAsThirdParty(signed));
    const response = await pay(signed);
    expect(response.status).toBe(200);
    expect(await response.json()).toHaveProperty('product');
    expect(await earned()).toBe(before + 5000n);
  });
});

const { keccak256, toBytes, encodeFunctionData, parseSignature } = await import('viem');
const selectorOf = (signature: string): string => keccak256(toBytes(signature)).slice(0, 10);
const word = (address: string): string => address.slice(2).toLowerCase().padStart(64, '0');

async function drain(address: string): Promise<void> {
  const balance = await chain.balanceOf(address);
  await chain.rpc('anvil_setBalance', [address, '0xde0b6b3a7640000']);
  await chain.rpc('anvil_impersonateAccount', [address]);
  const data =
    selectorOf('transfer(address,uint256)') +
    word(newAccount().address) +
    balance.toString(16).padStart(64, '0');
  const hash = await chain.rpc('eth_sendTransaction', [{ from: address, to: chain.token, data }]);
  await until(async () =>
    expect(await chain.rpc('eth_getTransactionReceipt', [hash])).toMatchObject({ status: '0x1' }),
  );
}

async function submitAsThirdParty({ authorization: a, signature }: SignedAuthorization): Promise<void> {
  const { v, r, s } = parseSignature(signature as `0x${string}`);
  const inputs = [
    'address',
    'address',
    'uint256',
    'uint256',
    'uint256',
    'bytes32',
    'uint8',
    'bytes32',
    'bytes32',
  ];
  const data = encodeFunctionData({
    abi: [
      {
        type: 'function',
        name: 'transferWithAuthorization',
        stateMutability: 'nonpayable',
        inputs: inputs.map((type, i) => ({ type, name: `a${i}` })),
        outputs: [],
      },
    ],
    args: [
      a.from,
      a.to,
      BigInt(a.value),
      BigInt(a.validAfter),
      BigInt(a.validBefore),
      a.nonce,
      Number(v),
      r,
      s,
    ],
  });
  await chain.send(chain.token, data);
}

async function cancel({ authorization }: SignedAuthorization): Promise<void> {
  const signature = await buyer.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: chain.token },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: buyer.address, nonce: authorization.nonce as `0x${string}` },
  });
  const { v, r, s } = parseSignature(signature);
  const data =
    selectorOf('cancelAuthorization(address,bytes32,uint8,bytes32,bytes32)') +
    word(buyer.address) +
    authorization.nonce.slice(2) +
    Number(v).toString(16).padStart(64, '0') +
    r.slice(2) +
    s.slice(2);
  await chain.send(chain.token, data);
}
