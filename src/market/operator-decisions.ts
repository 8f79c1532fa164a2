import { asMs, type UnixMs } from '../domain/units.ts';
import type { InstrumentIdentities } from './identity.ts';
import type { ChangedContract, DecisionStore, OperatorDecision } from './stores.ts';
import { attach, renewAssignment, type Table } from './table-state.ts';

export function memoryDecisionStore(): DecisionStore {
  const decisions: OperatorDecision[] = [];
  return {
    since: (sequence) => decisions.slice(sequence),
    append: (decision) => {
      if (decision.sequence !== decisions.length + 1) return false;
      decisions.push(decision);
      return true;
    },
  };
}

/**
 * Carries a decision into the book. Doing it again changes nothing: a contract whose present range began at the
 * time of the decision or later has it behind itself.
 */
export function applyDecision(identity: InstrumentIdentities, decision: OperatorDecision): void {
  const { at, to, from, contracts } = decision;
  // An id that is given stands for itself again: a merge and one back would else give each id in the place of the other.
  identity.redirect(to.canonicalId, undefined);
  if (from !== undefined) identity.redirect(from, to);
  for (const { venue, symbol } of contracts) {
    const last = identity.recordsOf(venue, symbol).at(-1);
    if (last === undefined || last.validTo !== undefined || last.validFrom >= at) continue;
    if (last.canonicalId === to.canonicalId) identity.confirm(last);
    else identity.reassign(venue, symbol, { ...to, basis: 'operator' }, at);
  }
  identity.commit();
}

/** Has a contract in the table be what the book now says: of another asset, or of the same by another's word. */
export function moveContract(
  table: Table,
  identity: InstrumentIdentities,
  { venue, symbol }: Pick<ChangedContract, 'venue' | 'symbol'>,
): void {
  const track = table.venues.get(venue);
  const tracked = track?.contracts.get(symbol);
  if (track === undefined || tracked === undefined) return;
  const held = identity.lastAssignment(tracked.state.instrument);
  if (held === undefined) return;
  const { group } = tracked;
  if (group?.canonicalId !== held.canonicalId) attach(table, track, tracked, held);
  // A pin to what it is already says that its price is right.
  else renewAssignment(group, tracked.state, held);
}

/** Reads decisions that another process may have taken, and carries them into book and table. */
export function createDecisionFeed(
  store: DecisionStore,
  table: Table,
  identity: InstrumentIdentities,
): () => void {
  let done = 0;
  return () => {
    for (const decision of store.since(done)) {
      applyDecision(identity, decision);
      for (const contract of decision.contracts) moveContract(table, identity, contract);
      done = decision.sequence;
    }
  };
}

/** A time for a decision that lies after everything recorded of its contracts. */
export function decisionTime(
  identity: InstrumentIdentities,
  contracts: readonly ChangedContract[],
  now: UnixMs,
): UnixMs {
  const latest = contracts.map((it) => identity.recordsOf(it.venue, it.symbol).at(-1)?.validFrom ?? 0);
  return asMs(Math.max(now, ...latest.map((time) => time + 1)));
}
