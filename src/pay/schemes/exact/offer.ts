import { type CoreRequirement, requirementOf } from '../../requirement.ts';
import type { SchemeOffer } from '../../scheme.ts';
import type { Seller } from '../../seller.ts';
import { FACILITATOR_REASONS } from './facilitator-reasons.ts';
import { EXACT_FORMAT } from './format.ts';

const { name } = EXACT_FORMAT;

/** The terms of an `exact` payment: a buyer signs for the domain of the token. */
export function exactTerms(seller: Seller, amount: bigint): CoreRequirement {
  return requirementOf(seller, amount, name, { name: seller.assetName, version: seller.assetVersion });
}

/** `exact` in challenges and in the catalog. */
export const exactOffer = (seller: Seller): SchemeOffer => ({
  name,
  seller,
  isOfV1: true,
  reasons: FACILITATOR_REASONS,
  terms: (amount) => exactTerms(seller, amount),
});
