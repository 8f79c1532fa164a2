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

const placeOf = ({ asset, network, payTo }: Seller): string => `${asset} on ${network.id} to ${payTo}`;

/** `exact` in challenges and in the catalog. */
export const exactOffer = (seller: Seller): SchemeOffer => ({
  name,
  seller,
  isOfV1: true,
  reasons: FACILITATOR_REASONS,
  words: (others) =>
    `Sign a transferWithAuthorization (EIP-3009) of exactly the amount asked, of token ${[seller, ...others].map(placeOf).join(', or of token ')}, and repeat the same GET with it in the header X-PAYMENT or PAYMENT-SIGNATURE; clients such as @x402/fetch do both.`,
  terms: (amount) => exactTerms(seller, amount),
});
