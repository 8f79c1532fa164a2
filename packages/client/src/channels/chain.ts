import type { Eip1193Provider } from '../eip1193-signer.ts';
import { CHANNEL_CONTRACT, viewOf } from './digests.ts';

/** A channel as the chain has it, atomic units. */
export interface ChainView {
  readonly balance: bigint;
  readonly claimed: bigint;
}

/** The chain of a node, or of a wallet at present; undefined where it does not say. */
export async function chainOf(chain: Eip1193Provider): Promise<number | undefined> {
  try {
    const answer = await chain.request({ method: 'eth_chainId', params: [] });
    return /^0x[0-9a-f]{1,12}$/i.test(String(answer)) ? Number(answer) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Reads a channel of a chain; undefined where the node does not answer as the contract does, or is another chain's, on which there
 * is no such channel.
 */
export async function readChannel(
  chain: Eip1193Provider,
  id: string,
  chainId: number,
): Promise<ChainView | undefined> {
  if (((await chainOf(chain)) ?? chainId) !== chainId) return undefined;
  const [balance, claimed] = (await readWords(chain, 'channels', id)) ?? [];
  return balance === undefined || claimed === undefined ? undefined : { balance, claimed };
}

/**
 * A request to withdraw from a channel that is not finished, with its time in Unix seconds; undefined where there is none. Rejects
 * where the node does not say.
 */
export async function readWithdrawal(
  chain: Eip1193Provider,
  id: string,
): Promise<{ readonly amount: bigint; readonly requestedAt: number } | undefined> {
  const [amount, requestedAt] = (await readWords(chain, 'pendingWithdrawals', id)) ?? [];
  if (amount === undefined || requestedAt === undefined)
    throw new Error(`the node does not read the channel ${id}`);
  return requestedAt === 0n ? undefined : { amount, requestedAt: Number(requestedAt) };
}

/** The two numbers that a view of the contract gives for a channel. */
async function readWords(
  chain: Eip1193Provider,
  view: string,
  id: string,
): Promise<readonly bigint[] | undefined> {
  try {
    const call = { to: CHANNEL_CONTRACT, data: viewOf(view, id) };
    const answer = String(await chain.request({ method: 'eth_call', params: [call, 'latest'] }));
    if (!/^0x[0-9a-f]{128}$/i.test(answer)) return undefined;
    return [BigInt(answer.slice(0, 66)), BigInt(`0x${answer.slice(66)}`)];
  } catch {
    return undefined;
  }
}
