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
  try {
    if (((await chainOf(chain)) ?? chainId) !== chainId) return undefined;
    const call = { to: CHANNEL_CONTRACT, data: viewOf('channels', id) };
    const answer = await chain.request({ method: 'eth_call', params: [call, 'latest'] });
    const [balance, claimed] = /^0x[0-9a-f]{128}$/i.test(String(answer))
      ? [String(answer).slice(2, 66), String(answer).slice(66)]
      : [];
    if (balance === undefined || claimed === undefined) return undefined;
    return { balance: BigInt(`0x${balance}`), claimed: BigInt(`0x${claimed}`) };
  } catch {
    return undefined;
  }
}
