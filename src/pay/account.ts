import type { UnixMs } from '../domain/units.ts';

/** A running account: payments of a scheme change it in turn, and only the scheme reads its row. */
export interface Account {
  readonly id: string;
  /** Counts changes, from 1. */
  readonly version: number;
  readonly row: string;
}

/** A change of an account, made against the version that it was read at, or not at all. */
export interface AccountChange {
  readonly id: string;
  /** That of before; 0 where there is no such account yet. */
  readonly version: number;
  readonly row: string;
}

/** An account as its operator sees it. Amounts in atomic units. */
export interface AccountView {
  readonly id: string;
  /** Name of the scheme whose payments stand on it. */
  readonly scheme: string;
  /** CAIP-2; undefined of a network that is not known here. */
  readonly network: string | undefined;
  /** Address in lower case. */
  readonly payer: string;
  /** Its state in the scheme's own words. */
  readonly stage: string;
  /** The buyer's money behind it, claimed or not, by the last look at the chain. */
  readonly balance: bigint;
  /** Sum of the prices of settled sales. */
  readonly charged: bigint;
  /** The part of it that is the seller's on the chain. */
  readonly claimed: bigint;
  /** When the first of the sales was settled that are not claimed; undefined if all are. */
  readonly owedSince: UnixMs | undefined;
  /** From then on it is to be claimed, by the scheme's own rule; undefined if there is nothing to claim. */
  readonly dueAt: UnixMs | undefined;
  /** When the last sale was settled. */
  readonly usedAt: UnixMs | undefined;
  /** When the chain was last asked. */
  readonly seenAt: UnixMs;
  /** The first moment at which the buyer can take its money out; undefined if it has not requested that. */
  readonly leavesAt: UnixMs | undefined;
}

/** The form of a scheme's accounts in a ledger. */
export interface AccountFormat<Signed = unknown> {
  /** The account on which a payment stands. */
  idOf(signed: Signed): string;
  /** Undefined of a row that is not a buyer's account of this scheme. */
  view(account: Account): AccountView | undefined;
}

/** Charged and not claimed, atomic units. */
export const unclaimedOf = ({ charged, claimed }: AccountView): bigint =>
  charged > claimed ? charged - claimed : 0n;
