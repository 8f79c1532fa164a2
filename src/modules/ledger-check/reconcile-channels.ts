import { usdText } from '../../pay/amount.ts';
import type { Ledger } from '../../pay/ledger.ts';
import { NETWORKS } from '../../pay/networks.ts';
import { newestFirst } from '../../pay/newest-first.ts';
import type { PaymentRecord } from '../../pay/record.ts';
import type { Rpc } from '../../pay/rpc.ts';
import { Channels, type StoredChannel } from '../../pay/schemes/batch-settlement/channels.ts';
import { SETTLEMENT_CONTRACT } from '../../pay/schemes/batch-settlement/contract.ts';
import { createChannelDigests } from '../../pay/schemes/batch-settlement/digests.ts';
import { CHANNEL_FORMAT } from '../../pay/schemes/batch-settlement/format.ts';
import type { BlockRange } from './chain-logs.ts';
import { type ChannelsCompared, compareChannels } from './channel-comparison.ts';
import { sayDifferences } from './differences-text.ts';
import { comparedText, isChannelFor, isPaymentTo, type ReceivingAccount } from './receiving-accounts.ts';

const READ_AT_ONCE = 500;

/** Accounts on one chain that are compared. */
export interface ComparedAccounts {
  readonly rpc: Rpc;
  /** CAIP-2 name. */
  readonly network: string;
  readonly accounts: readonly ReceivingAccount[];
  readonly range: BlockRange;
  readonly json: boolean;
}

/** The channels of a ledger on one network: a chain is a part of a channel's id. Other work has its turn between pages. */
export async function channelsOn(
  { accounts, clock }: Ledger,
  network: string,
): Promise<readonly StoredChannel[]> {
  const chainId = NETWORKS[network]?.chainId;
  if (accounts === undefined || chainId === undefined) return [];
  const digests = createChannelDigests(chainId);
  const channels = new Channels(accounts, clock);
  const own: StoredChannel[] = [];
  let after: string | undefined;
  do {
    const page = await channels.page(after, READ_AT_ONCE);
    own.push(...page.found.filter(({ id, channel }) => digests.channelId(channel.config) === id));
    after = page.after;
    await new Promise((resolve) => setImmediate(resolve));
  } while (after !== undefined);
  return own;
}

/**
 * Compares the channels of each account and says what differs, where the ledger has any or the chain shows claims of some; how
 * much. The ledger is read after the last of the blocks was made: what was claimed by then is sold by then. Rejects where the
 * node does not answer.
 */
export async function reconcileChannels(compared: ComparedAccounts, ledger: Ledger): Promise<number> {
  const { rpc, network, accounts, range, json } = compared;
  if ((await rpc('eth_getCode', [SETTLEMENT_CONTRACT, 'latest'])) === '0x') return 0;
  const channels = await channelsOn(ledger, network);
  const records: PaymentRecord[] = [];
  for await (const record of newestFirst(ledger)) {
    if (record.scheme === CHANNEL_FORMAT.name && record.network === network) records.push(record);
  }
  let found = 0;
  for (const account of accounts) {
    const own = channels.filter((stored) => isChannelFor(stored, account));
    const sold = records.filter((record) => isPaymentTo(record, account));
    const result = await compareChannels(rpc, { ...account, ...range }, own, sold);
    if (result.channels === 0 && result.claimed === 0n) continue;
    sayDifferences(result.differences, `${comparedText(account, range)}: ${channelsText(result)}`, json);
    found += result.differences.length;
  }
  return found;
}

function channelsText(compared: ChannelsCompared): string {
  const { channels, sold, deposited, refunded, claimed, settled } = compared;
  const onChain = `${usdText(deposited)} USD deposited, ${usdText(refunded)} refunded, ${usdText(claimed)} claimed, ${usdText(settled)} paid out`;
  return `${channels} channels that were sold to for ${usdText(sold)} USD, on the chain ${onChain}`;
}
