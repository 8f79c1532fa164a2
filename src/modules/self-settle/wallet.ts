import type { SignDigest } from '../../pay/sign.ts';
import type { Fees } from './gas.ts';

/** A call of a contract, or an empty one to ourselves. */
export interface Call {
  readonly to: `0x${string}`;
  readonly data: `0x${string}`;
  readonly gas: bigint;
}

/** A signed transaction, ready to be sent as often as needed: it can happen only once. */
export interface SignedTransaction {
  readonly nonce: number;
  readonly hash: string;
  readonly raw: `0x${string}`;
  readonly call: Call;
  readonly fees: Fees;
}

/** Signs transactions with the operator's key. */
export interface Wallet {
  readonly address: `0x${string}`;
  sign(call: Call, nonce: number, fees: Fees): Promise<SignedTransaction>;
}

/** Makes the wallet of a key; viem is loaded only here. */
export async function createWallet(
  privateKey: `0x${string}`,
  chainId: number,
  signDigest: SignDigest,
): Promise<Wallet> {
  const [{ keccak256, serializeTransaction }, { privateKeyToAddress }] = await Promise.all([
    import('viem'),
    import('viem/accounts'),
  ]);
  const digestOf = (hex: `0x${string}`): Buffer => Buffer.from(keccak256(hex).slice(2), 'hex');
  return {
    address: privateKeyToAddress(privateKey),
    async sign(call, nonce, fees) {
      const transaction = { type: 'eip1559', chainId, nonce, ...call, ...fees } as const;
      const signature = await signDigest(digestOf(serializeTransaction(transaction)));
      const raw = serializeTransaction(transaction, signature);
      return { nonce, raw, call, fees, hash: keccak256(raw) };
    },
  };
}
