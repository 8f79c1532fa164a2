import type { Eip1193Provider } from '../eip1193-signer.ts';
import type { ChannelConfig } from './channel.ts';
import {
  addressTopic,
  CHANNEL_CONTRACT,
  CHANNEL_CREATED,
  channelIdOf,
  DEPOSIT_COLLECTOR,
  TRANSFER,
} from './digests.ts';

/** Nodes limit the blocks of one query, most to 10,000 and more: it begins with so many, and takes a fourth where that is refused. */
const MOST_SPAN = 100_000;
const LEAST_SPAN = 250;
/** Queries of one search: six weeks of a block every two seconds with the usual limit, and more where the node allows more. */
const MOST_QUERIES = 300;
const HEX_NUMBER = /^0x[0-9a-f]{1,12}$/i;

interface DepositSearch {
  readonly chain: Eip1193Provider;
  readonly chainId: number;
  readonly payer: string;
  readonly token: string;
}

/** A channel as it was created. */
export interface CreatedChannel {
  readonly id: string;
  readonly config: ChannelConfig;
}

interface SearchedDeposits {
  readonly created: readonly CreatedChannel[];
  /** The blocks that were read, both included. */
  readonly fromBlock: number;
  readonly toBlock: number;
}

type Json = Readonly<Record<string, unknown>>;
const isJson = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** A block by its number, or between two of them. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The channels that a payer has opened with a token, the newest first. The contract's event names the payer in its data alone, so
 * that the payer's transfers to the collector of deposits are looked for, backwards from the newest block, and the event in
 * their blocks. Rejects where the node does not answer.
 */
export async function searchDeposits(search: DepositSearch): Promise<SearchedDeposits> {
  const { chain, payer, token } = search;
  const newest = numberOf(await chain.request({ method: 'eth_blockNumber', params: [] }));
  const query = { left: MOST_QUERIES, span: MOST_SPAN };
  const moved = { address: token, topics: [TRANSFER, addressTopic(payer), addressTopic(DEPOSIT_COLLECTOR)] };
  const found = new Map<string, CreatedChannel>();
  let unread = newest;
  while (unread >= 0 && query.left > 0) {
    const from = Math.max(0, unread - query.span + 1);
    query.left--;
    const logs = await logsOf(chain, moved, { from, to: unread }).catch((cause) => {
      if (query.span <= LEAST_SPAN) throw cause;
    });
    if (logs === undefined) {
      query.span = Math.max(LEAST_SPAN, Math.floor(query.span / 4));
      continue;
    }
    const blocks = new Set(logs.map(({ blockNumber }) => numberOf(blockNumber)));
    for (const block of [...blocks].sort((a, b) => b - a)) {
      query.left--;
      for (const channel of await createdIn(search, block)) found.set(channel.id, channel);
    }
    unread = from - 1;
  }
  return { created: [...found.values()], fromBlock: unread + 1, toBlock: newest };
}

/** The channels of the payer that a block has created. */
async function createdIn(
  { chain, chainId, payer, token }: DepositSearch,
  block: number,
): Promise<readonly CreatedChannel[]> {
  const filter = { address: CHANNEL_CONTRACT, topics: [CHANNEL_CREATED] };
  const logs = await logsOf(chain, filter, { from: block, to: block });
  return logs.flatMap(({ topics, data }) => {
    const config = configIn(String(data));
    const id = Array.isArray(topics) ? String(topics[1]).toLowerCase() : '';
    const isOurs = config?.payer === payer.toLowerCase() && config.token === token.toLowerCase();
    // A withdrawal is encoded from these terms, which have to be those of the channel.
    return isOurs && channelIdOf(config, chainId) === id ? [{ id, config }] : [];
  });
}

/** The terms in the data of the event; undefined for anything else. */
function configIn(data: string): ChannelConfig | undefined {
  if (!/^0x[0-9a-f]{448}$/i.test(data)) return undefined;
  const words = data.slice(2).toLowerCase().match(/.{64}/g) ?? [];
  const address = (at: number): string => `0x${words[at]?.slice(24) ?? ''}`;
  return {
    payer: address(0),
    payerAuthorizer: address(1),
    receiver: address(2),
    receiverAuthorizer: address(3),
    token: address(4),
    withdrawDelay: Number(`0x${words[5]}`),
    salt: `0x${words[6]}`,
  };
}

async function logsOf(
  chain: Eip1193Provider,
  filter: { readonly address: string; readonly topics: readonly string[] },
  { from, to }: Range,
): Promise<readonly Json[]> {
  const range = { fromBlock: `0x${from.toString(16)}`, toBlock: `0x${to.toString(16)}` };
  const logs = await chain.request({ method: 'eth_getLogs', params: [{ ...filter, ...range }] });
  if (!Array.isArray(logs)) throw new Error('the node gives no logs');
  return logs.filter(isJson);
}

function numberOf(value: unknown): number {
  if (!HEX_NUMBER.test(String(value))) throw new Error('the node does not say the number of a block');
  return Number(value);
}
