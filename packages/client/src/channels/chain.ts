import type { Eip1193Provider } from '../eip1193-signer.ts';
import { CHANNEL_CONTRACT, viewOf } from './digests.ts';

/** A channel as the chain has it, atomic units. */
export interface ChainView {
  readonly balance: bigint;
  readonly claimed: bigint;
}

/** Reads a channel; undefined where the chain does not answer as the contract does. */
export async function readChannel(chain: Eip1193Provider, id: string): Promise<ChainView | undefined> {
  try {
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
