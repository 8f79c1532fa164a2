import { describe, expect, it } from 'vitest';
import { withdrawCalls } from '../../../packages/client/src/channels/withdraw.ts';
import { SETTLEMENT_CONTRACT } from '../../pay/schemes/batch-settlement/contract.ts';
import { createWalletChain } from './wallet-chain.ts';

const ACCOUNT = `0x${'ab'.repeat(20)}`;
const config = {
  payer: ACCOUNT,
  payerAuthorizer: `0x${'01'.repeat(20)}`,
  receiver: `0x${'02'.repeat(20)}`,
  receiverAuthorizer: `0x${'03'.repeat(20)}`,
  token: `0x${'04'.repeat(20)}`,
  withdrawDelay: 86_400,
  salt: `0x${'00'.repeat(32)}`,
};
const { initiate, finalize } = withdrawCalls(config, 98_000n);

/** The requests that reach the chain by one call; undefined where the wallet does not give it on. */
async function sent(method: string, params: readonly unknown[]) {
  const asked: (readonly [string, unknown])[] = [];
  const chain = createWalletChain(async (name, given) => {
    asked.push([name, given[0]]);
    return '0x1';
  });
  const answer = chain({ method, params }, ACCOUNT);
  if (answer === undefined) return undefined;
  expect(await answer).toBe('0x1');
  return asked.filter(([name]) => name.startsWith('eth_'));
}

describe("the chain of a demo's wallet", () => {
  it('reads of channels: given on', async () => {
    const read = { to: SETTLEMENT_CONTRACT, data: '0x00' };
    expect(await sent('eth_call', [read, 'latest'])).toEqual([['eth_call', read]]);
    expect(await sent('eth_blockNumber', [])).toEqual([['eth_blockNumber', undefined]]);
    expect(await sent('eth_call', [{ ...read, to: config.token }, 'latest'])).toBeUndefined();
  });

  it('a withdrawal of its account: sent', async () => {
    for (const call of [initiate, finalize]) {
      const [first] = (await sent('eth_sendTransaction', [call])) ?? [];
      expect(first).toEqual(['eth_sendTransaction', expect.objectContaining({ data: call.data })]);
    }
  });

  it('any other transaction, or of another account: not sent', async () => {
    for (const call of [
      { ...initiate, to: config.token },
      { ...initiate, from: config.receiver },
      { ...initiate, data: `0xa9059cbb${initiate.data.slice(10)}` },
      { ...initiate, data: `${initiate.data}${'00'.repeat(64)}` },
    ])
      expect(await sent('eth_sendTransaction', [call])).toBeUndefined();
    expect(await sent('anvil_setBalance', [ACCOUNT, '0x1'])).toBeUndefined();
    expect(await sent('eth_sendRawTransaction', ['0x00'])).toBeUndefined();
  });
});
