import type { UnixMs } from '../domain/units.ts';
import { type AccountView, unclaimedOf } from './account.ts';

/** A scheme on a network. */
export interface AccountKind {
  readonly scheme: string;
  /** CAIP-2; undefined of a network that is not known here. */
  readonly network: string | undefined;
}

/** The accounts of a scheme on a network in figures; amounts in atomic units. */
export interface AccountSums extends AccountKind {
  readonly stages: ReadonlyMap<string, number>;
  /** All that is charged. */
  readonly charged: bigint;
  /** The part of it that is not claimed. */
  readonly unclaimed: bigint;
  /** The largest part that one account has of that. */
  readonly mostUnclaimed: bigint;
  /** When the oldest sale was settled that is not claimed; undefined if all are. */
  readonly oldestSince: UnixMs | undefined;
  /** The first moment from which on a claim is due; undefined if there is nothing to claim. */
  readonly dueAt: UnixMs | undefined;
  /** Accounts whose buyers have requested their money back. */
  readonly leaving: number;
  /** The first moment at which a buyer can take out money that was charged and not claimed; undefined if none can. */
  readonly lossAt: UnixMs | undefined;
}

const earlier = (a: UnixMs | undefined, b: UnixMs | undefined): UnixMs | undefined =>
  a !== undefined && b !== undefined && a < b ? a : (b ?? a);

const NOTHING: Omit<AccountSums, keyof AccountKind> = {
  stages: new Map(),
  charged: 0n,
  unclaimed: 0n,
  mostUnclaimed: 0n,
  oldestSince: undefined,
  dueAt: undefined,
  leaving: 0,
  lossAt: undefined,
};

function withAccount(sums: AccountSums, view: AccountView): AccountSums {
  const unclaimed = unclaimedOf(view);
  const isOwed = unclaimed > 0n;
  const isMost = unclaimed > sums.mostUnclaimed;
  return {
    scheme: view.scheme,
    network: view.network,
    stages: new Map(sums.stages).set(view.stage, (sums.stages.get(view.stage) ?? 0) + 1),
    charged: sums.charged + view.charged,
    unclaimed: sums.unclaimed + unclaimed,
    mostUnclaimed: isMost ? unclaimed : sums.mostUnclaimed,
    oldestSince: isOwed ? earlier(sums.oldestSince, view.owedSince) : sums.oldestSince,
    dueAt: earlier(sums.dueAt, view.dueAt),
    leaving: sums.leaving + (view.leavesAt === undefined ? 0 : 1),
    lossAt: isOwed ? earlier(sums.lossAt, view.leavesAt) : sums.lossAt,
  };
}

/**
 * Sums accounts by scheme and network.
 *
 * @param kinds those that have sums in any case
 */
export async function accountSums(
  views: AsyncIterable<AccountView> | Iterable<AccountView>,
  kinds: readonly AccountKind[],
): Promise<readonly AccountSums[]> {
  const keyOf = ({ scheme, network }: AccountKind): string => `${scheme} ${network}`;
  const sums = new Map(
    kinds.map(({ scheme, network }) => [keyOf({ scheme, network }), { ...NOTHING, scheme, network }]),
  );
  for await (const view of views) {
    const { scheme, network } = view;
    sums.set(keyOf(view), withAccount(sums.get(keyOf(view)) ?? { ...NOTHING, scheme, network }, view));
  }
  return [...sums.values()];
}
