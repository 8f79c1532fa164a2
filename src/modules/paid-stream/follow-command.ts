import { WebSocket } from 'undici';
import {
  atomicOf,
  type FollowEvent,
  type FollowedTopic,
  type FollowOptions,
  usdOf,
} from '../../../packages/client/src/index.ts';
import { BuyError, buyerAt, type Given, serviceAddress } from '../../host/buyer.ts';
import { type ChannelFlags, channelChain, channelStore } from '../../host/channel-file.ts';
import { reasonOf } from '../../runtime/reason-of.ts';
import { TOPICS } from './topic-names.ts';

export interface FollowFlags extends Given, ChannelFlags {
  readonly maxUsd: string;
  readonly maxUsdPerHour?: string;
  /** Whole number as text. */
  readonly minutes?: string;
  /** Reads by WebSocket instead of server-sent events. */
  readonly websocket?: true | undefined;
  /** Pays by a channel, which the first purchase opens. */
  readonly channel?: true | undefined;
}

/** A deposit is no larger, unless another bound is given. */
const MAX_DEPOSIT_USD = '0.10';
const LISTS = ['symbol', 'venues', 'exclude', 'quote'] as const;
const SIZE = 'size_usd';

const say = (line: string): boolean => process.stderr.write(`follow: ${line}\n`);

/** The selection of a path of minutes, or of its parameters alone. */
export function selectionOf(
  asked: string,
): Pick<FollowOptions, 'topics' | 'sizeUsd' | (typeof LISTS)[number]> {
  const query = new URLSearchParams(asked.includes('?') ? asked.slice(asked.indexOf('?') + 1) : asked);
  const wordsOf = (name: string): readonly string[] | undefined =>
    query
      .get(name)
      ?.split(',')
      .filter((word) => word !== '');
  const known: readonly string[] = ['topics', SIZE, ...LISTS];
  const wrong = [...query.keys()].find((name) => !known.includes(name));
  if (wrong !== undefined || asked.startsWith('/') !== asked.includes('?'))
    throw new BuyError(
      `a path with its query, or parameters of it (${known.join(', ')}), not ${wrong ?? asked}`,
    );
  const topics = wordsOf('topics');
  const other = topics?.find((word) => !TOPICS.some((topic) => topic === word));
  if (other !== undefined) throw new BuyError(`topics are ${TOPICS.join(', ')}, not ${other}`);
  return {
    topics: topics as readonly FollowedTopic[] | undefined,
    symbol: wordsOf('symbol'),
    venues: wordsOf('venues'),
    exclude: wordsOf('exclude'),
    quote: wordsOf('quote'),
    sizeUsd: sizeOf(query.get(SIZE)),
  };
}

function sizeOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (!/^\d{3,6}$/.test(text))
    throw new BuyError(`${SIZE} is a whole number of US dollars from 100 to 250000`);
  return Number(text);
}

function minutesOf({ minutes }: FollowFlags): number | undefined {
  if (minutes === undefined) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(minutes)) throw new BuyError('--minutes is a whole number from 1 to 999999');
  return Number(minutes);
}

/** The caps of a run, and its channel where it pays by one: the rest of a deposit is for later runs. */
function walletOf(flags: FollowFlags, base: string) {
  const { maxUsd, maxDepositUsd = MAX_DEPOSIT_USD } = flags;
  if (flags.channel !== true) return { caps: { perCall: maxUsd, total: maxUsd }, channels: false } as const;
  const total = usdOf(atomicOf(maxUsd) + atomicOf(maxDepositUsd));
  const channels = { fromCall: 1, maxDepositUsd, chain: channelChain(flags, base) };
  return { caps: { perCall: total, total }, channels, store: channelStore(flags) };
}

const print = (event: FollowEvent): Promise<void> =>
  new Promise((written) => {
    process.stdout.write(`${JSON.stringify(event)}\n`, () => written());
  });

/** A word of what a stream costs, and where it stands; changes go without one. */
function progressOf(event: FollowEvent): string | undefined {
  switch (event.event) {
    case 'bought':
      return `${event.minutes} paid minutes were bought, ${event.spentUsd} USD so far`;
    case 'paused':
    case 'resumed':
    case 'closing':
      return `${event.event}: ${event.reason}`;
    case 'credited':
      return `${event.minutes} paid minutes were credited: ${event.reason}`;
    default:
      return undefined;
  }
}

/**
 * Follows a paid stream: its events as lines of JSON on standard output, what it costs on standard error.
 *
 * @returns exit code: 0 ended by a signal or after its minutes, 1 by a problem
 */
export async function followCommand(asked: string, flags: FollowFlags): Promise<number> {
  const end = new AbortController();
  const stop = (): void => end.abort();
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const base = serviceAddress(flags);
    const { maxUsd, maxUsdPerHour } = flags;
    const options: FollowOptions<FollowedTopic> = {
      ...selectionOf(asked),
      transport: flags.websocket === true ? 'websocket' : 'sse',
      webSocket: WebSocket,
      maxUsd,
      maxUsdPerHour,
      minutes: minutesOf(flags),
      signal: end.signal,
    };
    const following = buyerAt(base, flags, walletOf(flags, base)).follow<FollowedTopic>(options);
    let problem: Extract<FollowEvent, { event: 'ended' }>['problem'] = null;
    for await (const event of following) {
      const progress = progressOf(event);
      if (progress !== undefined) say(progress);
      if (event.event === 'ended') problem = event.problem;
      else await print(event);
    }
    if (problem !== null) say(`${problem.code}: ${problem.detail}`);
    say(`${following.spentUsd} USD were spent on ${following.stream?.id ?? 'no stream'}`);
    return problem === null ? 0 : 1;
  } catch (error) {
    say(reasonOf(error));
    return 1;
  } finally {
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
