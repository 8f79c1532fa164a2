/** Judges what readers of paid streams received by the payments, the kills and the silences alone. Times are seconds of the service. */

const MINUTE = 60;
const GRACE = 10;
/** Rows change every second: a reader that is served hears of it within so many. */
const LATEST = 3;

export interface Payment {
  readonly second: number;
  readonly minutes: number;
}

/** All that is known of a stream from outside. */
export interface Witnessed {
  readonly uses: number;
  readonly payments: readonly Payment[];
  /** Seconds in which any reader was given rows, in any order. */
  readonly served: readonly number[];
  /** Seconds since which a reader has heard that it is paused. */
  readonly paused: readonly number[];
  /** Seconds in which a venue was silent. */
  readonly silent: readonly number[];
  /** Connections that got no rows: a minute may have begun for each. */
  readonly emptyConnections: number;
}

/** Kills of processes, as far as they may matter to a stream. Seconds. */
export interface Kills {
  /** Those in whose minute it may have been served. */
  readonly possible: readonly number[];
  /** Of these those of a process that served it then, each of another minute. */
  readonly certain: readonly number[];
  /** Another process serves it on meanwhile, and credits what was broken off within so long; 0 where there is none. */
  readonly recoverySeconds: number;
}

/** Kills of the only process. */
export const killsOfAll = (seconds: readonly number[]): Kills => ({
  possible: seconds,
  certain: seconds,
  recoverySeconds: 0,
});

/** Its sums as the service states them in the end. */
export interface Stated {
  readonly paid: number;
  readonly credited: number;
  readonly used: number;
}

export interface Verdict {
  /** Seconds in which rows came beyond what was paid and the grace. */
  readonly unpaidSeconds: number;
  /** Paid minutes that were broken off and not given back. */
  readonly uncredited: number;
  /** Minutes that were given back or used without a cause, and payments that were lost or counted twice. */
  readonly wrongSums: number;
}

const sorted = (seconds: readonly number[]): readonly number[] => [...new Set(seconds)].sort((a, b) => a - b);
const isAnyIn = (seconds: readonly number[], from: number, to: number): boolean =>
  seconds.some((second) => second > from && second <= to);

/** Minutes that were paid up to a second. */
const paidUntil = ({ payments, uses }: Witnessed, second: number): number =>
  Math.floor(
    payments.reduce((sum, { second: at, minutes }) => (at <= second ? sum + minutes : sum), 0) / uses,
  );

/**
 * Lays the fewest minutes over what was served, each from the first rows that none before it covers. Where a minute may have been
 * stopped, its rest covers what follows; one that a kill has broken off costs nothing.
 *
 * @returns seconds that no paid minute and no grace covers
 */
function unpaidSeconds(seen: Witnessed, { possible, recoverySeconds }: Kills): number {
  let minutes = 0;
  let end = Number.NEGATIVE_INFINITY;
  let before = Number.NEGATIVE_INFINITY;
  /** Begin of the minute that is owed. */
  let owedAt: number | undefined;
  let unpaid = 0;
  for (const second of sorted(seen.served)) {
    const mayRest = isAnyIn(seen.paused, before, second) || isAnyIn(seen.silent, before, second);
    // Once the grace is over a second without rows may be a pause up to a payment, behind which the rest of that minute runs.
    const isOwedOut = owedAt !== undefined && second > owedAt + GRACE;
    const broken = possible.filter((killedAt) => killedAt > before - 1 && killedAt <= second);
    // A kill breaks off the minute that runs; the rest of one that was stopped before waits on.
    if (broken.some((killedAt) => killedAt <= end + LATEST)) {
      minutes -= 1;
      end = Number.NEGATIVE_INFINITY;
    } else if (second - before > (isOwedOut ? 1 : LATEST) && (mayRest || owedAt !== undefined)) {
      end = second + Math.max(0, end - before);
    }
    if (second >= end) {
      minutes += 1;
      // Until the broken one is credited its rest is served, and the next one begins behind that.
      end = second + MINUTE + (broken.length > 0 ? recoverySeconds : 0);
      owedAt = undefined;
    }
    const lacking = minutes - paidUntil(seen, second);
    if (lacking <= 0) owedAt = undefined;
    else {
      owedAt ??= second;
      if (lacking > 1 || second > owedAt + GRACE) unpaid += 1;
    }
    before = second;
  }
  return unpaid;
}

/** Minutes that can have begun, each of which has been heard of: moments that are a minute apart. */
function mostBegun(seconds: readonly number[]): number {
  let count = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const second of seconds) {
    if (second - last < MINUTE) continue;
    count += 1;
    last = second;
  }
  return count;
}

/** True where a minute was running for certain when the process was killed. */
function wasServed({ served, paused }: Witnessed, killedAt: number): boolean {
  const last = Math.max(...served.filter((second) => second <= killedAt), Number.NEGATIVE_INFINITY);
  return killedAt - last < LATEST && !paused.some((second) => second >= last && second <= killedAt);
}

/** Minutes of connections without rows, which a kill of another process than the one that is seen may have broken off. */
const emptyAtHosts = ({ emptyConnections }: Witnessed, { recoverySeconds }: Kills): number =>
  recoverySeconds > 0 ? emptyConnections : 0;

export function judge(seen: Witnessed, stated: Stated, kills: Kills): Verdict {
  const { uses, payments } = seen;
  const paid = payments.reduce((sum, { minutes }) => sum + minutes, 0);
  const certain = kills.certain.filter((killedAt) => wasServed(seen, killedAt)).length * uses;
  const most = mostBegun(sorted(seen.served)) + kills.possible.length + seen.emptyConnections + 1;
  const sums = [
    Math.abs(stated.paid - paid),
    Math.max(0, stated.credited - (kills.possible.length + emptyAtHosts(seen, kills)) * uses),
    Math.max(0, stated.used - most * uses),
    Math.max(0, stated.used - (stated.paid + stated.credited + uses)),
  ];
  return {
    unpaidSeconds: unpaidSeconds(seen, kills),
    uncredited: Math.max(0, certain - stated.credited),
    wrongSums: sums.reduce((total, minutes) => total + minutes, 0),
  };
}
