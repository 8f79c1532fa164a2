import { beforeEach, describe, expect, it } from 'vitest';
import { isWire, readText, type Wire, wireArray } from '../../../src/domain/read.ts';
import { addressWord, selectorOf, topicOf, uintWord } from '../../../src/pay/abi.ts';
import { readQuantity } from '../../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { channelCall } from '../../../src/pay/schemes/batch-settlement/calls.ts';
import { SETTLEMENT_CONTRACT } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { configWords } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { channelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import { until } from '../../until.ts';
import { sellerAt } from '../routes.ts';
import { newAccount } from '../wallet.ts';
import { configOf, depositPayload } from './buyer.ts';

const TERMS = { receiverAuthorizer: newAccount().address, withdrawDelay: 900 };
const TUPLE = '(address,address,address,address,address,uint40,bytes32)';
const DEPOSIT = 50_000n;

let chain: SandboxChain;
// Tests move its time.
beforeEach(async () => {
  chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
  return () => chain.stop();
});

/** A channel with money, and what its payer sends to the contract: the receipt of each. */
async function opened() {
  const account = newAccount();
  const from = account.address;
  await chain.mint(from, DEPOSIT);
  const seller = sellerAt('http://127.0.0.1', chain.payee.address);
  const config = configOf(from, seller, TERMS);
  const requirement = channelTerms(seller, TERMS, 5_000n);
  const payload = await depositPayload(account, config, requirement, { deposit: DEPOSIT, total: 5_000n });
  await chain.send(SETTLEMENT_CONTRACT, channelCall(payload as never));
  await chain.rpc('anvil_setBalance', [from, '0xde0b6b3a7640000']);
  await chain.rpc('anvil_impersonateAccount', [from]);
  const send = async (method: string, ...words: readonly string[]): Promise<Wire> => {
    const data = selectorOf(method) + [...configWords(config), ...words].join('');
    const transaction = { from, to: SETTLEMENT_CONTRACT, data, gas: '0x7a120' };
    const hash = await chain.rpc('eth_sendTransaction', [transaction]);
    return until(async () => {
      const receipt = await chain.rpc('eth_getTransactionReceipt', [hash]);
      if (!isWire(receipt)) throw new Error('not mined');
      return receipt;
    });
  };
  return { from, send };
}

const request = `initiateWithdraw(${TUPLE},uint128)`;
/** The log of an event with its data in words. */
function logOf({ logs }: Wire, event: string) {
  const log = (wireArray(logs) ?? [])
    .filter(isWire)
    .find(({ topics }) => wireArray(topics)?.[0] === topicOf(event));
  const words = readText(log?.data)?.slice(2).match(/.{64}/g) ?? [];
  return { topics: wireArray(log?.topics), words: words.map((word) => BigInt(`0x${word}`)) };
}

describe('withdrawals from the channel contract of the local chain', () => {
  it('events: as the contract of the networks has them', async () => {
    const { from, send } = await opened();
    const requested = await send(request, uintWord(20_000n));
    const block = await chain.rpc('eth_getBlockByNumber', [requested.blockNumber, false]);
    const at = readQuantity(isWire(block) ? block.timestamp : undefined) ?? 0n;
    expect(logOf(requested, 'WithdrawInitiated(bytes32,uint128,uint40)').words).toEqual([20_000n, at + 900n]);
    await chain.rpc('evm_increaseTime', [901]);
    const made = await send(`finalizeWithdraw(${TUPLE})`);
    const { topics, words } = logOf(made, 'WithdrawFinalized(bytes32,address,uint128)');
    expect(topics?.[2]).toBe(`0x${addressWord(from)}`);
    expect(words).toEqual([20_000n]);
    expect(await chain.balanceOf(from)).toBe(20_000n);
  });

  it('a second request while one is pending: refused', async () => {
    const { send } = await opened();
    expect((await send(request, uintWord(20_000n))).status).toBe('0x1');
    expect((await send(request, uintWord(30_000n))).status).toBe('0x0');
  });
});
