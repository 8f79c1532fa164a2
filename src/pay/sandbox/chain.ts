import { randomBytes } from 'node:crypto';
import { isWire, readText } from '../../domain/read.ts';
import { oneAtATime } from '../../runtime/one-at-a-time.ts';
import { wait } from '../../runtime/timer.ts';
import { addressWord, selectorOf, uintWord } from '../abi.ts';
import { MULTICALL3 } from '../multicall.ts';
import { BASE, NETWORKS } from '../networks.ts';
import { createRpc, type Rpc } from '../rpc.ts';
import { startAnvil } from './anvil.ts';
import aggregate from './TryAggregate.artifact.json' with { type: 'json' };
import coin from './UsdCoin.artifact.json' with { type: 'json' };

const ONE_THOUSAND_ETHER = `0x${(1000n * 10n ** 18n).toString(16)}`;

/** A fresh key and its address. */
export interface SandboxAccount {
  readonly address: `0x${string}`;
  readonly privateKey: `0x${string}`;
}

/** A chain of this machine that looks like a network to a buyer: same chain id, a USDC at the same address. */
export interface SandboxChain {
  readonly rpcUrl: string;
  readonly rpc: Rpc;
  /** Process id of the chain. */
  readonly pid: number;
  readonly chainId: number;
  /** CAIP-2. */
  readonly network: `eip155:${number}`;
  readonly token: `0x${string}`;
  /** Holds token units to spend. */
  readonly buyer: SandboxAccount;
  /** Receives the money. */
  readonly payee: SandboxAccount;
  /** Pays the gas. */
  readonly facilitator: SandboxAccount;
  /** Token units for an address. */
  mint(to: string, atomic: bigint): Promise<void>;
  /** Calls a contract with encoded arguments, as nobody in particular, and waits until it is mined. */
  send(to: string, data: string): Promise<void>;
  balanceOf(address: string): Promise<bigint>;
  stop(): Promise<void>;
}

export interface SandboxOptions {
  /** A block every so many seconds; by default one per transaction. */
  readonly blockTimeSeconds?: number;
  /** Token units of the buyer. */
  readonly funds?: bigint;
  /** The network that it looks like, by CAIP-2 name; Base by default. */
  readonly network?: string;
}

/**
 * Starts the chain with fresh random keys: a payment signed for it would be valid on the real chain too, so nobody
 * may hold these keys or anything on them.
 */
export async function startSandboxChain(options: SandboxOptions = {}): Promise<SandboxChain> {
  const { chainId, asset } = NETWORKS[options.network ?? BASE] ?? { chainId: 8453, asset: '' };
  const [buyer, payee, facilitator] = await Promise.all([newAccount(), newAccount(), newAccount()]);
  const anvil = await startAnvil(chainId, options.blockTimeSeconds);
  const rpc = createRpc(anvil.rpcUrl);
  const token = asset as `0x${string}`;
  // Not the facilitator's account: other processes that settle with it would number its transactions, too.
  const operator = `0x${randomBytes(20).toString('hex')}`;
  // Of two that are sent at once, anvil gives both one number, and the first that ends would take the right from the other.
  const inTurn = oneAtATime();
  const send = async (to: string, data: string): Promise<void> =>
    mined(rpc, await inTurn(() => sendFrom(rpc, operator, to, data)));
  const mint = (to: string, atomic: bigint): Promise<void> =>
    send(token, selectorOf('mint(address,uint256)') + addressWord(to) + uintWord(atomic));
  try {
    await rpc('anvil_setCode', [token, coin.runtimeCode]);
    await rpc('anvil_setCode', [MULTICALL3, aggregate.runtimeCode]);
    await rpc('anvil_setBalance', [facilitator.address, ONE_THOUSAND_ETHER]);
    await rpc('anvil_setBalance', [operator, ONE_THOUSAND_ETHER]);
    await mint(buyer.address, options.funds ?? 1_000_000_000n);
  } catch (cause) {
    await anvil.stop();
    throw cause;
  }
  return {
    rpcUrl: anvil.rpcUrl,
    rpc,
    pid: anvil.pid,
    chainId,
    network: `eip155:${chainId}`,
    token,
    buyer,
    payee,
    facilitator,
    mint,
    send,
    async balanceOf(address) {
      const data = selectorOf('balanceOf(address)') + addressWord(address);
      return BigInt(readText(await rpc('eth_call', [{ to: token, data }, 'latest'])) ?? '0x0');
    },
    stop: anvil.stop,
  };
}

async function newAccount(): Promise<SandboxAccount> {
  const { privateKeyToAddress } = await import('viem/accounts');
  const privateKey = `0x${randomBytes(32).toString('hex')}` as const;
  return { privateKey, address: privateKeyToAddress(privateKey) };
}

/** Sends without a signature: anvil lets a named account be impersonated for one call. The hash of the transaction. */
async function sendFrom(rpc: Rpc, from: string, to: string, data: string): Promise<unknown> {
  await rpc('anvil_impersonateAccount', [from]);
  try {
    return await rpc('eth_sendTransaction', [{ from, to, data, gas: '0x7a120' }]);
  } finally {
    await rpc('anvil_stopImpersonatingAccount', [from]);
  }
}

async function mined(rpc: Rpc, hash: unknown): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const receipt = await rpc('eth_getTransactionReceipt', [hash]);
    if (isWire(receipt)) {
      if (receipt.status === '0x1') return;
      throw new Error('a transaction of the sandbox was reverted');
    }
    await wait(50);
  }
  throw new Error('a transaction of the sandbox was not mined');
}
