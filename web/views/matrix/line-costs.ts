/** Slippages of the books at a size of a leg. */
export interface SizedBooks {
  /** One way, bps, by venue and asset (`rowKey`); null where a book does not hold the size. */
  readonly slippageBps: ReadonlyMap<string, number | null>;
  /** Of the contracts, as the answer charges them, bps, by venue and asset. */
  readonly takerFeeBps: ReadonlyMap<string, number>;
  /** Reasons for unknown ones, of all assets that the answer has. */
  readonly reasons: ReadonlyMap<string, string>;
  /** The reason for having none at all; empty where there are some. */
  readonly lack: string;
  /** When they were bought, ms since 1970: they are of then; undefined of those that are read again and again. */
  readonly boughtAt?: number | undefined;
}

export interface LineCosts {
  /** Of both legs in and out, with taker fees, bps of one leg. */
  readonly costBps: number | null;
  /** Days after which the spread has paid it. */
  readonly breakevenDays: number | null;
  /** The reason for not knowing it; empty where it is known or not asked for. */
  readonly costWhy: string;
}

/** A leg as far as it costs something. */
export interface CostLeg {
  readonly key: string;
  readonly takerFeeBps: number | null;
}

/** Spread of eight hours over days, less taker fees of both legs in and out, bps; null where a fee is not known. */
export function netOfFees(
  spread8h: number | null,
  days: number,
  feeA: number | null,
  feeB: number | null,
): number | null {
  if (spread8h === null || feeA === null || feeB === null) return null;
  return spread8h * 10_000 * 3 * days - 2 * (feeA + feeB);
}

const unknown = (costWhy: string): LineCosts => ({ costBps: null, breakevenDays: null, costWhy });

interface CostInputs {
  /** Of the asset. */
  readonly id: string;
  readonly legs: readonly CostLeg[];
  /** Of eight hours, fraction. */
  readonly spread8h: number | null;
}

/**
 * The costs of a pair at a size: `2 x (fees of both legs + slippages of both legs)`, and the days in which `3 x spread8h` pays them.
 * @param sized undefined where no size is chosen
 */
export function costsAtSize({ id, legs, spread8h }: CostInputs, sized: SizedBooks | undefined): LineCosts {
  if (sized === undefined) return unknown('');
  if (legs.length < 2) return unknown('there is no pair');
  if (sized.lack !== '') return unknown(sized.lack);
  const reason = sized.reasons.get(id);
  if (reason === undefined) return unknown('the funding signal does not rank it');
  let oneWay = 0;
  for (const { key, takerFeeBps } of legs) {
    const slippage = sized.slippageBps.get(key);
    if (slippage === undefined) return unknown('the funding signal ranks other legs');
    if (slippage === null) return unknown(reason);
    if (takerFeeBps === null) return unknown('a taker fee is not known');
    oneWay += slippage + takerFeeBps;
  }
  const costBps = 2 * oneWay;
  const paidADay = (spread8h ?? 0) * 10_000 * 3;
  return { costBps, breakevenDays: paidADay > 0 ? costBps / paidADay : null, costWhy: '' };
}
