import type { FoundChannels } from '../../../packages/client/src/index.ts';
import { buyerAt, serviceAddress } from '../../host/buyer.ts';
import { type ChannelFlags, channelChain, channelStore } from '../../host/channel-file.ts';
import { reasonOf } from '../../runtime/reason-of.ts';

export interface FindFlags extends ChannelFlags {
  readonly key?: string;
  readonly url?: string;
}

const say = (line: string): boolean => process.stderr.write(`channels: ${line}\n`);

function wordsOf({ recovered, lost, fromBlock, toBlock }: FoundChannels): string {
  const back = recovered
    .map(({ id }) => `${id} is in the file again: \`channels close\` refunds it\n`)
    .join('');
  return `${back}blocks ${fromBlock} to ${toBlock} read: ${recovered.length} found again, ${lost.length} to withdraw`;
}

/**
 * Finds channels with a service that the file has lost, by a node; prints each that has to be withdrawn as a line of JSON, with
 * the two transactions that the payer sends.
 * @returns exit code: 0 searched, 1 the service, the node or the file does not answer
 */
export async function channelsFind(flags: FindFlags): Promise<number> {
  try {
    const base = serviceAddress(flags);
    const chain = channelChain(flags, new URL(base).origin);
    const wallet = { caps: { perCall: '0', total: '0' }, store: channelStore(flags), channels: { chain } };
    const found = await buyerAt(base, flags, wallet).findChannels();
    if (found === undefined) return 1;
    say(wordsOf(found));
    for (const channel of found.lost) process.stdout.write(`${JSON.stringify(channel)}\n`);
    return 0;
  } catch (cause) {
    say(reasonOf(cause));
    return 1;
  }
}
