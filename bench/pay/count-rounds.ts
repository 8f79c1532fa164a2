import { median } from '../statistics.ts';
import type { Contender, PayCount } from './paid-round.ts';

/** So many rounds' worth warm each contender up. */
const WARM_UP_ROUNDS = 2;
/** A round is split into slices taken in turn. */
const SLICES = 3;

export const NOTHING: PayCount = { payments: 0, cpuSeconds: 0 };

export const rateOf = ({ payments, cpuSeconds }: PayCount): number => payments / cpuSeconds;

const add = (a: PayCount, b: PayCount): PayCount => ({
  payments: a.payments + b.payments,
  cpuSeconds: a.cpuSeconds + b.cpuSeconds,
});

/** The counts of each round, by contender. */
export type Counts = readonly ReadonlyMap<Contender, PayCount>[];

export interface Rounds {
  readonly contenders: readonly Contender[];
  readonly rounds: number;
  /** Of a round, for each contender. */
  readonly payments: number;
  readonly slice: (contender: Contender, payments: number) => Promise<PayCount>;
}

/** Rounds of all in turn, after some that warm them up; prints the counts. */
export async function countRounds({ contenders, rounds, payments: ofRound, slice }: Rounds): Promise<Counts> {
  const payments = Math.ceil(ofRound / SLICES);
  for (const contender of contenders) await slice(contender, ofRound * WARM_UP_ROUNDS);
  const counts: ReadonlyMap<Contender, PayCount>[] = [];
  for (let i = 0; i < rounds; i++) {
    const round = new Map<Contender, PayCount>();
    for (let j = 0; j < SLICES; j++) {
      for (const one of contenders)
        round.set(one, add(round.get(one) ?? NOTHING, await slice(one, payments)));
    }
    counts.push(round);
  }
  printCounts(contenders, counts);
  return counts;
}

function printCounts(contenders: readonly Contender[], counts: Counts): void {
  console.table(
    contenders.map((contender) => {
      const own = counts.map((round) => round.get(contender) ?? NOTHING);
      const rates = own.map(rateOf);
      const all = own.reduce(add, NOTHING);
      return {
        case: contender.name,
        'median payments/CPU-s': Math.round(median(rates)),
        range: `${Math.round(Math.min(...rates))}..${Math.round(Math.max(...rates))}`,
        payments: all.payments,
        'CPU-s': all.cpuSeconds.toFixed(2),
        'CPU ms each': ((all.cpuSeconds * 1000) / all.payments).toFixed(3),
      };
    }),
  );
}

/** The median over the rounds of the payments of the first by its CPU, over those of the second. */
export function ratioOf(counts: Counts, first: Contender, second: Contender): number {
  return median(
    counts.map((round) => rateOf(round.get(first) ?? NOTHING) / rateOf(round.get(second) ?? NOTHING)),
  );
}

export function endOf(contenders: readonly Contender[]): void {
  for (const { child } of contenders) child.disconnect();
}

/**
 * The 99th percentile of the time of an answer, one answer at a time and all contenders in turn, ms: the least of many
 * short rounds, since what else the machine does only adds to it.
 */
export async function leastP99(
  rounds: number,
  timed: readonly (() => Promise<readonly number[]>)[],
): Promise<readonly number[]> {
  const least = timed.map(() => Number.POSITIVE_INFINITY);
  for (let i = 0; i < rounds; i++) {
    for (const [of, time] of timed.entries())
      least[of] = Math.min(least[of] ?? Number.POSITIVE_INFINITY, p99(await time()));
  }
  return least;
}

function p99(tookMs: readonly number[]): number {
  const sorted = [...tookMs].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN;
}
