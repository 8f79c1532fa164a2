import type { AssetClass } from '../domain/instrument.ts';
import { asMs, type UnixMs } from '../domain/units.ts';
import type { VenueId } from '../domain/venue.ts';
import type { IdentityBook } from './identity.ts';
import { attach, type Table } from './table-state.ts';

export const OPERATOR_ACTIONS = ['pin', 'merge', 'split', 'undo'] as const;
export type OperatorAction = (typeof OPERATOR_ACTIONS)[number];

/** A contract that a decision gave another asset. */
export interface ChangedContract {
  readonly venue: VenueId;
  readonly symbol: string;
  /** Its id until then. */
  readonly before: string;
}

/** What an operator decided about identities, when and why. */
export interface OperatorDecision {
  /** 1, 2, 3 … in the order in which they were taken. */
  readonly sequence: number;
  readonly at: UnixMs;
  readonly action: OperatorAction;
  readonly reason: string;
  readonly to: { readonly canonicalId: string; readonly ticker: string; readonly assetClass: AssetClass };
  /** Merges: the id that is no longer given. */
  readonly from?: string;
  readonly contracts: readonly ChangedContract[];
}

/** Keeps the decisions of operators; nothing is ever removed. */
export interface DecisionStore {
  /** Decisions after this sequence number, oldest first. */
  since(sequence: number): readonly OperatorDecision[];
  /** Numbers and writes a decision. Returns when it is safe. */
  append(decision: Omit<OperatorDecision, 'sequence'>): OperatorDecision;
}

export function memoryDecisionStore(): DecisionStore {
  const decisions: OperatorDecision[] = [];
  return {
    since: (sequence) => decisions.slice(sequence),
    append: (decision) => {
      const numbered = { ...decision, sequence: decisions.length + 1 };
      decisions.push(numbered);
      return numbered;
    },
  };
}

/**
 * Carries a decision into the book. Doing it again changes nothing: a contract whose present range began at the
 * time of the decision or later has it behind itself.
 */
export function applyDecision(identity: IdentityBook, decision: OperatorDecision): void {
  const { at, to, from, contracts } = decision;
  if (from !== undefined) identity.redirect(from, to);
  else identity.redirect(to.canonicalId, undefined);
  for (const { venue, symbol } of contracts) {
    const last = identity.recordsOf(venue, symbol).at(-1);
    if (last === undefined || last.validTo !== undefined || last.validFrom >= at) continue;
    identity.reassign(venue, symbol, { ...to, basis: 'operator' }, at);
  }
  identity.commit();
}

/** Moves the contracts of a decision in the table to the assets that the book now gives them. */
function moveContracts(table: Table, identity: IdentityBook, decision: OperatorDecision): void {
  for (const { venue, symbol } of decision.contracts) {
    const track = table.venues.get(venue);
    const tracked = track?.contracts.get(symbol);
    const held = identity.recordsOf(venue, symbol).at(-1);
    if (track === undefined || tracked === undefined || held === undefined) continue;
    if (tracked.group?.canonicalId === held.canonicalId) continue;
    const { canonicalId, ticker, assetClass, basis } = held;
    attach(table, track, tracked, { canonicalId, ticker, assetClass, basis });
  }
}

/** Reads decisions that another process may have taken, and carries them into book and table. */
export function createDecisionFeed(store: DecisionStore, table: Table, identity: IdentityBook): () => void {
  let done = 0;
  return () => {
    for (const decision of store.since(done)) {
      applyDecision(identity, decision);
      moveContracts(table, identity, decision);
      done = decision.sequence;
    }
  };
}

/** A time for a decision that lies after everything recorded of its contracts. */
export function decisionTime(
  identity: IdentityBook,
  contracts: readonly ChangedContract[],
  now: UnixMs,
): UnixMs {
  const latest = contracts.map((it) => identity.recordsOf(it.venue, it.symbol).at(-1)?.validFrom ?? 0);
  return asMs(Math.max(now, ...latest.map((time) => time + 1)));
}
