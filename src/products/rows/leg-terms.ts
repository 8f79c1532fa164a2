import Type, { type Static } from 'typebox';
import type { VenueId, VenueInfo } from '../../domain/venue.ts';
import type { MarketRow } from '../../market/view.ts';
import { nullReasons, withReasons } from '../answer/null-reason.ts';
import { contractTerms, contractTermsFields, noTerms } from './contract-terms.ts';

/** Query parameter that asks for the terms of each leg's contract: they double the answer. */
export const legTermsParameter = Type.Optional(
  Type.Boolean({ description: 'With terms of legs, as /v1/contracts has them' }),
);

const legTermsSchema = Type.Object({ ...contractTermsFields, ...nullReasons });

/** The terms of a leg's contract, where they are asked for. */
export const legTermsField = { contract_terms: Type.Optional(legTermsSchema) };

/** A leg with the terms of its contract. */
export const withLegTerms = <Leg extends object>(
  leg: Leg,
  row: MarketRow,
  infos: ReadonlyMap<VenueId, VenueInfo>,
): Leg & { contract_terms: Static<typeof legTermsSchema> } => ({
  ...leg,
  contract_terms: withReasons(contractTerms(row), noTerms(row, infos.get(row.venue))),
});
