import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addressWord, selectorOf } from '../../src/pay/abi.ts';
import { BLOCK_TIME, createMulticall, MULTICALL3 } from '../../src/pay/multicall.ts';
import type { Rpc } from '../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { newAccount } from './wallet.ts';

let chain: SandboxChain;
beforeAll(async () => {
  chain = await startSandboxChain();
});
afterAll(() => chain.stop());

/** Counts what the node is asked. */
function counted() {
  const asked: string[] = [];
  const rpc: Rpc = (method, params) => {
    asked.push(method);
    return chain.rpc(method, params);
  };
  return { asked, multicall: createMulticall(rpc) };
}
const balance = (to: string) => ({
  to: chain.token,
  data: selectorOf('balanceOf(address)') + addressWord(to),
});

describe('several questions to contracts', () => {
  it('on a chain with Multicall3: one request, the answers in order', async () => {
    const { asked, multicall } = counted();
    const accounts = Array.from({ length: 40 }, () => newAccount().address);
    for (const i of [3, 17]) await chain.mint(accounts[i] ?? '', BigInt(i));
    const answers = await multicall(accounts.map(balance));
    expect(answers.map(([sum]) => sum)).toEqual(
      accounts.map((_, i) => (i === 3 || i === 17 ? BigInt(i) : 0n)),
    );
    const decimals = { to: chain.token, data: selectorOf('decimals()') };
    expect(await multicall([decimals])).toEqual([[6n]]);
    expect(await multicall([])).toEqual([]);
    expect(asked).toHaveLength(2);
  });

  it('the time of the block: in the same request, else from its header', async () => {
    const { asked, multicall } = counted();
    const header = (await chain.rpc('eth_getBlockByNumber', ['latest', false])) as { timestamp: string };
    const time = BigInt(header.timestamp);
    const [, [said = 0n] = []] = await multicall([balance(chain.buyer.address), BLOCK_TIME]);
    expect(said).toBeGreaterThanOrEqual(time);
    expect(asked).toEqual(['eth_call']);
    const without = createMulticall(async (method, params) => {
      const [call] = params as [{ to?: string }];
      return call.to === MULTICALL3 ? '0x' : chain.rpc(method, params);
    });
    expect(await without([balance(chain.buyer.address), BLOCK_TIME])).toEqual([[1_000_000_000n], [time]]);
  });

  it('nobody at an address: rejected', async () => {
    const { multicall } = counted();
    const nobody = { ...balance(chain.buyer.address), to: newAccount().address };
    await expect(multicall([balance(chain.buyer.address), nobody])).rejects.toThrow('no contract answers');
  });

  it('on a chain without it: one request each', async () => {
    const { asked, multicall } = counted();
    const code = await chain.rpc('eth_getCode', [MULTICALL3, 'latest']);
    await chain.rpc('anvil_setCode', [MULTICALL3, '0x']);
    try {
      const two = [balance(chain.buyer.address), balance(newAccount().address)];
      expect(await multicall(two)).toEqual([[1_000_000_000n], [0n]]);
      expect(await multicall(two)).toEqual([[1_000_000_000n], [0n]]);
      expect(asked).toHaveLength(5);
    } finally {
      await chain.rpc('anvil_setCode', [MULTICALL3, code]);
    }
  });
});
