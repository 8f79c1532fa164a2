import type { UnixMs } from '../domain/units.ts';
import { judgeSecondaryContract } from './comparable.ts';
import type { ContractState } from './contract.ts';
import { type EligibilitySources, eligibilityOf, isRateFresh } from './eligibility.ts';
import { type Group, primaryOf, type Table } from './table-state.ts';

/** The findings about one contract; of the one that is shown the group has them. */
export type Judged = Pick<Group, 'eligibility' | 'comparable' | 'reason' | 'fresh' | 'rateFresh'>;

/**
 * A contract of a group as of now. One that is not shown has a mark, an age and flags of its own: sweeps do not judge it,
 * few ever ask for one.
 */
export function judgeContract(
  table: Table,
  group: Group,
  state: ContractState,
  sources: EligibilitySources,
  now: UnixMs,
): Judged {
  if (state === primaryOf(group)) return group;
  const eligibility = eligibilityOf(group, state, sources, now);
  const others = () =>
    table.assets
      .get(group.canonicalId)
      ?.groups.flatMap((other) => (other === group ? [] : (other.eligibility ?? []))) ?? [];
  const reason = judgeSecondaryContract(eligibility, group, others, group.assignment.assetClass);
  return {
    eligibility,
    comparable: reason === undefined,
    reason,
    fresh: eligibility.fresh,
    rateFresh: isRateFresh(state, group.track, now),
  };
}
