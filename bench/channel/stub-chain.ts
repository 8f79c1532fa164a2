import type { FacilitatorClient } from '@x402/core/server';
import { addressWord, uintWord } from '../../src/pay/abi.ts';
import type { Authorization } from '../../src/pay/schemes/exact/authorization.ts';
import type { Seller } from '../../src/pay/seller.ts';
import { stubFacilitator } from '../pay/stub-facilitator.ts';
import { transferReceipt } from '../pay/stub-rpc.ts';
import {
  readJson,
  type StubServer,
  startStubFacilitator,
  startStubServer,
} from '../scale/stub-facilitator-server.ts';

/** A facilitator, and a node that has the receipt of each transfer which that has settled. */
export interface StubChain {
  readonly facilitator: StubServer;
  readonly node: StubServer;
}

const BLOCK = '0xf4240';

/** Both over HTTP and in this process, which is not measured. Of a node it only knows receipts, and each once. */
export async function startStubChain(seller: Seller): Promise<StubChain> {
  const receipts = new Map<string, unknown>();
  const settle: FacilitatorClient['settle'] = async ({ payload }, { network }) => {
    const { from, to, value, nonce } = payload.authorization as Authorization;
    const word = (hex: string): string => `0x${hex}`;
    const moved = {
      from: word(addressWord(from)),
      to: word(addressWord(to)),
      value: word(uintWord(BigInt(value))),
      nonce,
    };
    // A nonce is as good a name as a hash.
    receipts.set(nonce, transferReceipt(seller, nonce, moved, BLOCK));
    return { success: true, transaction: nonce, network };
  };
  const node = await startStubServer(async (request) => {
    const { id, method, params } = (await readJson(request)) as {
      readonly id: number;
      readonly method: string;
      readonly params: readonly unknown[];
    };
    const hash = String(params[0]);
    const result = method === 'eth_getTransactionReceipt' ? receipts.get(hash) : undefined;
    receipts.delete(hash);
    return { jsonrpc: '2.0', id, result: result ?? null };
  });
  return { facilitator: await startStubFacilitator({ ...stubFacilitator, settle }), node };
}
