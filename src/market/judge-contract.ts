import type { UnixMs } from '../domain/units.ts';
import { judgeBeside } from './comparable.ts';
import type { ContractState } from './contract.ts';
import { isRateFresh, type StandingSources, standingOf } from './standing.ts';
import { type Group, shown, type Table } from './table-state.ts';

/** What is found of one contract; of the one that is shown the group has it. */
export type Judged = Pick<Group, 'standing' | 'comparable' | 'reason' | 'fresh' | 'rateFresh'>;

/**
 * A contract of a group as of now. One that is not shown has a mark, an age and flags of its own: sweeps do not judge it,
 * few ever ask for one.
 */
export function judgeContract(
  table: Table,
  group: Group,
  state: ContractState,
  sources: StandingSources,
  now: UnixMs,
): Judged {
  if (state === shown(group)) return group;
  const standing = standingOf(group, state, sources, now);
  const others = () =>
    table.assets
      .get(group.canonicalId)
      ?.groups.flatMap((other) => (other === group ? [] : (other.standing ?? []))) ?? [];
  const reason = judgeBeside(standing, group, others, group.assignment.assetClass);
  return {
    standing,
    comparable: reason === undefined,
    reason,
    fresh: standing.fresh,
    rateFresh: isRateFresh(state, group.track, now),
  };
}
