import { CLUSTER_FAULTS, type ClusterFault } from './cluster-faults.ts';
import type { HistoryBalance } from './cluster-history.ts';
import { type ClusterMarket, withClusterMarket } from './cluster-market.ts';
import { ClusterRounds, type ClusterTally } from './cluster-rounds.ts';
import type { ContestResult } from './contested-payments.ts';
import type { DoubledResult } from './doubled-payments.ts';
import { Random } from './random.ts';
import type { SoldLooks } from './sold-looks.ts';

export interface ClusterSoak extends DoubledResult {
  readonly faults: ReadonlyMap<string, ClusterTally>;
  /** Faults that cannot be made on this machine. */
  readonly leftOut: readonly string[];
  /** Rows and books that were looked at after a fault. */
  readonly seen: Pick<SoldLooks, 'rows' | 'wrongRows' | 'books' | 'wrongBooks'>;
  /** Payments that two buyers presented. */
  readonly contests: ContestResult;
  /** Undefined where this machine cannot keep one. */
  readonly history: HistoryBalance | undefined;
}

export interface ClusterSoakOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Payments a round. */
  readonly payments: number;
  /** Faults of a round, in place of all. */
  readonly only?: readonly string[] | undefined;
  readonly progress?: (round: number, fault: string) => void;
}

async function isLeftOut(fault: ClusterFault, soak: ClusterRounds): Promise<boolean> {
  return fault.isPossible?.(await soak.victims()) === false;
}

/** Starts everything, hurts it, and balances the books. */
export function soakCluster(options: ClusterSoakOptions): Promise<ClusterSoak> {
  const random = new Random(options.seed);
  const run = async (market: ClusterMarket): Promise<ClusterSoak> => {
    const soak = new ClusterRounds(market);
    await soak.expect('start');
    const leftOut = await runRounds(soak, options, random);
    const { payments, contests: contested, ledgerUrl, sellers } = market;
    const books = await payments.end(ledgerUrl, sellers);
    const contests = await contested.end(books.books.paidNonces, sellers);
    const history = await market.history?.balance((time) => soak.isExplained(time));
    const { faults, seen } = soak;
    return {
      ...books,
      contests,
      faults,
      leftOut,
      seen,
      history,
      problems: [...soak.problems, ...books.problems, ...contests.problems],
    };
  };
  return withClusterMarket(random, run, { records: true });
}

/** Each kind once before any comes by chance. */
async function runRounds(
  soak: ClusterRounds,
  options: ClusterSoakOptions,
  random: Random,
): Promise<string[]> {
  const { rounds, payments, only, progress } = options;
  const wanted = CLUSTER_FAULTS.filter(({ name }) => only?.includes(name) ?? true);
  const possible: ClusterFault[] = [];
  for (const fault of wanted) if (!(await isLeftOut(fault, soak))) possible.push(fault);
  for (let round = 0; round < rounds; round++) {
    const fault = possible[round] ?? random.pick(possible);
    progress?.(round, fault.name);
    await soak.round(fault, payments, round);
  }
  return wanted.filter((fault) => !possible.includes(fault)).map(({ name }) => name);
}
