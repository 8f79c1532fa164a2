import { isWire, readText, wireArray } from '../../domain/read.ts';
import { selectorOf } from '../../pay/abi.ts';
import { sameAddress } from '../../pay/address.ts';
import type { Rpc } from '../../pay/rpc.ts';
import { SETTLEMENT_CONTRACT } from '../../pay/schemes/batch-settlement/contract.ts';

const TUPLE = '(address,address,address,address,address,uint40,bytes32)';
const WITHDRAWALS = [
  selectorOf(`initiateWithdraw(${TUPLE},uint128)`),
  selectorOf(`finalizeWithdraw(${TUPLE})`),
];
/** A channel's terms are seven words, the amount one. */
const WITHDRAWAL = /^0x[0-9a-f]{8}(?:[0-9a-f]{64}){7,8}$/i;
const READS: ReadonlySet<unknown> = new Set(['eth_blockNumber', 'eth_getLogs']);
const ONE_ETHER = `0x${(10n ** 18n).toString(16)}`;
const GAS = '0x7a120';

/** Calls of a wallet that its chain answers; undefined for all others. Rejects where the chain does. */
export type WalletChain = (call: unknown, account: string) => Promise<unknown> | undefined;

/**
 * The part of a demo's wallet that reaches its chain: it reads channels, and sends the withdrawals of its own account. Gas is
 * play money, too: the chain gives it to the account.
 */
export const createWalletChain =
  (rpc: Rpc): WalletChain =>
  (call, account) => {
    if (!isWire(call)) return undefined;
    const { method } = call;
    const params = wireArray(call.params) ?? [];
    const [first] = params;
    const to = isWire(first) ? readText(first.to) : undefined;
    const isOfContract = to !== undefined && sameAddress(to, SETTLEMENT_CONTRACT);
    if (READS.has(method) || (method === 'eth_call' && isOfContract)) return rpc(String(method), [...params]);
    if (method !== 'eth_sendTransaction' || !isWire(first) || !isOfContract) return undefined;
    const data = readText(first.data) ?? '';
    const isWithdrawal = WITHDRAWAL.test(data) && WITHDRAWALS.includes(data.slice(0, 10).toLowerCase());
    return isWithdrawal && sameAddress(String(first.from), account)
      ? withdraw(rpc, account, data)
      : undefined;
  };

/** Sends without a signature: a chain of this machine lets a named account be impersonated for one call. */
async function withdraw(rpc: Rpc, from: string, data: string): Promise<unknown> {
  await rpc('anvil_setBalance', [from, ONE_ETHER]);
  await rpc('anvil_impersonateAccount', [from]);
  try {
    return await rpc('eth_sendTransaction', [{ from, to: SETTLEMENT_CONTRACT, data, gas: GAS }]);
  } finally {
    await rpc('anvil_stopImpersonatingAccount', [from]);
  }
}
