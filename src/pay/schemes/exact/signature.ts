import type { Payment } from '../../payment.ts';
import { plainSignature } from '../../plain-signature.ts';
import type { CheckSigner } from '../../recover.ts';
import type { Seller } from '../../seller.ts';
import { authorizationDigest, domainSeparator } from './authorization-digest.ts';
import { createSignatureFault, type FindSignatureFault } from './signature-fault.ts';

type Signed = Pick<Payment, 'authorization' | 'signature'>;
export type SignatureMatch = 'match' | 'mismatch';

/** Tells whether a payment was signed by the key of its payer. */
export interface SignatureFilter {
  /**
   * `match`: a plain key signed it. `mismatch`: it did not, or not in a form the token takes from a plain key; it
   * may still be good for a contract wallet, which only the chain can tell.
   */
  check(payment: Signed): SignatureMatch | Promise<SignatureMatch>;
  /** Finds the fault of a mismatched signature, if the payer made it. */
  readonly faultOf: FindSignatureFault;
}

/** Prepares the filter for one token: the EIP-712 domain is hashed once. */
export function createSignatureFilter(seller: Seller, isSigner: CheckSigner): SignatureFilter {
  const domain = domainSeparator(seller);
  return {
    faultOf: createSignatureFault(seller, isSigner),
    check({ authorization, signature }) {
      const plain = plainSignature(signature);
      if (plain === undefined || plain.isHigh) return 'mismatch';
      const signed = isSigner(authorizationDigest(domain, authorization), plain, authorization.from);
      return signed instanceof Promise ? signed.then(matchOf) : matchOf(signed);
    },
  };
}

const matchOf = (isSigned: boolean): SignatureMatch => (isSigned ? 'match' : 'mismatch');
