import { AWAY } from './paid-stream-hosts.ts';
import { type Kills, killsOfAll, type Verdict } from './paid-stream-judge.ts';
import type { PaidReader, Transport } from './paid-stream-reader.ts';

/** A host in a second of the service. */
export interface Seen {
  readonly second: number;
  readonly host: number;
}

/** A stream with its readers, as its owner knows it. */
export interface Followed {
  readonly id: string;
  readonly uses: number;
  /** Rows of its selection. */
  readonly rows: number;
  readonly readers: PaidReader[];
  readonly served: number[];
  /** The hosts that gave rows, and those that readers connected to. */
  readonly servedBy: Seen[];
  readonly opened: Seen[];
  readonly paused: number[];
  /** A sum of paid minutes for which more were bought, or refused, already. */
  decidedFor: number;
}

export interface PaidSoakReport extends Verdict {
  readonly streams: number;
  readonly payments: number;
  readonly kills: number;
  readonly breaks: Readonly<Record<Transport, number>>;
  readonly unsaid: number;
  readonly wrong: number;
  readonly wholes: number;
  readonly conflated: number;
  readonly paused: number;
  readonly refused: number;
  readonly faults: number;
  readonly paidMs: readonly number[];
  readonly freeMs: readonly number[];
}

/** Selections, and how many rows each has. */
export const CHOICES = [
  { rows: 6, selection: { symbol: 'BTC,ETH' } },
  { rows: 6, selection: { symbol: 'BTC,SOL,XRP', venues: 'binance,okx' } },
  { rows: 2, selection: { symbol: 'DOGE,ETH', venues: 'bybit' } },
  { rows: 2, selection: { symbol: 'BTC,DOGE', venues: 'okx' } },
] as const;

/** Rows that a reader holds as they were before a second, in which each has changed whose venue was not silent. */
export function staleRows(
  held: ReadonlyMap<string, number>,
  second: number,
  silent: readonly string[],
): number {
  const isStale = ([name, changedAt]: readonly [string, number]): boolean =>
    changedAt !== second && !silent.some((venue) => name.startsWith(venue));
  return [...held].filter(isStale).length;
}

/** Readers that do not hold all rows of their selection as they last changed, all in one second. */
export function wrongReaders(streams: readonly Followed[]): number {
  const all = streams.flatMap(({ readers }) => readers);
  const changedAt = Math.max(...all.flatMap(({ rows }) => [...rows.values()]));
  const isRight = (stream: Followed, { rows }: PaidReader): boolean =>
    rows.size === stream.rows && [...rows.values()].every((at) => at === changedAt);
  return streams.reduce(
    (sum, stream) => sum + stream.readers.filter((reader) => !isRight(stream, reader)).length,
    0,
  );
}

const MINUTE = 60;
/** One of two hosts credits within so many seconds the minutes that a kill of the other has broken off. */
const RECOVERY = 12;

/** Kills as they may matter to a stream: by the hosts that have served it for as long as a minute of it can have run. */
export function killsOf(
  { servedBy, opened }: Pick<Followed, 'servedBy' | 'opened'>,
  kills: readonly Seen[],
  isOne: boolean,
): Kills {
  if (isOne) return killsOfAll(kills.map(({ second }) => second));
  const hostsNear = (killedAt: number): readonly number[] =>
    [...servedBy, ...opened].flatMap(({ second, host }) =>
      second <= killedAt && second >= killedAt - MINUTE - AWAY ? [host] : [],
    );
  const possible = kills.filter(({ second, host }) => hostsNear(second).includes(host));
  // Rows of the last second before the kill are of a minute that ran on; another kill within a minute may have broken off the same.
  const certain = possible
    .filter((kill) => servedBy.some(({ second, host }) => second === kill.second && host === kill.host))
    .map(({ second }) => second);
  return {
    possible: possible.map(({ second }) => second),
    certain: certain.filter((second, at) => second - (certain[at - 1] ?? -MINUTE) >= MINUTE),
    recoverySeconds: RECOVERY,
  };
}
