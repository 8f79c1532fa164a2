import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { callOf, channelIdOf } from '../../packages/client/src/channels/digests.ts';
import { depositPayload, voucherPayload } from '../../packages/client/src/channels/vouchers.ts';
import { withdrawCalls } from '../../packages/client/src/channels/withdraw.ts';
import { AUTHORIZATION } from '../../packages/client/src/payment.ts';
import { terms } from '../client/seller.ts';

const hex = (bytes: number): `0x${string}` => `0x${generatePrivateKey().slice(2, 2 + 2 * bytes)}`;
const whole = (): bigint => BigInt(hex(6));

/** Payments by random words under one key and one domain, with their signatures as viem makes them. */
export async function signedByViem(count: number) {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const domain = {
    name: `USD ${hex(4)} é`,
    version: '2',
    chainId: Number(whole()),
    verifyingContract: hex(20),
  };
  const sign = async () => {
    const message = {
      from: account.address,
      to: hex(20),
      value: whole(),
      validAfter: 0n,
      validBefore: whole(),
      nonce: hex(32),
    };
    const types = { TransferWithAuthorization: AUTHORIZATION };
    const data = { domain, types, primaryType: 'TransferWithAuthorization', message } as const;
    const signature = await account.signTypedData(data);
    const said = Object.entries(message).map(([name, value]) => [name, String(value)]);
    return { message: Object.fromEntries(said), signature };
  };
  const payments = await Promise.all(Array.from({ length: count }, sign));
  return { key, address: account.address, domain, payments };
}

/** A channel by random words, with what is signed for it as the TypeScript client makes it by viem's account. */
export async function channelByClient() {
  const key = generatePrivateKey();
  const account = privateKeyToAccount(key);
  const payer = account.address.toLowerCase();
  const receiver = hex(20);
  const token = hex(20);
  const salt = hex(32);
  const withdrawDelay = 900 + (Number(whole()) % 600_000);
  const config = {
    payer,
    payerAuthorizer: payer,
    receiver,
    receiverAuthorizer: hex(20),
    token,
    withdrawDelay,
    salt: hex(32),
  };
  const entry = terms({ scheme: 'batch-settlement', asset: token, payTo: receiver });
  const id = channelIdOf(config, 8453);
  const total = whole();
  const pending = { amount: String(whole()), validBefore: String(Number(whole()) % 2 ** 32), salt };
  const way = { id, config };
  const signer = account as Parameters<typeof voucherPayload>[0];
  return {
    key,
    config,
    entry,
    id,
    total: String(total),
    amount: pending.amount,
    validBefore: Number(pending.validBefore),
    salt,
    voucher: await voucherPayload(signer, way, entry, total),
    deposit: await depositPayload(signer, way, entry, total, pending),
    initiate: withdrawCalls(config, BigInt(pending.amount)).initiate.data,
    finalize: callOf('finalizeWithdraw', config),
  };
}
