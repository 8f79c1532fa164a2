import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { Clock } from '../../../src/domain/clock.ts';
import { FacilitatorList } from '../../../src/pay/facilitator-list.ts';
import type { LedgerStore } from '../../../src/pay/ledger-store.ts';
import { loadCheckSigner } from '../../../src/pay/recover.ts';
import { RpcError } from '../../../src/pay/rpc.ts';
import type { Scheme } from '../../../src/pay/scheme.ts';
import type { ChainView } from '../../../src/pay/schemes/batch-settlement/chain-view.ts';
import type { ChannelConfig } from '../../../src/pay/schemes/batch-settlement/channel.ts';
import { Channels } from '../../../src/pay/schemes/batch-settlement/channels.ts';
import { createChannelDigests } from '../../../src/pay/schemes/batch-settlement/digests.ts';
import { FacilitatorRequests } from '../../../src/pay/schemes/batch-settlement/facilitator-requests.ts';
import { Refunds } from '../../../src/pay/schemes/batch-settlement/refunds.ts';
import { createChannelScheme } from '../../../src/pay/schemes/batch-settlement/scheme.ts';
import { createSignatureCheck } from '../../../src/pay/schemes/batch-settlement/signatures.ts';
import { ChannelTally } from '../../../src/pay/schemes/batch-settlement/tally.ts';
import { channelTerms } from '../../../src/pay/schemes/batch-settlement/terms.ts';
import { loadSign } from '../../../src/pay/sign.ts';
import { type FakeFacilitator, fakeFacilitator } from '../fakes.ts';
import { paidRoutes, sellerAt } from '../routes.ts';
import { encodeHeader, newAccount } from '../wallet.ts';
import { configOf, depositPayload, voucherPayload } from './buyer.ts';

/** The seller of all channels of a rig. */
export const SELLER = sellerAt();
export const AUTHORIZER_KEY = `0x${'17'.repeat(32)}` as const;
export const TERMS = {
  receiverAuthorizer: privateKeyToAccount(AUTHORIZER_KEY).address,
  withdrawDelay: 900,
};
const digests = createChannelDigests(SELLER.network.chainId);

/** A chain of channels that tests write. */
export interface FakeChain {
  readonly channels: Map<string, Omit<ChainView, 'seenAt'>>;
  /** True: the node does not answer. */
  isAway: boolean;
  /** Times that it was asked. */
  asked: number;
}

export interface ChannelRig {
  readonly scheme: Scheme;
  readonly refunds: Refunds;
  readonly channels: Channels;
  readonly chain: FakeChain;
  readonly facilitator: FakeFacilitator;
}

/** The scheme over a store, with a chain and a facilitator of the test. */
export async function channelRig(store: LedgerStore, clock: Clock, chain = fakeChain()): Promise<ChannelRig> {
  if (store.accounts === undefined) throw new Error('a store without accounts');
  const channels = new Channels(store.accounts, clock);
  const facilitator = fakeFacilitator();
  const parts = {
    seller: SELLER,
    terms: TERMS,
    facilitators: new FacilitatorList([facilitator]),
    channels,
    digests,
    signatures: createSignatureCheck(SELLER, digests, await loadCheckSigner()),
    readChannel: async (id: string) => {
      chain.asked++;
      if (chain.isAway) throw new RpcError('eth_call: failed');
      const known = chain.channels.get(id) ?? { balance: '0', claimed: '0', withdrawAt: 0, refundNonce: '0' };
      return { ...known, seenAt: clock.now() };
    },
    clock,
    patience: { tries: 2, pauseMs: 1 },
  };
  const sign = await loadSign(AUTHORIZER_KEY);
  const requests = new FacilitatorRequests({ ...parts, signAs: () => sign });
  const refunds = new Refunds({ ...parts, requests });
  const scheme = createChannelScheme({
    ...parts,
    refunds,
    tally: new ChannelTally(),
    routes: paidRoutes(),
  });
  return { scheme, refunds, channels, chain, facilitator };
}

export const fakeChain = (): FakeChain => ({ channels: new Map(), isAway: false, asked: 0 });

/** A buyer's channel. */
export interface BuyersChannel {
  readonly account: PrivateKeyAccount;
  readonly config: ChannelConfig;
  readonly id: string;
  /** Header of a voucher for a total. */
  voucher(total: bigint): Promise<Record<string, string>>;
  deposit(deposit: bigint, total: bigint): Promise<Record<string, string>>;
  /** Header of a request for what is left, or a part of it. */
  refund(total: bigint, amount?: bigint): Promise<Record<string, string>>;
}

/** Puts money into a channel on the chain. */
export function fund({ channels }: FakeChain, { id }: Pick<BuyersChannel, 'id'>, balance: bigint): void {
  const known = channels.get(id) ?? { claimed: '0', withdrawAt: 0, refundNonce: '0' };
  channels.set(id, { ...known, balance: balance.toString() });
}

/** The header of a payload. */
export const paying = (payload: unknown): Record<string, string> => ({
  'PAYMENT-SIGNATURE': encodeHeader({
    x402Version: 2,
    payload,
    accepted: { scheme: 'batch-settlement', network: SELLER.network.id },
  }),
});

/** A channel of a new account. */
export function buyersChannel(account = newAccount(), salt = '00'): BuyersChannel {
  const config = configOf(account.address, SELLER, TERMS, salt);
  const id = digests.channelId(config);
  const requirement = channelTerms(SELLER, TERMS, 5_000n);
  return {
    account,
    config,
    id,
    voucher: async (total) => paying(await voucherPayload(account, config, id, total)),
    refund: async (total, amount) => {
      const payload = { ...(await voucherPayload(account, config, id, total)), type: 'refund' };
      return paying(amount === undefined ? payload : { ...payload, amount: amount.toString() });
    },
    deposit: async (deposit, total) =>
      paying(await depositPayload(account, config, requirement, { deposit, total })),
  };
}
