import type { Clock } from '../../src/domain/clock.ts';
import type { Facilitator } from '../../src/pay/facilitator.ts';
import { FacilitatorList } from '../../src/pay/facilitator-list.ts';
import { loadCheckSigner } from '../../src/pay/recover.ts';
import type { Scheme } from '../../src/pay/scheme.ts';
import type { SettlementVerifier } from '../../src/pay/schemes/exact/proof.ts';
import { createExactScheme } from '../../src/pay/schemes/exact/scheme.ts';
import type { SettleRetryPolicy } from '../../src/pay/schemes/exact/settlement.ts';
import { createSignatureFilter, type SignatureFilter } from '../../src/pay/schemes/exact/signature.ts';
import type { Seller } from '../../src/pay/seller.ts';
import type { ProtectedRoute } from '../../src/pay/types.ts';

export interface ExactParts {
  readonly seller: Seller;
  readonly routes: readonly ProtectedRoute[];
  readonly clock: Clock;
  readonly facilitators: readonly [Facilitator, ...Facilitator[]];
  /** Undefined: the facilitator's word is taken. */
  readonly proof?: SettlementVerifier | undefined;
  readonly patience?: SettleRetryPolicy;
}

/** Takes every signature for the payer's. */
export const TRUSTING: SignatureFilter = { check: () => 'match', faultOf: async () => undefined };

/** The scheme `exact` of a seller, whose signatures are taken as the filter says. */
export function exactWith(signatures: SignatureFilter, { facilitators, ...parts }: ExactParts): Scheme {
  return createExactScheme({
    proof: undefined,
    ...parts,
    facilitators: new FacilitatorList(facilitators),
    signatures,
  });
}

/** The same with real checks of signatures. */
export async function exactOf(parts: ExactParts): Promise<Scheme> {
  return exactWith(createSignatureFilter(parts.seller, await loadCheckSigner()), parts);
}
