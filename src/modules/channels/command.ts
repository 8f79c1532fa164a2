import { type ChannelStatus, type ClosedChannel, createClient } from '../../../packages/client/src/index.ts';
import { buyerAt } from '../../host/buyer.ts';
import { type ChannelFlags, channelStore } from '../../host/channel-file.ts';
import { reasonOf } from '../../runtime/reason-of.ts';

export interface CloseFlags extends ChannelFlags {
  readonly key?: string;
}

const print = (line: string): boolean => process.stdout.write(`${line}\n`);
const say = (line: string): boolean => process.stderr.write(`channels: ${line}\n`);

/** Nothing is signed for a list. */
const NOBODY = {
  address: `0x${'0'.repeat(40)}`,
  signTypedData: () => Promise.reject(new Error('a list signs nothing')),
};

/** All channels of the file. Rejects where it cannot be read. */
function channelsIn(flags: ChannelFlags): Promise<readonly ChannelStatus[]> {
  const caps = { perCall: '0', total: '0' };
  const wallet = { signer: NOBODY, caps, store: channelStore(flags) };
  return createClient({ baseUrl: 'http://localhost', wallet }).channels();
}

const rowOf = ({ id, state, depositedUsd, spentUsd, leftUsd, origin }: ChannelStatus): string =>
  [
    id.slice(0, 12),
    state.padEnd(6),
    ...[depositedUsd, spentUsd, leftUsd].map((usd) => usd.padStart(10)),
    origin,
  ].join('  ');

/** Lists channels. @returns exit code: 0 listed, 1 the file cannot be read */
export async function channelsList(flags: ChannelFlags & { readonly json?: true }): Promise<number> {
  try {
    const channels = await channelsIn(flags);
    if (flags.json !== true) {
      const names = ['deposited', 'spent', 'left'].map((name) => name.padStart(10));
      print(['channel'.padEnd(12), 'state ', ...names, 'service'].join('  '));
    }
    for (const channel of channels) print(flags.json === true ? JSON.stringify(channel) : rowOf(channel));
    return 0;
  } catch (cause) {
    say(reasonOf(cause));
    return 1;
  }
}

/** The end of a channel, in words. */
function wordsOf(closed: ClosedChannel): string {
  if (closed.kind === 'empty') return 'nothing is left in it';
  if (closed.kind === 'refunded') return `${closed.refundedUsd} USD refunded by ${closed.transaction}`;
  const { reason, leftUsd, delaySeconds } = closed;
  return `not refunded (${reason}). To withdraw ${leftUsd} USD send "initiate" from the payer's address, and "finalize" ${delaySeconds} s later:`;
}

/**
 * Has a channel refunded by its seller; where it is not, prints the transactions by which the payer withdraws.
 * @returns exit code: 0 nothing is left in it, 1 it has to be withdrawn, or there is none
 */
export async function channelsClose(id: string, flags: CloseFlags): Promise<number> {
  try {
    const found = (await channelsIn(flags)).filter((channel) => channel.id.startsWith(id));
    const [channel] = found;
    if (channel === undefined || found.length > 1) {
      say(channel === undefined ? `there is no channel ${id}` : `${found.length} channels begin with ${id}`);
      return 1;
    }
    const wallet = { caps: { perCall: '0', total: '0' }, store: channelStore(flags) };
    const closed = await buyerAt(channel.origin, flags, wallet).closeChannel(channel.id);
    if (closed === undefined) return 1;
    say(wordsOf(closed));
    if (closed.kind !== 'withdraw') return 0;
    print(JSON.stringify({ initiate: closed.initiate, finalize: closed.finalize }, null, 2));
    return 1;
  } catch (cause) {
    say(reasonOf(cause));
    return 1;
  }
}
