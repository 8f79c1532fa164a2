import type { ContractTerms } from '../domain/contract-terms.ts';
import { asUsd } from '../domain/units.ts';
import { type ContractState, fieldValue } from './contract.ts';

/**
 * The terms of a contract: those of its list, with those that stand beside its metrics. The latter age as metrics do, since a
 * limit that was lifted is stated no more.
 */
export function statedTerms(state: ContractState, now: number): ContractTerms | undefined {
  const { terms } = state.instrument;
  const maxLeverage = fieldValue(state, 'maxLeverage', now);
  const limit = fieldValue(state, 'openInterestLimitUsd', now);
  if (maxLeverage === undefined && limit === undefined) return terms;
  return {
    ...terms,
    ...(maxLeverage !== undefined && { maxLeverage }),
    ...(limit !== undefined && { openInterestLimitUsd: asUsd(limit) }),
  };
}
