import { selectorOf } from '../../../src/pay/abi.ts';
import type { SandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { SETTLEMENT_CONTRACT } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { until } from '../../until.ts';

/** Calls the contract of channels as an account of a chain, and waits until that is mined. Rejects where it is reverted. */
export async function sendOn(
  { rpc }: SandboxChain,
  from: string,
  method: string,
  words: readonly string[],
): Promise<void> {
  await rpc('anvil_setBalance', [from, '0xde0b6b3a7640000']);
  await rpc('anvil_impersonateAccount', [from]);
  const data = selectorOf(method) + words.join('');
  const transaction = { from, to: SETTLEMENT_CONTRACT, data, gas: '0x7a120' };
  const hash = await rpc('eth_sendTransaction', [transaction]);
  const receipt = await until(async () => {
    const found = (await rpc('eth_getTransactionReceipt', [hash])) as { status?: string } | null;
    return found ?? Promise.reject(new Error(`${method} is not mined`));
  });
  if (receipt.status !== '0x1') throw new Error(`${method} was reverted`);
}
