import { chainIdOf, type Requirement, readChallenge, sameAddress } from '../challenge.ts';
import type { Eip1193Provider } from '../eip1193-signer.ts';
import type { Http } from '../http.ts';
import { payerOf, type Signer } from '../payment.ts';
import { usdOf } from '../usd.ts';
import type { ChannelBook } from './book.ts';
import { type ChainView, chainOf, readChannel, readWithdrawal } from './chain.ts';
import { type CreatedChannel, searchDeposits } from './deposit-search.ts';
import type { ChannelOptions, ChannelStatus, FoundChannels, LostChannel } from './options.ts';
import { newRecord } from './plan.ts';
import { statusOf } from './status.ts';
import { withdrawCalls } from './withdraw.ts';

export interface FindOptions {
  readonly http: Http;
  readonly baseUrl: string;
  readonly signer: Signer;
  readonly channels: Pick<ChannelOptions, 'voucherKey' | 'chain'>;
  readonly book: ChannelBook;
}

/**
 * Finds a payer's channels with a seller that the store does not know, by the chain's own events. A channel whose key is here goes back into the store,
 * and is paid by or refunded as before; the seller says what was charged. Rejects where seller, node or store do not answer.
 *
 * @param path a path that is for sale, at which the seller names its terms
 */
export async function findChannels(options: FindOptions, path: string): Promise<FoundChannels> {
  const { book, channels, signer } = options;
  const { chain } = channels;
  if (chain === undefined) throw new Error('no node is given that reads the chain');
  const entry = await termsAt(options, path, await chainOf(chain));
  const payer = (await payerOf(signer, entry)).toLowerCase();
  const chainId = chainIdOf(entry);
  if ((await chainOf(chain)) !== chainId) throw new Error(`the node is not of the network ${entry.network}`);
  const { created, fromBlock, toBlock } = await searchDeposits({ chain, chainId, payer, token: entry.asset });
  const key = await channels.voucherKey?.(payer).catch(() => undefined);
  const own = [payer, key?.address.toLowerCase()];
  const recovered: ChannelStatus[] = [];
  const lost: LostChannel[] = [];
  for (const channel of created) {
    const { id, config } = channel;
    if (book.get(id) !== undefined || !sameAddress(config.receiver, entry.payTo)) continue;
    const view = await readChannel(chain, id, chainId);
    if (view === undefined) throw new Error(`the node does not read the channel ${id}`);
    if (view.balance <= view.claimed) continue;
    if (own.includes(config.payerAuthorizer))
      recovered.push(await recover(options, channel, view, entry, path));
    else lost.push(await lostChannel(chain, channel, view, entry));
  }
  return { recovered, lost, fromBlock, toBlock };
}

/** The seller's terms on the chain of the node, else the first. */
async function termsAt(
  { http, baseUrl }: FindOptions,
  path: string,
  chainId: number | undefined,
): Promise<Requirement> {
  const asked = await http.get(new URL(path, baseUrl), undefined);
  const accepts = asked.code === 'replied' ? readChallenge(asked.reply.headers)?.accepts : undefined;
  const entry = accepts?.find((offered) => chainIdOf(offered) === chainId) ?? accepts?.[0];
  if (entry === undefined) throw new Error(`the seller names no terms at ${path}`);
  return entry;
}

/** Puts a channel back into the store: the first refusal of a voucher or a refund brings what the seller has charged. */
async function recover(
  { book, baseUrl }: FindOptions,
  { id, config }: CreatedChannel,
  view: ChainView,
  { network }: Requirement,
  path: string,
): Promise<ChannelStatus> {
  const { origin } = new URL(baseUrl);
  const record = { ...newRecord(id, network, config, view), version: 1, origin, path };
  await book.save(record);
  return statusOf(book.get(id) ?? record);
}

async function lostChannel(
  chain: Eip1193Provider,
  { id, config }: CreatedChannel,
  { balance, claimed }: ChainView,
  { network }: Requirement,
): Promise<LostChannel> {
  const asked = await readWithdrawal(chain, id);
  const finishFrom = ((asked?.requestedAt ?? 0) + config.withdrawDelay) * 1000;
  return {
    id,
    network,
    payer: config.payer,
    seller: config.receiver,
    leftUsd: usdOf(balance - claimed),
    withdrawal: asked && { requestedUsd: usdOf(asked.amount), finishFrom },
    ...withdrawCalls(config, balance - claimed),
    delaySeconds: config.withdrawDelay,
  };
}
