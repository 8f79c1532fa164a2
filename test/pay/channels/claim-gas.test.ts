import { afterAll, beforeAll, expect, it } from 'vitest';
import { isWire } from '../../../src/domain/read.ts';
import { readQuantity } from '../../../src/pay/rpc.ts';
import { type SandboxChain, startSandboxChain } from '../../../src/pay/sandbox/chain.ts';
import { type ClaimRow, channelCall } from '../../../src/pay/schemes/batch-settlement/calls.ts';
import { claimGas } from '../../../src/pay/schemes/batch-settlement/claim-gas.ts';
import { SETTLEMENT_CONTRACT } from '../../../src/pay/schemes/batch-settlement/contract.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { placeChannelContracts } from '../../../src/pay/schemes/batch-settlement/sandbox/place-contracts.ts';
import { channelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import { until } from '../../until.ts';
import { sellerAt } from '../routes.ts';
import { newAccount } from '../wallet.ts';
import { configOf, depositPayload } from './buyer.ts';

const authorizer = newAccount();
const TERMS = { receiverAuthorizer: authorizer.address, withdrawDelay: 2_592_000 };
const DEPOSIT = 4_000_000n;
const TOTAL = 3_999_999n;
const GAS_LIMIT = '0x1e8480';

let chain: SandboxChain;
beforeAll(async () => {
  chain = await startSandboxChain();
  await placeChannelContracts(chain.rpc);
});
afterAll(() => chain.stop());

/** A funded channel with a salt of its own, and the row that claims nearly all of it. */
async function funded(): Promise<{ readonly id: string; readonly row: ClaimRow }> {
  const account = newAccount();
  await chain.mint(account.address, DEPOSIT);
  const seller = sellerAt('http://127.0.0.1', chain.payee.address);
  const salt = Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex');
  const config = configOf(account.address, seller, TERMS, salt);
  const requirement = channelTerms(seller, TERMS, 5_000n);
  const amounts = { deposit: DEPOSIT, total: TOTAL };
  const payload = await depositPayload(account, config, requirement, amounts);
  await chain.send(SETTLEMENT_CONTRACT, channelCall(payload as never));
  const { voucher } = payload as { voucher: { signature: string } };
  const total = String(TOTAL);
  return {
    id: createChannelDigests(chain.chainId).channelId(config),
    row: {
      voucher: { channel: config, maxClaimableAmount: total },
      signature: voucher.signature,
      totalClaimed: total,
    },
  };
}

/** Gas that the chain charges for the first claim of so many channels. */
async function chargedFor(count: number): Promise<number> {
  const channels: Awaited<ReturnType<typeof funded>>[] = [];
  for (let i = 0; i < count; i++) channels.push(await funded());
  const entries = channels.map(({ id }) => ({ channelId: id, signed: TOTAL, claimed: TOTAL }));
  const hash = `0x${createChannelDigests(chain.chainId).claims(entries).toString('hex')}` as const;
  const claims = channels.map(({ row }) => row);
  const data = channelCall({
    type: 'claim',
    claims,
    claimAuthorizerSignature: await authorizer.sign({ hash }),
  });
  const from = chain.facilitator.address;
  await chain.rpc('anvil_impersonateAccount', [from]);
  const transaction = { from, to: SETTLEMENT_CONTRACT, data, gas: GAS_LIMIT };
  const sent = await chain.rpc('eth_sendTransaction', [transaction]);
  return until(async () => {
    const receipt = await chain.rpc('eth_getTransactionReceipt', [sent]);
    if (!isWire(receipt)) throw new Error('not mined');
    expect(receipt.status).toBe('0x1');
    return Number(readQuantity(receipt.gasUsed));
  });
}

it.each([1, 5, 25])('a claim of %i channels: no more gas than reckoned', async (count) => {
  const charged = await chargedFor(count);
  expect(charged).toBeLessThanOrEqual(claimGas(count));
  expect(charged).toBeGreaterThan(0.8 * claimGas(count));
});
