import { expect, it } from 'vitest';
import { startSandboxChain } from '../../src/pay/sandbox/chain.ts';
import { newAccount } from './wallet.ts';

it('mints at the same time: each is mined', async () => {
  const chain = await startSandboxChain();
  try {
    const { address } = newAccount();
    await Promise.all(Array.from({ length: 100 }, () => chain.mint(address, 1n)));
    expect(await chain.balanceOf(address)).toBe(100n);
  } finally {
    await chain.stop();
  }
});
